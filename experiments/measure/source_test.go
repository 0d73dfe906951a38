package measure

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/measure/hidden"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// statesFile writes a .npy file of ones, layers × sequences × tokens × d, and returns its path.
func statesFile(t *testing.T, layers, sequences, tokens, dim int) string {
	t.Helper()
	head := fmt.Sprintf("{'descr': '<f2', 'fortran_order': False, 'shape': (%d, %d, %d, %d), }", layers,
		sequences, tokens, dim)
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	content := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	content = append(content, head...)
	for range layers * sequences * tokens * dim {
		content = append(content, 0x00, 0x3C) // 1 as a float16
	}
	path := filepath.Join(t.TempDir(), "states.npy")
	must.Do(t, os.WriteFile(path, content, 0o666))
	return path
}

// Each worker has a sequence of tokens twice, their Gram matrix with a fifth of it for the rest, the smaller
// Gram matrix twice and a histogram. The memory may be 16 GiB. Near this limit the greatest number of workers
// is (16<<30) / (8·(2·T·d + 1.2·T² + 2·min(T, d)² + 2²⁰)).
func TestMemoryOfStates(t *testing.T) {
	const limit = 16 << 30
	for _, s := range []*hidden.States{{Tokens: 8192, Dim: 1}, {Tokens: 8192, Dim: 512},
		{Tokens: 512, Dim: 8192}, {Tokens: 1, Dim: 1 << 20}} {
		T, d := s.Tokens, s.Dim
		tenth := 20*T*d + 12*T*T + 20*min(T, d)*min(T, d) + 10<<20 // tenths of float64 values
		most := limit * 10 / 8 / tenth
		for workers, good := range map[int]bool{most: true, most + 1: false} {
			err := New().checkMemory(s, run.Options{Workers: workers})
			var problem *parameter.Error
			if good != (err == nil) || !good && (!errors.As(err, &problem) || problem.Parameter != "file") {
				t.Errorf("%d tokens of dimension %d, %d workers: %v", T, d, workers, err)
			}
		}
	}
}

// Opening the files fails if they need too much memory, are not those of the checksums, or are missing, and
// the error names the file that it is about.
func TestSourcesThatCannotBeOpened(t *testing.T) {
	first, second, long := statesFile(t, 2, 3, 4, 5), statesFile(t, 1, 2, 4, 5), statesFile(t, 1, 1, 8192, 1)
	missing := filepath.Join(t.TempDir(), "missing.npy")
	right := must.Get(checksum(first, ""))(t)
	for _, test := range []struct {
		file    string
		compare []string
		workers int
		name    string // of the parameter
		want    string
	}{
		{first + "#sha256:" + right, []string{second}, 1, "", ""},
		{long, nil, 10, "", ""},
		{long, nil, 1000, "file", "GiB"},
		{first, []string{long}, 1000, "file", "GiB"},
		{first + "#sha256:" + strings.Repeat("0", 64), nil, 1, "file", "have changed"},
		{first, []string{second, second + "#sha256:" + right}, 1, "compare", "have changed"},
		{missing, nil, 1, "file", "no such file"},
		{first, []string{second, missing}, 1, "compare", "no such file"},
	} {
		m := New()
		m.File, m.Compare = test.file, test.compare
		sources, err := m.open(run.Options{Workers: test.workers})
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", test.file, err)
			}
			closeAll(sources)
			continue
		}
		var problem *parameter.Error
		if !errors.As(err, &problem) || problem.Parameter != test.name ||
			!strings.Contains(strings.ToLower(err.Error()), strings.ToLower(test.want)) {
			t.Errorf("%s, %v: error %v, want %s of %s", test.file, test.compare, err, test.want, test.name)
		}
	}
}

// A piece is a sequence in a layer of a file; the pieces of the files follow each other.
func TestPlacesOfPieces(t *testing.T) {
	m := New()
	m.File, m.Compare = statesFile(t, 2, 3, 4, 5), []string{statesFile(t, 1, 2, 4, 5)}
	sources := must.Get(m.open(run.Options{Workers: 1}))(t)
	defer closeAll(sources)
	if got := pieces(sources); got != 2*3+2 {
		t.Errorf("%d pieces", got)
	}
	want := [][3]int{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {1, 0, 0}, {1, 0, 1}}
	for piece, want := range want {
		k := of(sources, piece)
		layer, sequence := sources[k].place(piece)
		if got := [3]int{k, layer, sequence}; got != want {
			t.Errorf("piece %d is %v, want %v", piece, got, want)
		}
	}
	mask := []bool{true, false, true, true, false, true, false, true, true, false, false, true}
	sources[0].mask = mask
	for sequence := range 3 {
		if got := sources[0].present(sequence); !slices.Equal(got, mask[4*sequence:4*sequence+4]) {
			t.Errorf("sequence %d: %v", sequence, got)
		}
	}
	if got := sources[1].present(1); got != nil {
		t.Errorf("without a mask: %v", got)
	}
}

// As many further files can be compared as a column of labels can name beside the first, and no more; a file
// that is given twice is refused.
func TestMostFiles(t *testing.T) {
	path := statesFile(t, 1, 1, 2, 2)
	content := must.Get(os.ReadFile(path))(t)
	folder, names := t.TempDir(), []string{}
	for k := range 127 {
		name := filepath.Join(folder, fmt.Sprint(k, ".npy"))
		must.Do(t, os.WriteFile(name, content, 0o666))
		names = append(names, name)
	}
	m := New()
	must.Do(t, m.statesOrWeights().Set(path))
	for _, test := range []struct {
		names []string
		good  bool
	}{{names[:1], true}, {names[:126], true}, {names, false}, {[]string{names[0], path}, false},
		{[]string{names[0], names[1], names[0]}, false}, {[]string{names[0], "x.txt"}, false}} {
		before := slices.Clone(m.Compare)
		err := filesValue{m}.Set(strings.Join(test.names, ","))
		if (err == nil) != test.good || test.good && len(m.Compare) != len(test.names) ||
			!test.good && !slices.Equal(m.Compare, before) {
			t.Errorf("%d files: %d set, %v", len(test.names), len(m.Compare), err)
		}
	}
	if err := (filesValue{m}).Set("none"); err != nil || m.Compare != nil {
		t.Errorf("none: %v, %v", m.Compare, err)
	}
}
