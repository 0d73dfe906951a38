package npz

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sbinet/npyio/npy"

	"antipode/data/durable"
	"antipode/experiments/experimenttest"
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

// Wherever there is no room for the archive, writing it is an error; so are a folder that is a file, a file
// that is a folder, and each failing operation.
func TestWhatCannotBeWritten(t *testing.T) {
	arrays := []Array{{"a", []int{900}, make([]float64, 900)}, {"b", []int{2}, []float64{1, 2}}}
	const enough = experimenttest.Room(1 << 20)
	left := enough
	if err := writeTo(&left, arrays); err != nil {
		t.Fatal(err)
	}
	for room := experimenttest.Room(0); room < enough-left; room += 97 {
		some := room
		if err := writeTo(&some, arrays); !errors.Is(err, experimenttest.ErrNoRoom) {
			t.Errorf("in room for %d bytes: %v", room, err)
		}
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := Write(file, arrays); err != nil {
		t.Fatal(err)
	}
	if Write(filepath.Join(file, "a.npz"), arrays) == nil || Write(folder, arrays) == nil {
		t.Error("a file in a file, or in place of a folder")
	}
	defer durable.Inject(nil)
	refused := errors.New("refused")
	for at := 1; ; at++ {
		count := 0
		durable.Inject(func(string, string) error {
			if count++; count == at {
				return refused
			}
			return nil
		})
		err := Write(file, arrays)
		if count < at {
			break
		}
		if !errors.Is(err, refused) {
			t.Errorf("operation %d: %v", at, err)
		}
	}
}
