package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"antipode/sphere/must"
)

var errFault = errors.New("injected fault")

// recorder tells what was done with files, in order, and has one operation fail, once.
type recorder struct {
	mutex sync.Mutex
	done  []string
	fails string // the operation
}

// record records what is done from now on, until the test ends.
func record(t *testing.T, fails string) *recorder {
	t.Helper()
	r := &recorder{fails: fails}
	t.Cleanup(func() { Inject(nil) })
	Inject(r.note)
	return r
}

func (r *recorder) note(operation, path string) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.done = append(r.done, operation+" "+filepath.Base(path))
	if operation == r.fails {
		r.fails = ""
		return errFault
	}
	return nil
}

func (r *recorder) operations() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.done)
}

// The head of a new journal is on the disk before the first piece can come, and so is its name in the
// folder.
func TestHeadOfAJournalIsSynced(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	must.Do(t, os.Mkdir(folder, 0o777))
	r := record(t, "")
	openJournal(t, filepath.Join(folder, "j"), "run", DropPast)
	done := strings.Join(r.operations(), ", ")
	if !strings.HasSuffix(done, "write j, write j, sync j, open folder, sync folder, close folder") {
		t.Error(done)
	}
}

// After a write that failed nothing more is written, even if it could be: what follows a torn record would be
// lost. An error of a sync, which nobody waits for, is that of the next piece.
func TestJournalEndsWithItsFirstError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j := openJournal(t, path, "run", DropPast)
	file := record(t, "write")
	first := j.Append(0, piece(40))
	if !errors.Is(first, errFault) || !j.Empty() {
		t.Errorf("error %v, empty %v", first, j.Empty())
	}
	for range 3 {
		if err := j.Append(1, piece(41)); !errors.Is(err, errFault) {
			t.Errorf("then %v", err)
		}
	}
	if got := file.operations(); slices.Contains(got[1:], "write j") {
		t.Errorf("after the error: %v", got)
	}
	if err := j.Close(); !errors.Is(err, errFault) {
		t.Errorf("Close: %v", err)
	}
	if err := j.Append(2, nil); err == nil || errors.Is(err, errFault) {
		t.Errorf("after Close: %v", err)
	}

	Inject(nil)
	j = openJournal(t, path, "run", DropPast)
	record(t, "sync")
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
	var writing atomic.Int64
	var beside atomic.Bool // whether two writes were under way at a time
	t.Cleanup(func() { Inject(nil) })
	Inject(func(operation, _ string) error {
		if operation == "write" {
			if writing.Add(1) > 1 {
				beside.Store(true)
			}
			runtime.Gosched()
			writing.Add(-1)
		}
		return nil
	})
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
	if beside.Load() {
		t.Error("two pieces were written at a time")
	}
	must.Do(t, j.Close())
	checkPieces(t, openJournal(t, path, "run", KeepPast), 800)
}

// A piece that the format cannot hold is refused, and nothing is written; the journal goes on.
func TestPiecesThatCannotBe(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "j"), "run", DropPast)
	file := record(t, "")
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
