package hidden

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// want returns number k of a layer and a sequence in the files of testdata, which have 3 layers × 2 sequences
// × 4 tokens × 5 dimensions. Every format represents it exactly.
func want(layer, sequence, k int) float64 { return float64((layer*40+sequence*20+k)%61)/4 - 7.5 }

// Files of every format have the same numbers.
func TestFormats(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"float64.npy", "float32.npy", "float16.npy", "bfloat16.npy", "big.npy",
		"each.npz",
		"one.npz", "layers.feather", "dataset.arrow", "states.arrow"} {
		s, err := Open(filepath.Join("testdata", name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := fmt.Sprint(s.Layers, s.Sequences, s.Tokens, s.Dim); got != "3 2 4 5" {
			t.Errorf("%s: layers, sequences, tokens, d are %s", name, got)
			continue
		}
		reader, x := s.Reader(), make([]float64, 20)
		for place := range 6 {
			layer, sequence := 2-place/2, place%2
			if err := reader.Read(layer, sequence, x); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for k := range x {
				if x[k] != want(layer, sequence, k) {
					t.Fatalf("%s: number %d of layer %d, sequence %d is %v", name, k, layer, sequence, x[k])
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// A null entry of a table is a missing token, which is read as 0; the other tokens of its row are read as
// they are.
func TestNullIsNoToken(t *testing.T) {
	list := arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float64)
	schema := arrow.NewSchema([]arrow.Field{{Name: "x1", Type: list, Nullable: true},
		{Name: "x2", Type: list, Nullable: true}}, nil)
	var columns []arrow.Array
	for _, entries := range []string{"[[1,2],[3,4],null]", "[null,[5,6],[7,8]]"} {
		column, _, err := array.FromJSON(memory.DefaultAllocator, list, strings.NewReader(entries))
		must.Do(t, err)
		columns = append(columns, column)
	}
	path := filepath.Join(t.TempDir(), "null.arrow")
	file := must.Get(os.Create(path))(t)
	w := must.Get(ipc.NewFileWriter(file, ipc.WithSchema(schema)))(t)
	must.Do(t, errors.Join(w.Write(array.NewRecord(schema, columns, 3)), w.Close(), file.Close()))
	// layers, sequences, tokens, d, then the numbers
	want := []float64{3, 1, 2, 2, 1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 7, 8}
	if got := numbersOf(t, path); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A file that cannot be read is refused with an error that says what is expected.
func TestRefusedFiles(t *testing.T) {
	folder := t.TempDir()
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0, 3, 4), }\n"
	for name, text := range map[string]string{"text.npy": "a text", "text.npz": "a text", "empty.npy": "",
		"text.arrow": "a", "none.npy": "\x93NUMPY\x01\x00" + string(rune(len(header))) + "\x00" + header} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"testdata/fortran.npy":              "ascontiguousarray",
		"testdata/flat.npy":                 "has the shape 4 × 5; must be layers × tokens × d or",
		"testdata/integers.npy":             "must be bfloat16 or float16, 32 or 64",
		"testdata/mask.npy":                 "must be bfloat16 or float16, 32 or 64",
		"testdata/uneven.arrow":             "has 3 rows for 2 layers",
		"testdata/ragged.arrow":             "lists of 4 and of 3 items",
		"testdata":                          "not a regular file",
		"missing.npy":                       "no such file",
		filepath.Join(folder, "text.npy"):   "is not a file of NumPy's save",
		filepath.Join(folder, "none.npy"):   "has the shape 2 × 0 × 3 × 4 and no numbers",
		filepath.Join(folder, "empty.npy"):  "is not a file of NumPy's save",
		filepath.Join(folder, "text.npz"):   "is not a file of NumPy's savez",
		filepath.Join(folder, "text.arrow"): "is not an Arrow file",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
}

// A flipped bit in the numbers of an archive is an error, whether they are compressed or not; so is a flipped
// bit in a checksum.
func TestFlippedBitsInArchives(t *testing.T) {
	longtest.Only(t)
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"each.npz", "one.npz"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		whole := numbersOf(t, filepath.Join("testdata", name))
		path := filepath.Join(t.TempDir(), name)
		refused := 0
		for bit := 0; bit < 8*len(content); bit += 13 {
			damaged := bytes.Clone(content)
			damaged[bit/8] ^= 1 << (bit % 8)
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			if s, err := Open(path); err != nil {
				refused++
			} else if err := s.Close(); err != nil {
				t.Fatal(err)
			} else if got := numbersOf(t, path); !slices.Equal(got, whole) { // a date, say, is no number
				t.Fatalf("%s: with bit %d changed other numbers are read", name, bit)
			}
		}
		if refused < 4*len(content)/13 {
			t.Errorf("%s: only %d changed bits are refused", name, refused)
		}
	}
}

// numbersOf returns the sizes and all numbers of a file.
func numbersOf(t *testing.T, path string) []float64 {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	numbers := []float64{float64(s.Layers), float64(s.Sequences), float64(s.Tokens), float64(s.Dim)}
	x := make([]float64, s.Tokens*s.Dim)
	for k := range s.Layers * s.Sequences {
		if err := s.Reader().Read(k/s.Sequences, k%s.Sequences, x); err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, x...)
	}
	return numbers
}

func TestMask(t *testing.T) {
	want := []bool{true, true, true, false, true, false, true, true}
	for _, name := range []string{"mask.npy", "mask-int64.npy"} {
		got, err := Mask(filepath.Join("testdata", name), 2, 4)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := Mask("testdata/mask.npy", 4, 2); err == nil ||
		!strings.Contains(err.Error(), "must be sequences × tokens, 4 × 2") {
		t.Errorf("error %v", err)
	}
}

// A damaged file gives an error or other numbers, but never a panic, a hang or a large use of memory.
func TestDamagedFiles(t *testing.T) {
	longtest.Only(t)
	t.Setenv("TMPDIR", t.TempDir())
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"float64.npy", "each.npz", "one.npz", "states.arrow"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		for range 300 {
			damaged := bytes.Clone(content)
			for range 1 + random.IntN(3) {
				damaged[random.IntN(min(len(damaged), 400))] = byte(random.Uint32())
			}
			if random.IntN(3) == 0 {
				damaged = damaged[:random.IntN(len(damaged))]
			}
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path)
			if err != nil {
				continue
			}
			if size := s.Tokens * s.Dim; size <= len(content) {
				_ = s.Reader().Read(s.Layers-1, s.Sequences-1, make([]float64, size))
			}
			s.Close()
		}
	}
}
