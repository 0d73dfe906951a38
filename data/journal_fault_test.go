package data

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// recorded is a file that tells what was done with it, in order, and fails once, in the given operation.
type recorded struct {
	*os.File
	mutex   sync.Mutex
	done    []string
	fails   string // the operation
	writing atomic.Int64
	beside  atomic.Bool // whether two writes were under way at a time
}

func (r *recorded) note(operation string) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.done = append(r.done, operation)
	if operation == r.fails {
		r.fails = ""
		return errFault
	}
	return nil
}

func (r *recorded) operations() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.done)
}

func (r *recorded) Write(p []byte) (int, error) {
	if r.writing.Add(1) > 1 {
		r.beside.Store(true)
	}
	defer r.writing.Add(-1)
	runtime.Gosched()
	if err := r.note("write"); err != nil {
		return 0, err
	}
	return r.File.Write(p)
}

func (r *recorded) Sync() error {
	if err := r.note("sync"); err != nil {
		return err
	}
	return r.File.Sync()
}

// record puts a recorded file below a journal.
func record(j *Journal, fails string) *recorded {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	file := &recorded{File: j.file.(*os.File), fails: fails}
	j.file = file
	return file
}

// The head of a new journal is on the disk before the first piece can come, and so is its name in the
// folder; an error of either is reported.
func TestHeadOfAJournalIsSynced(t *testing.T) {
	folder := t.TempDir()
	begin := func(path, fails string) (*recorded, error) {
		file, err := os.OpenFile(filepath.Join(folder, "j"), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		r := &recorded{File: file, fails: fails}
		return r, (&Journal{path: path, file: r}).writeHead("run")
	}
	path := filepath.Join(folder, "j")
	r, err := begin(path, "")
	if got := r.operations(); err != nil || len(got) < 2 || got[len(got)-1] != "sync" ||
		slices.Index(got, "sync") != len(got)-1 {
		t.Errorf("%v, error %v", got, err)
	}
	for _, fails := range []string{"write", "sync"} {
		if _, err := begin(path, fails); !errors.Is(err, errFault) {
			t.Errorf("%s fails: error %v", fails, err)
		}
	}
	if _, err := begin(filepath.Join(folder, "no such folder", "j"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the name is not synced: error %v", err)
	}
}

// After a write that failed nothing more is written, even if it could be: what follows a torn record would be
// lost. An error of a sync, which nobody waits for, is that of the next piece.
func TestJournalEndsWithItsFirstError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j := openJournal(t, path, "run", DropPast)
	file := record(j, "write")
	first := j.Append(0, piece(40))
	if !errors.Is(first, errFault) || !j.Empty() {
		t.Errorf("error %v, empty %v", first, j.Empty())
	}
	for range 3 {
		if err := j.Append(1, piece(41)); !errors.Is(err, errFault) {
			t.Errorf("then %v", err)
		}
	}
	if got := file.operations(); slices.Contains(got[1:], "write") {
		t.Errorf("after the error: %v", got)
	}
	if err := j.Close(); !errors.Is(err, errFault) {
		t.Errorf("Close: %v", err)
	}
	if err := j.Append(2, nil); err == nil || errors.Is(err, errFault) {
		t.Errorf("after Close: %v", err)
	}

	j = openJournal(t, path, "run", DropPast)
	record(j, "sync")
	err := j.Append(0, piece(40))
	for deadline := time.Now().Add(time.Minute); err == nil; err = j.Append(0, piece(40)) {
		if time.Now().After(deadline) {
			t.Fatal("a sync that failed is not noticed")
		}
		time.Sleep(syncInterval / 20)
	}
	if !errors.Is(err, errFault) {
		t.Errorf("error %v", err)
	}
}

// Pieces from many goroutines are written one after the other, and all can be read.
func TestJournalOfManyGoroutines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j := openJournal(t, path, "run", DropPast)
	file := record(j, "")
	var group sync.WaitGroup
	for first := range int64(8) {
		group.Go(func() {
			for k := first; k < 800; k += 8 {
				if err := j.Append(k, piece(k)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if file.beside.Load() {
		t.Error("two pieces were written at a time")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	checkPieces(t, openJournal(t, path, "run", KeepPast), 800)
}

// A piece that the format cannot hold is refused, and nothing is written; the journal goes on.
func TestPiecesThatCannotBe(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "j"), "run", DropPast)
	file := record(j, "")
	if err := j.Append(-1, nil); err == nil {
		t.Error("a piece with number -1")
	}
	if err := j.Append(0, make([]byte, 1<<30+1)); err == nil {
		t.Error("a piece above 1 GiB")
	}
	if got := file.operations(); len(got) > 0 || !j.Empty() {
		t.Errorf("%v", got)
	}
	if err := j.Append(0, piece(7)); err != nil || j.Empty() {
		t.Errorf("then error %v, empty %v", err, j.Empty())
	}
}
