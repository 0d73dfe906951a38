package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data/durable"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// tableRunner returns a runner that writes a phase table into a temporary folder, and its open journal, with
// one finished piece if piece is set.
func tableRunner(t *testing.T, resume, piece bool) (*runner, *durable.Journal) {
	t.Helper()
	r := experimentRunner(phase.New(), io.Discard, io.Discard)
	r.out, r.past.resume = filepath.Join(t.TempDir(), "t.arrow"), resume
	journal := must.Get(r.openJournal(r.schema(), r.log))(t)
	t.Cleanup(func() { journal.Close() })
	if piece {
		must.Do(t, journal.Append(3, []byte("finished")))
	}
	return r, journal
}

// If a run ends early, for whatever reason, the finished pieces are kept. There are two exceptions: a new run
// whose parameters turn out to be wrong removes its partial file, and an empty partial file is never kept.
func TestWhatIsFinishedStays(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	failed := errors.New("it failed")
	for _, c := range []struct {
		what          string
		ctx           context.Context
		err           error
		resume, piece bool
		stays         bool
		want          string
	}{
		{"usage error at --resume", t.Context(), usagef("--dim 3: no"), true, true, true,
			"--dim 3: no; the finished part is in "},
		{"usage error of a new run", t.Context(), usagef("--dim 3: no"), false, true, false, "--dim 3: no"},
		{"usage error before any work", t.Context(), usagef("--dim 3: no"), true, false, false,
			"--dim 3: no"},
		{"failure at --resume", t.Context(), failed, true, true, true, "it failed; the finished part is in "},
		{"failure of a new run", t.Context(), failed, false, true, true,
			"it failed; the finished part is in "},
		{"failure before any work", t.Context(), failed, false, false, false, "it failed"},
		{"signal", stopped, context.Canceled, false, true, true, "interrupted; the finished part is in "},
		{"signal at --resume", stopped, context.Canceled, true, true, true,
			"interrupted; the finished part is in "},
		{"signal before any work", stopped, context.Canceled, false, false, false,
			"interrupted; no file was written or changed"},
		{"failure as a signal comes", stopped, failed, false, true, true,
			"it failed; the finished part is in "},
	} {
		r, journal := tableRunner(t, c.resume, c.piece)
		err := unfinished(c.ctx, c.err, []*openTable{{runner: r, journal: journal}})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) ||
			strings.Contains(err.Error(), "t.arrow.partial") != c.stays {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.ctx == t.Context() && !errors.Is(err, c.err) {
			t.Errorf("%s: %v is no %v", c.what, err, c.err)
		}
		if _, statErr := os.Stat(partialName(r.out)); (statErr == nil) != c.stays {
			t.Errorf("%s: partial file: %v", c.what, statErr)
		}
		if !c.stays {
			continue
		}
		r.past.resume = true
		again := must.Get(r.openJournal(r.schema(), r.log))(t)
		if content, err := again.Read(3); err != nil || string(content) != "finished" {
			t.Errorf("%s: what stays is %q, %v", c.what, content, err)
		}
		again.Close()
	}
}

// The finished pieces of an earlier run are kept with --resume, and removed with --restart; a run without
// either flag is refused and leaves them alone.
func TestUnfinishedRun(t *testing.T) {
	for _, past := range []pastFlags{{}, {resume: true}, {restart: true}} {
		r, journal := tableRunner(t, false, true)
		must.Do(t, journal.Close())
		r.past = past
		again, err := r.openJournal(r.schema(), r.log)
		if past.given() == "" {
			var refused usageError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), "--resume") ||
				!strings.Contains(err.Error(), "--restart") {
				t.Errorf("not refused: %v", err)
			}
			r.past.resume = true
			again, err = r.openJournal(r.schema(), r.log)
		}
		if err != nil {
			t.Fatal(err)
		}
		if again.Has(3) == past.restart {
			t.Errorf("%+v: has the piece %v", past, again.Has(3))
		}
		again.Close()
	}
}

// A run is refused exactly if it may write more than the free room on the disk. The partial files that are
// already there count as room for it, also those of several tables. A run that may write more than 1 GB is
// announced.
func TestRoomOnTheDisk(t *testing.T) {
	folder := t.TempDir()
	free, known := durable.FreeBytes(folder)
	if !known || free < 3e9 {
		t.Skip("the room on the disk is not known, or too small")
	}
	var told bytes.Buffer
	r := experimentRunner(phase.New(), io.Discard, &told)
	r.out = filepath.Join(folder, "t.arrow")
	other := *r
	other.out = filepath.Join(folder, "u.arrow")
	one, both := []*openTable{{runner: r}}, []*openTable{{runner: r}, {runner: &other}}
	for _, c := range []struct {
		bytes, kept float64
		refused     bool
	}{
		{0, 0, false}, {0.5 * free, 0, false}, {1.3 * free, 0, true}, {1.8 * free, 0, true},
		{4 * free, 0, true},
		{1.3 * free, 0.6 * free, false}, {1.8 * free, 0.6 * free, true}, {0.1 * free, 0.6 * free, false},
	} {
		must.Do(t, os.WriteFile(partialName(r.out), nil, 0o666))
		if err := os.Truncate(partialName(r.out), int64(c.kept)); err != nil { // takes no room
			t.Skip(err)
		}
		err := preflight(one, run.Needs{Rows: 10, Kept: c.bytes, Seconds: 5})
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), r.out) {
			t.Errorf("%.3g bytes with %.3g kept and %.3g free: %v", c.bytes, c.kept, free, err)
		}
	}
	must.Do(t, os.WriteFile(partialName(other.out), nil, 0o666))
	if err := os.Truncate(partialName(other.out), int64(0.5*free)); err != nil {
		t.Skip(err)
	}
	if err := preflight(both, run.Needs{Tables: []float64{0, 0}, Kept: 1.8 * free}); err != nil {
		t.Errorf("two tables that have most of their room: %v", err)
	}
	if err := preflight(both, run.Needs{Tables: []float64{0, 0}, Kept: 3 * free}); err == nil ||
		!strings.Contains(err.Error(), r.out+" and "+other.out) {
		t.Errorf("two tables without room: %v", err)
	}
	for bytes, want := range map[float64]string{
		0.99e9: "",
		1.01e9: "10 rows; this run may write 1.01 GB, of which 1.01 GB in " + partialName(r.out) +
			" until its end, and take 5 seconds",
	} {
		told.Reset()
		if err := os.Remove(partialName(r.out)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		must.Do(t, preflight(one, run.Needs{Rows: 10, Kept: bytes, Seconds: 5}))
		if got := told.String(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%g bytes: %q", bytes, got)
		}
	}
}

// If one of several tables cannot be opened, that is the error, and nothing is left of the others.
func TestOneOfTwoTablesCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	var runs []*runner
	for _, name := range []string{"first.arrow", "second.arrow", "missing/third.arrow"} {
		r := experimentRunner(phase.New(), io.Discard, io.Discard)
		r.out, r.keeps = filepath.Join(folder, name), true
		runs = append(runs, r)
	}
	if err := writeTables(t.Context(), runs); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("error %v", err)
	}
	if left := must.Get(os.ReadDir(folder))(t); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
