// Package arrays reads arrays of numbers from files that a person has: NumPy's .npy and .npz, and
// .safetensors, of which an index may join several. Sizes are checked against the file before any memory is
// taken, and numbers are read where they are asked for. A changed bit in a .npz is an error of Open; the
// other two have no checksums.
//
//	file, err := arrays.Open("../weights/testdata/model.safetensors", arrays.Floats)
//	if err != nil {
//		return err
//	}
//	defer file.Close()
//	a := file.Arrays[0]
//	x := make([]float64, a.Count())
//	err = a.Read(x, 0, new([]byte))
package arrays

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is the arrays of a file, in its order.
type File struct {
	Arrays []Array
	files  []io.Closer
}

// Array is numbers in row-major order somewhere in a file.
type Array struct {
	Name    string // "" in a .npy
	Shape   []int
	content io.ReaderAt
	first   int64 // byte at which the numbers begin
	format  format
}

// Open opens the file at path, which must be a regular one. An error of one line says what is wrong.
func Open(path string, known Formats) (*File, error) {
	if err := CheckRegular(path); err != nil {
		return nil, err
	}
	f := &File{}
	var err error
	if HasExtension(path, IndexExtension) {
		err = f.addShards(path)
	} else {
		err = f.addFile(path, known)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// HasExtension reports whether the name of a file ends in one of some extensions, in letters of either case.
func HasExtension(path string, extensions ...string) bool {
	return slices.ContainsFunc(extensions, func(extension string) bool {
		return strings.HasSuffix(strings.ToLower(path), extension)
	})
}

func (f *File) addFile(path string, known Formats) error {
	content, err := os.Open(path)
	if err != nil {
		return pathless(err)
	}
	f.files = append(f.files, content)
	return f.add(content, strings.ToLower(filepath.Ext(path)), known)
}

func (f *File) add(content *os.File, extension string, known Formats) error {
	info, err := content.Stat()
	if err != nil {
		return pathless(err)
	}
	switch extension {
	case ".npz":
		return f.addArchive(content, info.Size(), known)
	case ".safetensors":
		return f.addTensors(content, info.Size())
	}
	return f.addArray("", content, 0, info.Size(), known)
}

// CheckRegular refuses what is not a regular file, as a folder or a pipe.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return pathless(err)
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	}
	return nil
}

// pathless is an error of the file system without the path, which the message around it names.
func pathless(err error) error {
	var inPath *os.PathError
	if errors.As(err, &inPath) {
		return inPath.Err
	}
	return err
}

// Float64s is an array of that shape from the beginning of a content, in little-endian order.
func Float64s(content io.ReaderAt, shape ...int) Array {
	return Array{Shape: shape, content: content, format: float64s}
}

// Count is how many numbers there are.
func (a Array) Count() int64 {
	count, _ := product(a.Shape, math.MaxInt64)
	return count
}

// Read reads numbers to x, from the one on that first are before. Scratch is memory that calls of one
// goroutine share. It is an error if the array has no real numbers.
func (a Array) Read(x []float64, first int64, scratch *[]byte) error {
	if a.format.decode == nil {
		return errors.New("has no real numbers of 16, 32 or 64 bits")
	}
	n := len(x) * a.format.bytes
	if cap(*scratch) < n {
		*scratch = make([]byte, n)
	}
	bytes := (*scratch)[:n]
	if _, err := a.content.ReadAt(bytes, a.first+first*int64(a.format.bytes)); err != nil {
		return err
	}
	a.format.decode(x, bytes)
	return nil
}

// product is that of the numbers of a shape, unless one is negative or it exceeds a largest one.
func product(shape []int, largest int64) (count int64, ok bool) {
	count = 1
	for _, n := range shape {
		if n < 0 || n > 0 && count > largest/int64(n) {
			return 0, false
		}
		count *= int64(n)
	}
	return count, true
}

// Close closes the file, and removes what was inflated.
func (f *File) Close() error {
	var errs []error
	for _, file := range f.files {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}
