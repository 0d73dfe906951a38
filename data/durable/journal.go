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

// Journal is a file of finished pieces of a run, so that the run can be resumed if it ends at any moment.
// Each piece has a number and some bytes. Pieces may be added in any order. The file is locked, like the file
// of a Replacement.
//
// The file begins with journalMagic, and records follow. The first record has the number -1 and says to which
// run the journal belongs. A record consists of little-endian words of four bytes and the bytes of the piece:
// the length of these bytes, the CRC-32C of everything that follows in the record, the number in two words,
// and the bytes. Whatever follows the last complete record is ignored.
//
// All methods may be called from any goroutine.
type Journal struct {
	path   string
	known  []place // pieces of earlier runs, by number
	closed chan struct{}
	synced sync.WaitGroup

	mutex  sync.Mutex // guards the fields below
	file   *File
	record []byte // memory for the next record
	added  bool   // whether there was an Append since the file was last synced
	begun  bool   // whether an Append has succeeded
	err    error  // first error, which every later call returns
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// place says where in the file the record of a piece is, and how long the piece is.
type place struct{ number, offset, length int64 }

const (
	journalMagic = "antipode journal 1\n"
	recordHead   = 16
	maxPiece     = 1 << 30 // bytes
	headNumber   = -1
)

// syncInterval is the longest time until a finished piece is on the disk.
const syncInterval = time.Second

// OtherRunError says that a journal belongs to another run.
type OtherRunError struct {
	Path string
	Run  string // text of the run in the journal's first record
}

// Error implements error.
func (e *OtherRunError) Error() string { return e.Path + ": belongs to another run" }

// Past says what happens to the pieces that a journal already contains when it is opened.
type Past int

const (
	RefusePast Past = iota // they stay in the journal, and opening it gives ErrUnfinished
	KeepPast               // they belong to the run that continues
	DropPast               // they are removed
)

// ErrUnfinished says that a journal has finished pieces of an earlier run.
var ErrUnfinished = errors.New("has the finished part of an earlier run")

// OpenJournal opens the journal at path, or creates it. The text run describes the run to which the journal
// belongs. With KeepPast, the error is an *OtherRunError if the journal belongs to a run with another text.
// The error is ErrLocked if another process has the journal open.
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

// begin reads the pieces in the file, unless they are to be removed, and moves to the end of the file.
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
		return Join(err, Remove(j.path)) // the file is empty
	}
	return nil
}

// writeHead writes the magic and the first record into an empty file.
func (j *Journal) writeHead(run string) error {
	if _, err := io.WriteString(j.file, journalMagic); err != nil {
		return err
	}
	if err := Join(j.write(headNumber, []byte(run)), j.file.sync()); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(j.path))
}

// checkMagic returns an error if a file does not begin as a journal. The beginning may be cut short.
func (j *Journal) checkMagic(reader io.Reader) error {
	magic := make([]byte, len(journalMagic))
	n, err := io.ReadFull(reader, magic)
	if string(magic[:n]) != journalMagic[:n] {
		return fmt.Errorf("%s: is not an unfinished run of this program", j.path)
	}
	return notEnd(err)
}

// scan reads all complete records after the magic of a file of the given size. It returns the text of the
// first record, and the position at which the last record ends, which is 0 if there is no record.
func (j *Journal) scan(reader io.Reader, size int64) (run string, end int64, err error) {
	at := int64(len(journalMagic))
	var payload []byte
	for {
		number, bytes, ok, err := readRecord(reader, payload, size-at)
		// Otherwise bytes that cannot be read at present would be taken for the end of the file, and removed.
		if err != nil {
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

// readRecord reads a record of at most the given size into the memory of payload, or into new memory. The
// result ok is false if there is no complete record. The error is an error of reading.
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

// notEnd returns an error of reading, or nil if the error says only that the file has ended.
func notEnd(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

func recordSum(number, bytes []byte) uint32 {
	return crc32.Update(crc32.Checksum(number, castagnoli), castagnoli, bytes)
}

// write hands a record to the operating system.
func (j *Journal) write(number int64, bytes []byte) error {
	var head [recordHead]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(bytes)))
	binary.LittleEndian.PutUint64(head[8:], uint64(number))
	binary.LittleEndian.PutUint32(head[4:], recordSum(head[8:], bytes))
	j.record = append(append(j.record[:0], head[:]...), bytes...)
	_, err := j.file.Write(j.record)
	return err
}

// Append adds the piece with a number of at least 0. The journal should not have this piece yet. The piece is
// in the file when Append returns. If the process ends, nothing is lost. If the operating system crashes,
// only pieces of the last second can be lost.
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

// keep stores an error if there was none before.
func (j *Journal) keep(err error) {
	if j.err == nil && err != nil {
		j.err = fmt.Errorf("write %s: %w", j.path, err)
	}
}

// syncOften syncs the file regularly until it is closed.
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
			err := j.file.sync() // further pieces may be appended meanwhile
			j.mutex.Lock()
			j.keep(err)
			j.mutex.Unlock()
		}
	}
}

// Pieces returns the number of pieces that the journal had when it was opened.
func (j *Journal) Pieces() int { return len(j.known) }

// Empty reports whether the journal has no piece, from before it was opened or since.
func (j *Journal) Empty() bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return len(j.known) == 0 && !j.begun
}

// Has reports whether the journal had a piece when it was opened.
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

// Read returns the bytes of a piece for which Has returns true. It is an error if the bytes are not the bytes
// that were written.
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

// Close syncs the journal and releases its file, which stays for a later run. Close after Close or Remove
// does nothing. Close may be called at any time. If another goroutine is appending, its Append fails.
func (j *Journal) Close() error { return j.end(false) }

// Remove closes the journal and removes its file.
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

// syncFolder syncs a folder, so that the names of the files in it are not lost.
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
