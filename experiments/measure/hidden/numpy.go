package hidden

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/sbinet/npyio/npy"
)

// openArray opens a file of one array.
func (s *States) openArray(path string, known formats) error {
	file, err := os.Open(path)
	if err != nil {
		return pathless(err)
	}
	s.files = append(s.files, file)
	info, err := file.Stat()
	if err != nil {
		return pathless(err)
	}
	return s.addArray(file, 0, info.Size(), known)
}

// openArchive opens a file of several arrays, one a layer in the file's order, and compares their checksums.
// What is compressed is inflated to a temporary file.
func (s *States) openArchive(path string, size int64) error {
	file, err := os.Open(path)
	if err != nil {
		return pathless(err)
	}
	s.files = append(s.files, file)
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return errors.New("is not a file of NumPy's savez")
	}
	for _, member := range archive.File {
		first, err := member.DataOffset()
		if err != nil {
			return fmt.Errorf("is damaged: %w", err)
		}
		if member.Method == zip.Store {
			err = checkSum(member, io.NewSectionReader(file, first, int64(member.UncompressedSize64)))
			if err == nil {
				err = s.addArray(file, first, int64(member.UncompressedSize64), formatOf)
			}
		} else {
			err = s.addInflated(member)
		}
		if err != nil {
			return fmt.Errorf("array %.40q: %w", member.Name, err)
		}
	}
	if len(s.arrays) == 0 {
		return errors.New("has no arrays")
	}
	return nil
}

// checkSum compares the checksum of an archive's member with its content.
func checkSum(member *zip.File, content io.Reader) error {
	sum := crc32.NewIEEE()
	n, err := io.Copy(sum, content)
	switch {
	case err != nil:
		return err
	case uint64(n) != member.UncompressedSize64:
		return errors.New("is cut short")
	case sum.Sum32() != member.CRC32:
		return errors.New("is damaged: it does not have its checksum")
	}
	return nil
}

func (s *States) addInflated(member *zip.File) error {
	from, err := member.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := temporaryFile()
	if err != nil {
		return err
	}
	s.files = append(s.files, file)
	size, err := io.Copy(file, from)
	if err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	if err := checkSum(member, io.NewSectionReader(file, 0, size)); err != nil {
		return err
	}
	return s.addArray(file, 0, size, formatOf)
}

// temporary is a file that is removed when it is closed.
type temporary struct{ *os.File }

func temporaryFile() (temporary, error) {
	file, err := os.CreateTemp("", "antipode-*.states")
	return temporary{file}, err
}

// Close closes and removes the file.
func (t temporary) Close() error { return errors.Join(t.File.Close(), os.Remove(t.Name())) }

// addArray adds the array in so many bytes of a file.
func (s *States) addArray(content io.ReaderAt, first, size int64, known formats) error {
	section := io.NewSectionReader(content, first, size)
	header, length, err := readHeader(section)
	if err != nil {
		return err
	}
	if header.Descr.Fortran {
		return errors.New("has its numbers in Fortran's order; " +
			"must be in C's, as numpy.ascontiguousarray has them")
	}
	format, err := known(header.Descr.Type)
	if err != nil {
		return err
	}
	count := int64(1)
	for _, n := range header.Descr.Shape {
		if n < 0 || n > 0 && count > size/int64(n) {
			return errors.New("is cut short")
		}
		count *= int64(n)
	}
	if count*int64(format.bytes) > size-length {
		return errors.New("is cut short")
	}
	s.arrays = append(s.arrays, array{content, first + length, format, header.Descr.Shape})
	return nil
}

var errNotNumPy = errors.New("is not a file of NumPy's save")

// readHeader reads the header of an array, and how long it is.
func readHeader(content io.ReadSeeker) (header npy.Header, length int64, err error) {
	// The library allocates what the file asks for, and panics where a header is not what it expects.
	const most = 1 << 16
	start := make([]byte, 12)
	if _, err := io.ReadFull(content, start); err != nil || !bytes.HasPrefix(start, npy.Magic[:]) {
		return header, 0, errNotNumPy
	}
	switch start[6] {
	case 1:
		length = 10 + int64(binary.LittleEndian.Uint16(start[8:]))
	default:
		length = 12 + int64(binary.LittleEndian.Uint32(start[8:]))
	}
	if length > most {
		return header, 0, errNotNumPy
	}
	defer func() {
		if recover() != nil {
			err = errNotNumPy
		}
	}()
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return header, 0, err
	}
	reader, err := npy.NewReader(bufio.NewReader(content))
	if err != nil {
		return header, 0, errNotNumPy
	}
	return reader.Header, length, nil
}

// Mask reads which tokens are there: an array of sequences × tokens, or of tokens, that is not 0 where
// one is.
func Mask(path string, sequences, tokens int) ([]bool, error) {
	s := &States{}
	defer func() { s.Close() }()
	if err := s.openArray(path, maskFormatOf); err != nil {
		return nil, err
	}
	a := s.arrays[0]
	if shape := fmt.Sprint(a.shape); shape != fmt.Sprint([]int{sequences, tokens}) &&
		!(sequences == 1 && shape == fmt.Sprint([]int{tokens})) {
		return nil, fmt.Errorf("has the shape %s; must be sequences × tokens, %d × %d", inWords(a.shape),
			sequences, tokens)
	}
	numbers := make([]float64, tokens)
	row := make([]byte, tokens*a.format.bytes)
	there := make([]bool, 0, sequences*tokens)
	for k := range sequences {
		if _, err := a.content.ReadAt(row, a.first+int64(k)*int64(len(row))); err != nil {
			return nil, err
		}
		a.format.decode(numbers, row)
		for _, x := range numbers {
			there = append(there, x != 0)
		}
	}
	return there, nil
}
