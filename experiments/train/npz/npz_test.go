package npz

import (
	"archive/zip"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sbinet/npyio/npy"
)

// A library that reads NumPy's files finds the arrays that were written, in order; writing them again gives
// an equal file.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a.npz")
	arrays := []Array{
		{"layers.0.weight", []int{2, 3}, []float64{1, -2.5, 3e300, 0, 5, 1. / 3}},
		{"bias", []int{3}, []float64{7, 8, 9}},
		{"states", []int{1, 2, 2}, []float64{4, 3, 2, 1}},
	}
	if err := Write(path, arrays); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if len(file.File) != len(arrays) {
		t.Fatalf("%d arrays", len(file.File))
	}
	for k, member := range file.File {
		content, err := member.Open()
		if err != nil {
			t.Fatal(err)
		}
		reader, err := npy.NewReader(content)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []float64
		if err := reader.Read(&numbers); err != nil {
			t.Fatal(err)
		}
		offset, err := member.DataOffset()
		if err != nil || offset < 0 {
			t.Fatal(err)
		}
		if member.Name != arrays[k].Name+".npy" ||
			!reflect.DeepEqual(reader.Header.Descr.Shape, arrays[k].Shape) ||
			!reflect.DeepEqual(numbers, arrays[k].Numbers) || reader.Header.Descr.Fortran {
			t.Errorf("%s: %+v, %v", member.Name, reader.Header, numbers)
		}
	}
	if err := Write(path, arrays); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(path); err != nil || !reflect.DeepEqual(first, second) {
		t.Errorf("another file the second time, %v", err)
	}
}

func TestWriteRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(path, "a.npz"), nil); err == nil {
		t.Error("a file is taken for a folder")
	}
}
