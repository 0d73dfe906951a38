package arrays

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
	"strings"

	"github.com/sbinet/npyio/npy"
)

// addArchive adds the arrays of an .npz archive, in the order of the archive, and verifies their checksums.
// Compressed arrays are decompressed to a temporary file.
func (f *File) addArchive(content io.ReaderAt, size int64, known Formats) error {
	archive, err := zip.NewReader(content, size)
	if err != nil {
		return errors.New("is not a file of NumPy's savez")
	}
	for _, member := range archive.File {
		first, err := member.DataOffset()
		if err != nil {
			return fmt.Errorf("is damaged: %w", err)
		}
		if member.Method == zip.Store {
			err = checkSum(member, io.NewSectionReader(content, first, int64(member.UncompressedSize64)))
			if err == nil {
				err = f.addArray(member.Name, content, first, int64(member.UncompressedSize64), known)
			}
		} else {
			err = f.addInflated(member, known)
		}
		if err != nil {
			return fmt.Errorf("array %.40q: %w", member.Name, err)
		}
	}
	if len(f.Arrays) == 0 {
		return errors.New("has no arrays")
	}
	return nil
}

// checkSum verifies the checksum of one array of an .npz archive.
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

func (f *File) addInflated(member *zip.File, known Formats) error {
	from, err := member.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := TemporaryFile()
	if err != nil {
		return err
	}
	f.files = append(f.files, file)
	size, err := io.Copy(file, from)
	if err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	if err := checkSum(member, io.NewSectionReader(file, 0, size)); err != nil {
		return err
	}
	return f.addArray(member.Name, file, 0, size, known)
}

// Temporary is a file of which nothing is left when it is closed. Where the operating system allows it, a
// program that is interrupted or killed leaves nothing either.
type Temporary struct {
	*os.File
	named bool // whether the file still has a name, under which Close removes it
}

// TemporaryFile creates a Temporary in the temporary folder of the operating system.
func TemporaryFile() (Temporary, error) {
	file, err := os.CreateTemp("", "antipode-*.states")
	if err != nil {
		return Temporary{}, err
	}
	// Windows removes no file that is open. Other systems keep its contents until it is closed.
	return Temporary{file, os.Remove(file.Name()) != nil}, nil
}

// Close closes the temporary file, which no longer exists then.
func (t Temporary) Close() error {
	err := t.File.Close()
	if t.named {
		err = errors.Join(err, os.Remove(t.Name()))
	}
	return err
}

// addArray adds the array that a range of bytes of a file stores in NumPy's format.
func (f *File) addArray(name string, content io.ReaderAt, first, size int64, known Formats) error {
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
	count, ok := product(header.Descr.Shape, size)
	if !ok || count*int64(format.bytes) > size-length {
		return errors.New("is cut short")
	}
	name = strings.TrimSuffix(name, ".npy")
	f.Arrays = append(f.Arrays, Array{name, header.Descr.Shape, content, first + length, format})
	return nil
}

var errNotNumPy = errors.New("is not a file of NumPy's save")

// readHeader reads the header of an array in NumPy's format. readHeader returns the header and the length of
// the header in bytes.
func readHeader(content io.ReadSeeker) (header npy.Header, length int64, err error) {
	// The library npy allocates as much memory as the file asks for, and panics if a header is malformed.
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
