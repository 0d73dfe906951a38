package arrays

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// npyHead returns the beginning of a .npy file with a header of the given total length, in version 1 or 2 of
// the format.
func npyHead(version byte, length int, descr, shape string) []byte {
	head := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		head = binary.LittleEndian.AppendUint16(head, uint16(length-10))
	} else {
		head = binary.LittleEndian.AppendUint32(head, uint32(length-12))
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
	return append(head, text+strings.Repeat(" ", length-len(head)-len(text)-1)+"\n"...)
}

// numbers opens a file and returns all numbers of its first array.
func numbers(t *testing.T, name string, content []byte, known Formats) ([]float64, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, content, 0o666))
	file, err := Open(path, known)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	x := make([]float64, file.Arrays[0].Count())
	return x, file.Arrays[0].Read(x, 0, new([]byte))
}

// Headers of both versions of the format are read up to 64 KiB, with any shape that fits the file. A file
// that is one byte too short is refused.
func TestHeadersOfNumPy(t *testing.T) {
	values := []byte{1, 2, 3, 4, 5, 6}
	for _, test := range []struct {
		version byte
		length  int
		shape   string
		cut     int // bytes that are missing at the end
		want    string
	}{
		{1, 128, "2, 3", 0, ""}, {2, 128, "2, 3", 0, ""}, {2, 1 << 16, "6,", 0, ""},
		{1, 1<<16 - 1, "2, 3", 0, ""}, {2, 1<<16 + 1, "6,", 0, "not a file of NumPy's save"},
		{1, 128, "2, 3", 1, "is cut short"}, {2, 128, "2, 3", 1, "is cut short"},
		{1, 128, "7,", 0, "is cut short"}, {1, 128, "-1,", 0, "NumPy"},
		{1, 128, "1 << 40, 1 << 40", 0, "NumPy"},
		{1, 128, "1099511627776, 1099511627776", 0, "is cut short"},
	} {
		content := append(npyHead(test.version, test.length, "|u1", test.shape), values...)
		got, err := numbers(t, "a.npy", content[:len(content)-test.cut], Any)
		switch {
		case test.want != "":
			if err == nil || test.want != "NumPy" && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v: error %v", test, err)
			}
		case err != nil || !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6}):
			t.Errorf("%+v: %v, %v", test, got, err)
		}
	}
	whole := append(npyHead(1, 128, "|u1", "6,"), values...)
	for length := range 12 {
		if _, err := numbers(t, "a.npy", whole[:length], Any); err == nil {
			t.Errorf("%d bytes of a header are read", length)
		}
	}
}

// Each type of numbers is decoded, in both byte orders, and other types are refused.
func TestFormats(t *testing.T) {
	bits := func(size int, big bool, numbers ...uint64) (out []byte) {
		for _, n := range numbers {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], n)
			part := b[:size]
			if big {
				slices.Reverse(part)
			}
			out = append(out, part...)
		}
		return out
	}
	minus := func(n int64) uint64 { return uint64(-n) }
	for _, test := range []struct {
		descr  string
		size   int
		values []uint64
		want   []float64
		floats bool // whether the type is one of real numbers
	}{
		{"f8", 8, []uint64{math.Float64bits(-1.25), 0}, []float64{-1.25, 0}, true},
		{"f4", 4, []uint64{uint64(math.Float32bits(0.1)), 0}, []float64{float64(float32(0.1)), 0}, true},
		{"f2", 2, []uint64{0x3C00, 0xC100}, []float64{1, -2.5}, true},
		{"V2", 2, []uint64{0x3F80, 0xC020}, []float64{1, -2.5}, true},
		{"b1", 1, []uint64{1, 0}, []float64{1, 0}, false},
		{"u1", 1, []uint64{255, 3}, []float64{255, 3}, false},
		{"i1", 1, []uint64{minus(1), 3}, []float64{-1, 3}, false},
		{"i2", 2, []uint64{minus(2), 300}, []float64{-2, 300}, false},
		{"i4", 4, []uint64{minus(3), 70000}, []float64{-3, 70000}, false},
		{"i8", 8, []uint64{minus(4), 1 << 40}, []float64{-4, 1 << 40}, false},
		{"c8", 8, []uint64{0, 0}, nil, false},
	} {
		for _, order := range []string{"<", ">"} {
			content := append(npyHead(1, 128, order+test.descr, "2,"), bits(test.size, order == ">",
				test.values...)...)
			got, err := numbers(t, "a.npy", content, Any)
			if (err == nil) != (test.want != nil) || !slices.Equal(got, test.want) {
				t.Errorf("%s%s: %v, %v", order, test.descr, got, err)
			}
			if _, err := numbers(t, "a.npy", content, Floats); (err == nil) != test.floats {
				t.Errorf("%s%s as a real number: %v", order, test.descr, err)
			}
		}
	}
}

// The product of a shape is exact up to the greatest number allowed, and an array may be empty.
func TestProductsOfShapes(t *testing.T) {
	for _, test := range []struct {
		shape   []int
		largest int64
		count   int64
		ok      bool
	}{
		{nil, 0, 1, true}, {[]int{2, 3}, 6, 6, true}, {[]int{2, 3}, 5, 0, false},
		{[]int{0, 1 << 62, 1 << 62}, 9, 0, true},
		{[]int{-1}, 9, 0, false}, {[]int{1 << 32, 1 << 31}, math.MaxInt64, 0, false},
		{[]int{1 << 31, 1 << 31}, math.MaxInt64, 1 << 62, true}, {[]int{5, 0}, 5, 0, true},
	} {
		if count, ok := product(test.shape, test.largest); count != test.count || ok != test.ok {
			t.Errorf("%v: %d, %v", test.shape, count, ok)
		}
	}
}

// Part of an array is read from its place, and reading beyond the end of the file is an error.
func TestReadPartOfAnArray(t *testing.T) {
	var content []byte
	for k := range 10 {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(float64(k)))
	}
	a := Float64s(bytes.NewReader(content), 2, 5)
	if a.Count() != 10 {
		t.Errorf("%d numbers", a.Count())
	}
	x, scratch := make([]float64, 3), []byte(nil)
	for range 2 { // the second time with the memory of the first
		if err := a.Read(x, 7, &scratch); err != nil || !slices.Equal(x, []float64{7, 8, 9}) {
			t.Errorf("%v, %v", x, err)
		}
	}
	if err := a.Read(x, 8, &scratch); err != io.EOF {
		t.Errorf("beyond the end: %v", err)
	}
	if err := (Array{Shape: []int{3}, content: bytes.NewReader(content)}).Read(x, 0, &scratch); err == nil {
		t.Error("numbers without a format are read")
	}
}

// A file that is inflated to a temporary one leaves nothing in the folder once it is closed.
func TestTemporaryFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	file := must.Get(TemporaryFile())(t)
	must.Do(t, file.Close())
	if entries := must.Get(os.ReadDir(folder))(t); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
	if err := file.Close(); err == nil {
		t.Error("a file is closed twice")
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "missing"))
	if _, err := TemporaryFile(); err == nil {
		t.Error("a temporary file in no folder")
	}
}
