package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"antipode/sphere/must"
)

// count holds the numbers of operations on files, of opened files and of closed files.
type count struct {
	mutex                      sync.Mutex // a journal is synced by a goroutine of its own
	operations, opened, closed int
	failed                     string // the operation that failed
}

// faultAt makes the n-th operation on files fail, counted from now on; with n = 0 no operation fails.
func faultAt(t *testing.T, n int) *count {
	t.Helper()
	c := &count{}
	t.Cleanup(func() { Inject(nil) })
	Inject(func(operation, path string) error {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.operations++
		switch operation {
		case "open":
			c.opened++
		case "close":
			c.closed++
		}
		if c.operations != n {
			return nil
		}
		if c.failed = operation + " " + filepath.Base(path); operation == "open" {
			c.opened--
		}
		return errFault
	})
	return c
}

// Whatever operation fails, the caller gets its error, and no file stays open. The number of operations
// without a fault bounds the search.
func TestEveryFaultIsReportedAndFilesAreClosed(t *testing.T) {
	for name, test := range map[string]struct {
		prepare, action func(path string) error
	}{
		"new file": {nil, func(path string) error { return write(path, "new") }},
		"replaced file": {func(path string) error { return os.WriteFile(path, []byte("old"), 0o640) },
			func(path string) error { return write(path, "new") }},
		"new journal":       {nil, journalOf("run", DropPast)},
		"continued journal": {journalOf("run", DropPast), journalOf("run", KeepPast)},
		"dropped journal":   {journalOf("another run", DropPast), journalOf("run", DropPast)},
		"removed journal": {journalOf("run", DropPast), func(path string) error {
			j, err := OpenJournal(path, "run", KeepPast)
			if err != nil {
				return err
			}
			return j.Remove()
		}},
	} {
		for n := 0; ; n++ {
			path := filepath.Join(t.TempDir(), "f")
			if test.prepare != nil {
				must.Do(t, test.prepare(path))
			}
			c := faultAt(t, n)
			err := test.action(path)
			Inject(nil)
			if (c.failed != "") != errors.Is(err, errFault) {
				t.Errorf("%s, %q fails: error %v", name, c.failed, err)
			}
			if c.opened != c.closed {
				t.Errorf("%s, %q fails: %d files opened, %d closed", name, c.failed, c.opened, c.closed)
			}
			if n > 0 && c.failed == "" {
				break
			}
		}
	}
}

// journalOf returns a function that opens a journal, reads its pieces and appends one.
func journalOf(run string, past Past) func(path string) error {
	return func(path string) error {
		j, err := OpenJournal(path, run, past)
		if err != nil {
			return err
		}
		for number := range int64(j.Pieces()) {
			if _, err := j.Read(number); err != nil {
				return Join(err, j.Close())
			}
		}
		return Join(j.Append(int64(j.Pieces()), piece(7)), j.Close())
	}
}

// The functions on whole files and folders do nothing and return the error if they are made to fail.
func TestFaultsOfFoldersAndFiles(t *testing.T) {
	folder := t.TempDir()
	there, missing := filepath.Join(folder, "there"), filepath.Join(folder, "missing")
	must.Do(t, os.WriteFile(there, nil, 0o666))
	for _, test := range []struct {
		operation, path string
		action          func(path string) error
		after           bool // whether the path is there afterwards, without a fault
	}{
		{"mkdir", missing, MakeFolder, true},
		{"remove", missing, RemoveFolder, false},
		{"remove", missing, Remove, false},
		{"remove", there, Remove, false},
		{"remove", missing, RemoveFolder, false},
	} {
		exists := func() bool { _, err := os.Stat(test.path); return err == nil }
		before := exists()
		c := faultAt(t, 1)
		if err := test.action(test.path); !errors.Is(err, errFault) || exists() != before ||
			c.failed != test.operation+" "+filepath.Base(test.path) {
			t.Errorf("%s: operation %q, error %v", test.path, c.failed, err)
		}
		Inject(nil)
		if err := test.action(test.path); err != nil || exists() != test.after {
			t.Errorf("%s %s: %v", test.operation, test.path, err)
		}
	}
	must.Do(t, os.MkdirAll(filepath.Join(missing, "full"), 0o777))
	if err := Remove(missing); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder with a file is removed: %v", err)
	}
	must.Do(t, os.WriteFile(there, nil, 0o666))
	if err := MakeFolder(filepath.Join(there, "in a file")); err == nil {
		t.Error("a folder in a file")
	}
}

// The last rename's folder is synced, and an error of this, which comes when the file has its name, is
// reported unless the system cannot sync folders.
func TestErrorsOfSyncingAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for name, test := range map[string]struct {
		err   error
		known bool
	}{"fault": {errFault, true}, "not supported": {errors.ErrUnsupported, false}} {
		t.Cleanup(func() { Inject(nil) })
		Inject(func(operation, at string) error {
			if operation == "sync" && at == filepath.Dir(path) {
				return test.err
			}
			return nil
		})
		if err := write(path, "new"); errors.Is(err, test.err) != test.known || (err != nil) != test.known {
			t.Errorf("%s: %v", name, err)
		}
		err := journalOf("run", DropPast)(path + ".journal")
		if errors.Is(err, test.err) != test.known || (err != nil) != test.known {
			t.Errorf("journal, %s: %v", name, err)
		}
	}
}

// The free space of a folder is known on Linux; that of a missing folder is unknown.
func TestFreeBytes(t *testing.T) {
	folder := t.TempDir()
	if free, known := FreeBytes(folder); known && free < 0 {
		t.Errorf("%g bytes", free)
	}
	if free, known := FreeBytes(filepath.Join(folder, "missing")); known || free != 0 {
		t.Errorf("missing: %g bytes, known: %v", free, known)
	}
	_, known := FreeBytes(folder)
	if _, err := os.Stat("/proc/self/mounts"); err == nil && !known {
		t.Error("not known on Linux")
	}
}

// No path can be that of a file if one of its folders cannot be entered.
func TestFileInAFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f", "g")
	must.Do(t, os.WriteFile(filepath.Dir(path), nil, 0o666))
	if _, err := OpenJournal(path, "run", DropPast); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if mode, err := existingMode(path); err == nil {
		t.Errorf("permissions %v", mode)
	}
}
