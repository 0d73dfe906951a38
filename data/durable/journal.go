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

// Journal is a file of finished pieces of work of a run, so that the run can be resumed if it ends at any
// moment. Each piece has a number and some bytes. Pieces may be added to a Journal in any order. The file of
// a Journal is locked, like the file of a Replacement.
//
// The file of a Journal begins with journalMagic, and records follow. The first record has the number -1 and
// says to which run the journal belongs. A record consists of four little-endian words of four bytes and of
// the bytes of the piece: the length of the piece, the CRC-32C of everything that follows in the record, the
// number of the piece in two words, and the bytes of the piece. Readers ignore whatever follows the last
// complete record.
//
// All methods of a Journal may be called from any goroutine.
type Journal struct {
	path   string
	known  []place // pieces of earlier runs, in the order of their numbers
	closed chan struct{}
	synced sync.WaitGroup

	mutex  sync.Mutex // guards all fields from file on
	file   *File
	record []byte // working memory for the next record
	added  bool   // whether there was an Append since the file was last synced
	begun  bool   // whether an Append has succeeded
	err    error  // first error of the journal, which every later call returns
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// place says at which offset in the file of a journal the record of a piece begins, and how long the piece
// is.
type place struct{ number, offset, length int64 }

const (
	journalMagic = "antipode journal 1\n"
	recordHead   = 16
	maxPiece     = 1 << 30 // largest length of a piece in bytes
	headNumber   = -1
)

// syncInterval is the longest time until a finished piece of a journal is on the disk.
const syncInterval = time.Second

// OtherRunError says that a journal belongs to a run other than the run that opens the journal.
type OtherRunError struct {
	Path string
	Run  string // description of the run in the journal's first record
}

// Error implements error.
func (e *OtherRunError) Error() string { return e.Path + ": belongs to another run" }

// Past says what happens, when a journal is opened, to the pieces that the journal already contains.
type Past int

const (
	RefusePast Past = iota // the pieces stay, and opening the journal gives ErrUnfinished
	KeepPast               // the pieces belong to the run that continues
	DropPast               // the pieces are removed
)

// ErrUnfinished says that a journal contains finished pieces of an earlier run.
var ErrUnfinished = errors.New("has the finished part of an earlier run")

// OpenJournal opens the journal at path, or creates a journal. The text run describes the run to which the
// journal belongs. With KeepPast, the error is an *OtherRunError if the journal belongs to a run with another
// description. The error of OpenJournal is ErrLocked if another process has the journal open.
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

// begin reads the pieces in the file of a journal, unless they are to be removed, and moves to the end of the
// last piece.
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
		return Join(err, Remove(j.path)) // the file of the journal is empty
	}
	return nil
}

// writeHead writes journalMagic and the first record into the empty file of a journal.
func (j *Journal) writeHead(run string) error {
	if _, err := io.WriteString(j.file, journalMagic); err != nil {
		return err
	}
	if err := Join(j.write(headNumber, []byte(run)), j.file.sync()); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(j.path))
}

// checkMagic returns an error if a file does not begin with journalMagic. A file that ends within
// journalMagic is no error.
func (j *Journal) checkMagic(reader io.Reader) error {
	magic := make([]byte, len(journalMagic))
	n, err := io.ReadFull(reader, magic)
	if string(magic[:n]) != journalMagic[:n] {
		return fmt.Errorf("%s: is not an unfinished run of this program", j.path)
	}
	return notEnd(err)
}

// scan reads all complete records after journalMagic of a file of the given size. scan returns the text of
// the first record, and the position at which the last complete record ends, or 0 if the file has no complete
// record.
func (j *Journal) scan(reader io.Reader, size int64) (run string, end int64, err error) {
	at := int64(len(journalMagic))
	var payload []byte
	for {
		number, bytes, ok, err := readRecord(reader, payload, size-at)
		// Without this check, bytes that cannot be read at present would be taken for the end of the file,
		// and removed.
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

// readRecord reads a record of a journal of at most the given size into the memory of payload, or into new
// memory. The result ok is false if the reader does not contain a complete record. The error of readRecord is
// an error of reading.
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

// notEnd returns err, an error of reading, or nil if err says only that the file has ended.
func notEnd(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

func recordSum(number, bytes []byte) uint32 {
	return crc32.Update(crc32.Checksum(number, castagnoli), castagnoli, bytes)
}

// write hands the record of a piece to the operating system.
func (j *Journal) write(number int64, bytes []byte) error {
	var head [recordHead]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(bytes)))
	binary.LittleEndian.PutUint64(head[8:], uint64(number))
	binary.LittleEndian.PutUint32(head[4:], recordSum(head[8:], bytes))
	j.record = append(append(j.record[:0], head[:]...), bytes...)
	_, err := j.file.Write(j.record)
	return err
}

// Append adds the piece with the given number, which must be at least 0, and bytes to the journal. The
// journal should not have a piece of this number yet. When Append has returned, the piece is in the file: it
// is not lost if the process ends. If the operating system crashes, only pieces of the last second can be
// lost.
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

// keep stores the first error of the journal.
func (j *Journal) keep(err error) {
	if j.err == nil && err != nil {
		j.err = fmt.Errorf("write %s: %w", j.path, err)
	}
}

// syncOften syncs the file of the journal at intervals of syncInterval until the journal is closed.
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

// Empty reports whether the journal has no pieces, neither from earlier runs nor appended since the journal
// was opened.
func (j *Journal) Empty() bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return len(j.known) == 0 && !j.begun
}

// Has reports whether the journal had a piece with the given number when the journal was opened.
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

// Read returns the bytes of the piece with a number for which Has returns true. Read returns an error if the
// bytes in the file are not the bytes that were written.
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

// Close syncs the journal and closes its file, which stays for a later run. Close after Close or Remove does
// nothing. Close may be called at any time; Append after Close fails.
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

// syncFolder syncs the folder at path, so that the names of the files in the folder are not lost.
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
