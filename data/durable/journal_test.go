package durable

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"antipode/sphere/must"
)

func openJournal(t *testing.T, path, run string, past Past) *Journal {
	t.Helper()
	j := must.Get(OpenJournal(path, run, past))(t)
	t.Cleanup(func() { j.Close() })
	return j
}

// piece is what the tests say of a piece with a number.
func piece(number int64) []byte { return bytes.Repeat([]byte{byte(number)}, int(number%50)) }

// fill writes the pieces of a journal in an order that is not theirs, and returns the
// file's bytes.
func fill(t *testing.T, path string, pieces int64) []byte {
	t.Helper()
	j := openJournal(t, path, "run", DropPast)
	for k := range pieces {
		must.Do(t, j.Append(k^3, piece(k^3)))
	}
	must.Do(t, j.Close())
	content := must.Get(os.ReadFile(path))(t)
	return content
}

// checkPieces fails unless the journal has so many pieces, all as they were written.
func checkPieces(t *testing.T, j *Journal, want int) {
	t.Helper()
	if j.Pieces() != want {
		t.Errorf("%d pieces, want %d", j.Pieces(), want)
	}
	read := 0
	for number := range int64(2000) {
		if !j.Has(number) {
			continue
		}
		read++
		if got, err := j.Read(number); err != nil || !bytes.Equal(got, piece(number)) {
			t.Fatalf("piece %d: %x, %v", number, got, err)
		}
	}
	if read != want {
		t.Errorf("%d pieces are found, want %d", read, want)
	}
}

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	fill(t, path, 1000)
	j := openJournal(t, path, "run", KeepPast)
	checkPieces(t, j, 1000)
	must.Do(t, j.Append(1500, piece(1500)))
	if j.Has(1500) {
		t.Error("a new piece is one of before")
	}
	must.Do(t, j.Close())
	if err := j.Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
	if err := j.Append(7, nil); err == nil {
		t.Error("Append after Close is no error")
	}
	j = openJournal(t, path, "run", KeepPast)
	checkPieces(t, j, 1001)
	must.Do(t, j.Remove())
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is still there")
	}
}

func TestJournalBeginsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	fill(t, path, 10)
	j := openJournal(t, path, "another run", DropPast)
	checkPieces(t, j, 0)
}

// Pieces that nobody has asked to keep or to remove stay, of whatever run they are; a journal without
// a piece is nothing to lose.
func TestJournalIsNotGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	before := fill(t, path, 10)
	for _, run := range []string{"run", "another run"} {
		if _, err := OpenJournal(path, run, RefusePast); !errors.Is(err, ErrUnfinished) {
			t.Errorf("%s: error %v", run, err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed, %v", err)
	}
	fill(t, path, 0)
	checkPieces(t, openJournal(t, path, "another run", RefusePast), 0)
}

func TestJournalOfAnotherRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	before := fill(t, path, 10)
	_, err := OpenJournal(path, "another run", KeepPast)
	var other *OtherRunError
	if !errors.As(err, &other) || other.Run != "run" {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed, %v", err)
	}
}

func TestJournalIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j := openJournal(t, path, "run", DropPast)
	for past := range DropPast + 1 {
		if _, err := OpenJournal(path, "run", past); !errors.Is(err, ErrLocked) {
			t.Errorf("past %v: %v", past, err)
		}
	}
	must.Do(t, j.Close())
	openJournal(t, path, "run", KeepPast)
}

// Wherever the file ends, all whole pieces are read, and new ones can follow them.
func TestTornJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	content := fill(t, path, 40)
	content = content[:len(content)/5*5]
	last := 0
	for length := 0; length <= len(content); length += 5 {
		must.Do(t, os.WriteFile(path, content[:length], 0o644))
		j := openJournal(t, path, "run", KeepPast)
		if j.Pieces() < last || j.Pieces() > 40 {
			t.Fatalf("%d pieces in %d bytes, %d in one less", j.Pieces(), length, last)
		}
		last = j.Pieces()
		must.Do(t, errors.Join(j.Append(1999, piece(1999)), j.Close()))
		j = openJournal(t, path, "run", KeepPast)
		checkPieces(t, j, last+1)
		j.Close()
	}
	if last < 39 {
		t.Errorf("%d pieces in the whole file", last)
	}
}

// mutate changes some bytes, or moves some to another place.
func mutate(random *rand.Rand, content []byte) []byte {
	content = bytes.Clone(content)
	for range 1 + random.IntN(4) {
		at := random.IntN(len(content))
		length := min(random.IntN(64), len(content)-at)
		switch random.IntN(4) {
		case 0:
			content[at] ^= 1 << random.IntN(8)
		case 1:
			content[at] = byte(random.Uint32())
		case 2:
			copy(content[random.IntN(len(content)):], content[at:at+length])
		case 3:
			clear(content[at : at+length])
		}
	}
	return content
}

// Whatever is in the file, what is read of it is right.
func TestDamagedJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	content := fill(t, path, 40)
	random := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		must.Do(t, os.WriteFile(path, mutate(random, content), 0o644))
		j, err := OpenJournal(path, "run", KeepPast)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			continue
		}
		checkPieces(t, j, j.Pieces())
		j.Close()
	}
}

// What follows a second text of a run is not read, nor pieces before the first.
func TestJournalHasOneHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j := openJournal(t, path, "run", DropPast)
	must.Do(t, errors.Join(j.Append(41, piece(41)), j.write(headNumber, []byte("run")),
		j.Append(42, piece(42)), j.Close()))
	j = openJournal(t, path, "run", KeepPast)
	checkPieces(t, j, 1)
	must.Do(t, j.Close())
	content := must.Get(os.ReadFile(path))(t)
	without := append([]byte(journalMagic), content[len(journalMagic)+recordHead+len("run"):]...)
	must.Do(t, os.WriteFile(path, without, 0o644))
	checkPieces(t, openJournal(t, path, "run", KeepPast), 0)
}

// A file of somebody else is left alone.
func TestNotAJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	must.Do(t, os.WriteFile(path, []byte("notes"), 0o644))
	for past := range DropPast + 1 {
		if _, err := OpenJournal(path, "run", past); err == nil ||
			!strings.Contains(err.Error(), "not an unfinished run") {
			t.Errorf("error %v", err)
		}
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "notes" {
		t.Errorf("%q, %v", content, err)
	}
}

// A piece is in the file as soon as it is appended.
func TestJournalDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j := openJournal(t, path, "run", DropPast)
	size := func() int64 {
		info := must.Get(os.Stat(path))(t)
		return info.Size()
	}
	before := size()
	for k := range int64(3) {
		must.Do(t, j.Append(k, piece(40)))
		if got := size() - before; got != (k+1)*(recordHead+40) {
			t.Errorf("%d bytes of %d pieces are in the file", got, k+1)
		}
	}
}

// Each piece is synced without being asked to, and the file once more when the journal
// is closed. A busy machine may take longer than the interval.
func TestJournalIsSynced(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "j"), "run", DropPast)
	var syncs atomic.Int64
	t.Cleanup(func() { Inject(nil) })
	Inject(func(operation, _ string) error {
		if operation == "sync" {
			syncs.Add(1)
		}
		return nil
	})
	for k := range int64(2) {
		must.Do(t, j.Append(k, piece(40)))
		deadline := time.Now().Add(10 * syncInterval)
		for ; syncs.Load() <= k; time.Sleep(syncInterval / 20) {
			if time.Now().After(deadline) {
				t.Fatalf("piece %d is not synced", k)
			}
		}
	}
	must.Do(t, j.Close())
	if got := syncs.Load(); got != 3 {
		t.Errorf("synced %d times, want 3", got)
	}
}

// Nothing is left of a journal of which not even the beginning is on the disk.
func TestJournalThatDoesNotBegin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	broken := errors.New("the disk is broken")
	t.Cleanup(func() { Inject(nil) })
	Inject(func(operation, _ string) error {
		if operation == "sync" {
			return broken
		}
		return nil
	})
	if _, err := OpenJournal(path, "run", DropPast); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

func TestJournalDiskFull(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "j"), "run", DropPast)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	j.mutex.Lock()
	j.file = &File{full}
	j.mutex.Unlock()
	for k := range int64(100_000) {
		if err = j.Append(k, piece(49)); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
	if !j.Empty() {
		t.Error("there is a piece")
	}
	if again := j.Append(0, nil); fmt.Sprint(again) != fmt.Sprint(err) {
		t.Errorf("then %v", again)
	}
	if err := j.Close(); err == nil {
		t.Error("Close says nothing")
	}
}

// A piece that the journal does not have, and one whose bytes or number have changed since the journal was
// opened, is not read.
func TestPiecesThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	content := fill(t, path, 40)
	j := openJournal(t, path, "run", KeepPast)
	for number, want := range map[int64]string{39: "", 40: ": has no piece 40", -1: ": has no piece -1"} {
		if _, err := j.Read(number); (err == nil) != (want == "") || err != nil && err.Error() != path+want {
			t.Errorf("piece %d: error %v, want %q", number, err, want)
		}
	}
	const number = 21
	place, _ := j.find(number)
	for what, at := range map[string]int64{"number": 8, "bytes": recordHead + place.length - 1} {
		damaged := bytes.Clone(content)
		damaged[place.offset+at] ^= 2
		must.Do(t, os.WriteFile(path, damaged, 0o666))
		if _, err := j.Read(number); err == nil || err.Error() != path+": piece 21 is damaged" {
			t.Errorf("other %s: error %v", what, err)
		}
	}
	// The record of another piece, whose checksum is right.
	other, _ := j.find(number + 1)
	swapped := bytes.Clone(content)
	copy(swapped[place.offset:], content[other.offset:other.offset+recordHead+other.length])
	must.Do(t, os.WriteFile(path, swapped, 0o666))
	j.known[number].length = other.length
	if _, err := j.Read(number); err == nil || err.Error() != path+": piece 21 is damaged" {
		t.Errorf("another piece: error %v", err)
	}
}
