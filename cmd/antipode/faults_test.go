package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"antipode/cmd/antipode/provenance"
	"antipode/data/durable"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

var errInjected = errors.New("injected fault")

// faultAt runs the program and lets its n-th operation on files fail, counted from 1. failed says which
// operation that was, "" if there were fewer.
func faultAt(t *testing.T, n int, arguments []string) (code int, stderr, failed string) {
	t.Helper()
	t.Cleanup(func() { durable.Inject(nil) })
	var mutex sync.Mutex
	count := 0
	durable.Inject(func(operation, path string) error {
		mutex.Lock()
		defer mutex.Unlock()
		if count++; count != n {
			return nil
		}
		failed = operation + " " + filepath.Base(path)
		return errInjected
	})
	var out, errs bytes.Buffer
	code = execute(t.Context(), append([]string{"antipode"}, arguments...), &out, &errs)
	durable.Inject(nil)
	return code, errs.String(), failed
}

// operationsOf runs a command, which must succeed, and returns its operations on files, each described as by
// faultAt.
func operationsOf(t *testing.T, arguments []string) (all []string) {
	t.Helper()
	t.Cleanup(func() { durable.Inject(nil) })
	var mutex sync.Mutex
	durable.Inject(func(operation, path string) error {
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, operation+" "+filepath.Base(path))
		return nil
	})
	mustExecute(t, arguments)
	durable.Inject(nil)
	return all
}

// amid reports whether the n-th operation, counted from 1, is equal to the one before it and to the one after
// it.
func amid(all []string, n int) bool {
	return n > 1 && n < len(all) && all[n-2] == all[n-1] && all[n] == all[n-1]
}

// Whatever operation on a file fails: if a command reports success, all its results are there; if not, it
// prints one line with the error; what is left in the folder is what was there, whole results and unfinished
// work that is kept; and afterwards the command succeeds, with --restart if unfinished work was kept. Of an
// operation that is repeated, such as reading a table piece by piece, only the first and the last are made to
// fail.
func TestEveryFileOperationFails(t *testing.T) {
	longtest.Only(t)
	short := []string{"--trajectories", "3", "--depth", "10", "--horizon", "1", "--quiet", "--workers", "1"}
	with := func(words string, more ...string) []string { return append(strings.Fields(words), more...) }
	t.Chdir(t.TempDir())
	for _, shard := range []string{"0/2", "1/2"} {
		mustExecute(t, with("simulate --shard "+shard+" --out shard-"+shard[:1]+".arrow", short...))
	}
	mustExecute(t, with("simulate --out given.arrow", short...))
	for _, c := range []struct {
		before    []string // a command that runs before, nil if there is none
		arguments []string
		results   []string // files that the command writes
	}{
		{nil, with("simulate --out t.arrow --plot t.svg", short...), []string{"t.arrow", "t.svg"}},
		{nil, with("simulate --out t.csv", short...), []string{"t.csv"}},
		{nil, with("simulate --out t.parquet", short...), []string{"t.parquet"}},
		{nil, with("simulate --save outcomes,overlaps --out t.arrow", short...),
			[]string{"t-outcomes.arrow", "t-overlaps.arrow"}},
		{nil, with("verify --only c4 --quiet --out t.arrow"), []string{"t.arrow"}},
		{nil, with("overlap --dim 5 --beta 1 --depth none --horizon none --quiet --out t.arrow"),
			[]string{"t.arrow"}},
		{nil, with("overlap --dim 3,5 --depth none --horizon none --quiet --plot t.svg"), []string{"t.svg"}},
		{nil, with("merge shard-0.arrow shard-1.arrow --quiet --out t.arrow"), []string{"t.arrow"}},
		{nil, with("plot given.arrow --out t.svg"), []string{"t.svg"}},
		{nil, with("rerun given.arrow --quiet"), nil},
		{nil, with("rerun given.arrow --quiet --out t.arrow"), []string{"t.arrow"}},
		{nil, with("run-crate given.arrow"), []string{provenance.FileName}},
		{nil, with("inspect given.arrow --json"), nil},
		{nil, with("verify --only c4 --quiet --out t.csv"), []string{"t.csv"}},
		{with("simulate --out t.arrow", short...), with("simulate --resume --out t.arrow", short...),
			[]string{"t.arrow"}},
		{nil, with("train --steps 2 --layers 1 --dim 4 --batch 1 --validation 1 --quiet --workers 1 --out " +
			"t.arrow"), []string{"t.arrow"}},
	} {
		begin := func() {
			clean(t)
			if c.before != nil {
				mustExecute(t, c.before)
			}
		}
		begin()
		operations := operationsOf(t, c.arguments)
		want, whole := contents(t, c.results), folderContents(t)
		tried := 0
		for n := 1; ; n++ {
			if amid(operations, n) {
				continue
			}
			begin()
			before := folderContents(t)
			code, stderr, failed := faultAt(t, n, c.arguments)
			if failed == "" {
				break
			}
			tried++
			if code == exitDone && !harmless(failed) {
				t.Errorf("%q: %s fails, and the exit code is 0", c.arguments, failed)
			}
			if code == exitDone && !bytes.Equal(contents(t, c.results), want) {
				t.Errorf("%q: %s fails, and files are others", c.arguments, failed)
			}
			if code != exitDone && (strings.Count(stderr, "\n") != 1 ||
				!strings.Contains(stderr, errInjected.Error())) {
				t.Errorf("%q: %s fails: exit code %d, %q", c.arguments, failed, code, stderr)
			}
			for _, wrong := range wrongFiles(before, folderContents(t), whole, code == exitDone) {
				// What cannot be looked at may be another process's, and is left.
				if failed != "remove "+wrong && failed != "stat "+wrong {
					t.Errorf("%q: after %s had failed, %s is left over or not as it was", c.arguments, failed,
						wrong)
				}
			}
			again := c.arguments
			left, err := filepath.Glob("t*.partial")
			hidden, err2 := filepath.Glob(".t.*.arrow")
			if err == nil && err2 == nil && len(left)+len(hidden) > 0 && again[0] != "verify" &&
				!slices.Contains(again, "--resume") {
				again = append(slices.Clone(again), "--restart")
			}
			mustExecute(t, again)
			if !bytes.Equal(contents(t, c.results), want) {
				t.Errorf("%q: after %s had failed, files are others", c.arguments, failed)
			}
		}
		if tried < 3 {
			t.Errorf("%q: only %d operations", c.arguments, tried)
		}
	}
}

// folderContents returns the contents of all files in the working folder; those of a folder in it are "".
func folderContents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, entry := range must.Get(os.ReadDir("."))(t) {
		all[entry.Name()] = ""
		if !entry.IsDir() {
			all[entry.Name()] = string(contents(t, []string{entry.Name()}))
		}
	}
	return all
}

// wrongFiles returns the names of files that are neither as they were before a command nor as they are where
// it succeeds, of those that are missing although they were there before, and of unfinished work, which is
// pieces of tables and hidden tables that are to be converted, that is kept by a command that succeeds.
func wrongFiles(before, after, whole map[string]string, done bool) (wrong []string) {
	for name, content := range after {
		old, was := before[name]
		result, is := whole[name]
		piece := strings.HasPrefix(name, "t") && strings.Contains(name, ".partial")
		hidden := name == ".t.csv.arrow" || name == ".t.parquet.arrow"
		if !((piece || hidden) && !done) && !(was && content == old) && !(is && content == result) {
			wrong = append(wrong, name)
		}
	}
	for name := range before {
		if _, is := after[name]; !is {
			wrong = append(wrong, name)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// harmless reports whether the program need not report that an operation failed: that a table which was read
// could not be closed, or that the hidden temporary table could not be removed after a table in another
// format was made from it.
func harmless(failed string) bool {
	return strings.HasSuffix(failed, ".arrow") &&
		(strings.HasPrefix(failed, "close ") || strings.HasPrefix(failed, "remove .t."))
}

func mustExecute(t *testing.T, arguments []string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := execute(t.Context(), append([]string{"antipode"}, arguments...), &out,
		&errs); code != exitDone {
		t.Fatalf("%q: exit code %d, %s", arguments, code, &errs)
	}
}

// contents returns the names and contents of files, one after the other.
func contents(t *testing.T, names []string) (all []byte) {
	t.Helper()
	for _, name := range names {
		content := must.Get(os.ReadFile(name))(t)
		if name != provenance.FileName { // its content depends on the date of the table
			all = append(append(all, name...), content...)
		}
	}
	return all
}

// clean removes the files that the commands have written.
func clean(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"t*", ".t*", provenance.FileName} {
		names := must.Get(filepath.Glob(pattern))(t)
		for _, name := range names {
			must.Do(t, os.RemoveAll(name))
		}
	}
}
