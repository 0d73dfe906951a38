package npz

import (
	"archive/zip"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sbinet/npyio/npy"

	"antipode/sphere/must"
)

// What is written is what a library for NumPy's files reads, in order; and an equal file the second time.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a.npz")
	arrays := []Array{
		{"layers.0.weight", []int{2, 3}, []float64{1, -2.5, 3e300, 0, 5, 1. / 3}},
		{"bias", []int{3}, []float64{7, 8, 9}},
		{"states", []int{1, 2, 2}, []float64{4, 3, 2, 1}},
	}
	must.Do(t, Write(path, arrays))
	first := must.Get(os.ReadFile(path))(t)
	file := must.Get(zip.OpenReader(path))(t)
	defer file.Close()
	if len(file.File) != len(arrays) {
		t.Fatalf("%d arrays", len(file.File))
	}
	for k, member := range file.File {
		content := must.Get(member.Open())(t)
		reader := must.Get(npy.NewReader(content))(t)
		var numbers []float64
		must.Do(t, reader.Read(&numbers))
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
	must.Do(t, Write(path, arrays))
	if second, err := os.ReadFile(path); err != nil || !reflect.DeepEqual(first, second) {
		t.Errorf("another file the second time, %v", err)
	}
}

func TestWriteRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(path, nil, 0o600))
	if err := Write(filepath.Join(path, "a.npz"), nil); err == nil {
		t.Error("a file is taken for a folder")
	}
}
