// Package arrays reads arrays of numbers from a user's files: NumPy's .npy and .npz, and .safetensors. An
// index may join several .safetensors files. The sizes of arrays are checked against the file before any
// memory is allocated, and numbers are read only on request. A changed bit in a .npz makes Open fail; the
// formats .npy and .safetensors have no checksums.
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

	"antipode/experiments/internal/namedfile"
	"antipode/internal/lists"
)

// File is an open file with its arrays, in the order in which the file stores them.
type File struct {
	Arrays []Array
	files  []io.Closer
}

// Array is an array of numbers that a file stores in row-major order.
type Array struct {
	Name    string // "" in a .npy file
	Shape   []int
	content io.ReaderAt
	first   int64 // offset in bytes of the first number
	format  format
}

// Open opens the regular file of arrays at path. The function known says which types of numbers are accepted.
// The error is a single line that says what is wrong.
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

// HasExtension reports whether the name of a file ends in one of the extensions, ignoring case.
func HasExtension(path string, extensions ...string) bool {
	return slices.ContainsFunc(extensions, func(extension string) bool {
		return strings.HasSuffix(strings.ToLower(path), extension)
	})
}

func (f *File) addFile(path string, known Formats) error {
	content, err := os.Open(path)
	if err != nil {
		return namedfile.WithoutPath(err)
	}
	f.files = append(f.files, content)
	return f.add(content, strings.ToLower(filepath.Ext(path)), known)
}

func (f *File) add(content *os.File, extension string, known Formats) error {
	info, err := content.Stat()
	if err != nil {
		return namedfile.WithoutPath(err)
	}
	switch extension {
	case ".npz":
		return f.addArchive(content, info.Size(), known)
	case ".safetensors":
		return f.addTensors(content, info.Size())
	}
	return f.addArray("", content, 0, info.Size(), known)
}

// CheckRegular returns an error if the path is not a regular file but, for example, a folder or a pipe.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return namedfile.WithoutPath(err)
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	}
	return nil
}

// Float64s returns an array of the given shape whose numbers, in little-endian order, start at the beginning
// of content.
func Float64s(content io.ReaderAt, shape ...int) Array {
	return Array{Shape: shape, content: content, format: float64s}
}

// Count returns the number of entries of the array.
func (a Array) Count() int64 {
	count, _ := product(a.Shape, math.MaxInt64)
	return count
}

// Read reads consecutive entries of the array into x, starting with the entry whose index is first. The
// argument scratch is a buffer that the calls of one goroutine share. It is an error if the array does not
// hold real numbers.
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

// product returns the number of entries of an array of the given shape, the product of its sizes. The result
// ok is false if a size is negative or if the product is larger than largest.
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

// Close closes the file of arrays and removes the temporary files with decompressed content.
func (f *File) Close() error {
	errs := lists.Map(f.files, io.Closer.Close)
	return errors.Join(errs...)
}
