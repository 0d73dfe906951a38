package durable

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Journal is a file of finished pieces of a run, so that the run can be resumed after it
// ended at any moment. Each piece has a number and some bytes; pieces come in any
// order. The file is locked, like that of a Replacement.
//
// The file is journalMagic and then records, the first of which, number -1, says what
// run it is. A record is, in little-endian words of four bytes: the length of the
// bytes, the CRC-32C of all that follows, the number in two words, the bytes. What
// follows the last whole record is not part of it.
//
// All methods may be called from any goroutine.
type Journal struct {
	path   string
	known  []place // pieces of before, by number
	closed chan struct{}
	synced sync.WaitGroup

	mutex  sync.Mutex // of what follows
	file   *File
	record []byte // memory for the next one
	added  bool   // whether there was an Append since the file was last synced
	begun  bool   // whether an Append has succeeded
	err    error  // the first error, which every later call returns again
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// place is where the record of a piece is, and the length of the piece.
type place struct{ number, offset, length int64 }

const (
	journalMagic = "antipode journal 1\n"
	recordHead   = 16
	maxPiece     = 1 << 30 // bytes
	headNumber   = -1
)

// syncInterval is how long a finished piece waits, at the most, until it is on the disk.
const syncInterval = time.Second

// OtherRunError says that a journal belongs to another run.
type OtherRunError struct {
	Path string
	Run  string // what the journal's first record says
}

// Error implements error.
func (e *OtherRunError) Error() string { return e.Path + ": belongs to another run" }

// Past says what happens to the pieces that a journal already contains.
type Past int

const (
	RefusePast Past = iota // they stay where they are, and it is ErrUnfinished
	KeepPast               // they belong to the run that goes on
	DropPast               // they are removed
)

// ErrUnfinished says that a journal has pieces of an earlier run.
var ErrUnfinished = errors.New("has the finished part of an earlier run")

// OpenJournal opens or makes the journal at path of the run that the text describes. To
// keep pieces of a run with another text is an *OtherRunError. The error is ErrLocked if
// another process has the journal open.
func OpenJournal(path, run string, past Past) (*Journal, error) {
	file, err := openLocked(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path, file: file, closed: make(chan struct{})}
	if err := j.begin(file, run, past); err != nil {
		return nil, Join(err, file.Close())
	}
	j.synced.Go(j.syncOften)
	return j, nil
}

// begin reads what is there, unless it is to be removed, and leaves the file at its end.
func (j *Journal) begin(file *File, run string, past Past) error {
	reader := bufio.NewReaderSize(file, 1<<20)
	if err := j.checkMagic(reader); err != nil {
		return err
	}
	end := int64(0)
	if past != DropPast {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		first, size, err := j.scan(reader, info.Size())
		switch {
		case err != nil:
			return err
		case past == KeepPast && size > 0 && first != run:
			return &OtherRunError{j.path, first}
		case past == KeepPast:
			end = size
		case len(j.known) > 0:
			return fmt.Errorf("%s: %w", j.path, ErrUnfinished)
		}
	}
	if err := file.truncate(end); err != nil {
		return err
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if end > 0 {
		return nil
	}
	if err := j.writeHead(run); err != nil {
		return Join(err, Remove(j.path)) // there is nothing in it
	}
	return nil
}

// writeHead begins an empty file.
func (j *Journal) writeHead(run string) error {
	if _, err := io.WriteString(j.file, journalMagic); err != nil {
		return err
	}
	if err := Join(j.write(headNumber, []byte(run)), j.file.sync()); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(j.path))
}

// checkMagic refuses a file that is no journal, not even one cut short.
func (j *Journal) checkMagic(reader io.Reader) error {
	magic := make([]byte, len(journalMagic))
	n, err := io.ReadFull(reader, magic)
	if string(magic[:n]) != journalMagic[:n] {
		return fmt.Errorf("%s: is not an unfinished run of this program", j.path)
	}
	return notEnd(err)
}

// scan reads all whole records after the magic of a file of that size. It returns the text
// of the first and where the last one ends, 0 if there is none.
func (j *Journal) scan(reader io.Reader, size int64) (run string, end int64, err error) {
	at := int64(len(journalMagic))
	var payload []byte
	for {
		number, bytes, ok, err := readRecord(reader, payload, size-at)
		if err != nil { // else what cannot be read now would be taken for the file's end, and removed
			return "", 0, err
		}
		if !ok || (end == 0) != (number == headNumber) {
			break
		}
		if end == 0 {
			run = string(bytes)
		} else {
			j.known = append(j.known, place{number, at, int64(len(bytes))})
		}
		at += recordHead + int64(len(bytes))
		end, payload = at, bytes
	}
	slices.SortStableFunc(j.known, func(a, b place) int { return cmp.Compare(a.number, b.number) })
	return run, end, nil
}

// readRecord reads a record of at most the given size into the memory of payload, or
// into new. It is not ok if there is no whole record; the error is one of reading.
func readRecord(
	reader io.Reader, payload []byte, size int64,
) (number int64, bytes []byte, ok bool, err error) {
	var head [recordHead]byte
	if _, err := io.ReadFull(reader, head[:]); err != nil {
		return 0, nil, false, notEnd(err)
	}
	length := int64(binary.LittleEndian.Uint32(head[:]))
	if length > min(maxPiece, size-recordHead) {
		return 0, nil, false, nil
	}
	bytes = slices.Grow(payload[:0], int(length))[:length]
	if _, err := io.ReadFull(reader, bytes); err != nil {
		return 0, nil, false, notEnd(err)
	}
	number = int64(binary.LittleEndian.Uint64(head[8:]))
	return number, bytes, binary.LittleEndian.Uint32(head[4:]) == recordSum(head[8:], bytes), nil
}

// notEnd is an error of reading, nil where it says only that a file has ended.
func notEnd(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

func recordSum(number, bytes []byte) uint32 {
	return crc32.Update(crc32.Checksum(number, castagnoli), castagnoli, bytes)
}

// write hands a record to the system.
func (j *Journal) write(number int64, bytes []byte) error {
	var head [recordHead]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(bytes)))
	binary.LittleEndian.PutUint64(head[8:], uint64(number))
	binary.LittleEndian.PutUint32(head[4:], recordSum(head[8:], bytes))
	j.record = append(append(j.record[:0], head[:]...), bytes...)
	_, err := j.file.Write(j.record)
	return err
}

// Append adds the piece with a number from 0 on, which should not be there yet. It is in the file when
// Append returns. If the process ends, nothing is lost. If the system crashes, only pieces of the last
// second can be lost.
func (j *Journal) Append(number int64, bytes []byte) error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if number < 0 || len(bytes) > maxPiece {
		return fmt.Errorf("data: a piece with number %d and %d bytes", number, len(bytes))
	}
	if j.err != nil {
		return j.err
	}
	err := j.write(number, bytes)
	j.added, j.begun = true, j.begun || err == nil
	j.keep(err)
	return j.err
}

// keep keeps the first error.
func (j *Journal) keep(err error) {
	if j.err == nil && err != nil {
		j.err = fmt.Errorf("write %s: %w", j.path, err)
	}
}

// syncOften syncs the file until it is closed.
func (j *Journal) syncOften() {
	ticker := time.NewTicker(syncInterval)
	defer ticker.Stop()
	for {
		select {
		case <-j.closed:
			return
		case <-ticker.C:
			j.mutex.Lock()
			added := j.added
			j.added = false
			j.mutex.Unlock()
			if !added {
				continue
			}
			err := j.file.sync() // while further pieces are appended
			j.mutex.Lock()
			j.keep(err)
			j.mutex.Unlock()
		}
	}
}

// Pieces is the number of pieces that were there when the journal was opened.
func (j *Journal) Pieces() int { return len(j.known) }

// Empty reports whether the journal has no piece, neither of before nor of now.
func (j *Journal) Empty() bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return len(j.known) == 0 && !j.begun
}

// Has reports whether a piece was there when the journal was opened.
func (j *Journal) Has(number int64) bool {
	_, found := j.find(number)
	return found
}

func (j *Journal) find(number int64) (place, bool) {
	i, found := slices.BinarySearchFunc(j.known, number,
		func(p place, number int64) int { return cmp.Compare(p.number, number) })
	if !found {
		return place{}, false
	}
	return j.known[i], true
}

// Read returns the bytes of a piece that Has reports. It is an error if they are
// not what was written.
func (j *Journal) Read(number int64) ([]byte, error) {
	p, found := j.find(number)
	if !found {
		return nil, fmt.Errorf("%s: has no piece %d", j.path, number)
	}
	record := io.NewSectionReader(j.file, p.offset, recordHead+p.length)
	read, bytes, ok, err := readRecord(record, nil, recordHead+p.length)
	if err != nil {
		return nil, err
	}
	if !ok || read != number {
		return nil, fmt.Errorf("%s: piece %d is damaged", j.path, number)
	}
	return bytes, nil
}

// Close syncs the journal and releases its file, which remains for a later run. Close after
// Close or Remove does nothing. It may be called at any time, even while another goroutine
// appends, which then fails.
func (j *Journal) Close() error { return j.end(false) }

// Remove closes and removes the file.
func (j *Journal) Remove() error { return j.end(true) }

var errJournalClosed = errors.New("data: the journal is closed")

func (j *Journal) end(remove bool) error {
	j.mutex.Lock()
	if j.err == errJournalClosed {
		j.mutex.Unlock()
		return nil
	}
	err := j.err
	j.err = errJournalClosed
	j.mutex.Unlock()
	close(j.closed)
	j.synced.Wait()
	if remove {
		return Join(err, removeAndClose(j.path, j.file, renamesOpen))
	}
	return Join(err, j.file.sync(), j.file.Close())
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
	folder, err := Open(path)
	if err != nil {
		return err
	}
	if err = folder.sync(); syncUnknown(err) {
		err = nil
	}
	return Join(err, folder.Close())
}
