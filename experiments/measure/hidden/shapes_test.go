package hidden

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/experiments/measure/arrays"
	"antipode/sphere/must"
)

// One array has all layers, several have one each. The numbers of tokens, dimensions, and sequences of all
// layers have limits that are allowed themselves; every axis may have a single entry, and none may have none.
func TestShapes(t *testing.T) {
	for _, test := range []struct {
		shapes [][]int
		want   [4]int // layers, sequences, tokens, dimension
		reason string
	}{
		{[][]int{{1, 1, 1, 1}}, [4]int{1, 1, 1, 1}, ""},
		{[][]int{{2, 3, 4, 5}}, [4]int{2, 3, 4, 5}, ""},
		{[][]int{{2, 4, 5}}, [4]int{2, 1, 4, 5}, ""},
		{[][]int{{4, 5}, {4, 5}}, [4]int{2, 1, 4, 5}, ""},
		{[][]int{{3, 4, 5}, {3, 4, 5}}, [4]int{2, 3, 4, 5}, ""},
		{[][]int{{4, 5}}, [4]int{}, "has the shape 4 × 5; must be"},
		{[][]int{{4}}, [4]int{}, "has the shape 4; must be"},
		{[][]int{{1, 2, 3, 4, 5}}, [4]int{}, "has the shape 1 × 2 × 3 × 4 × 5; must be"},
		{[][]int{{2, 3, 4, 5}, {2, 3, 4, 5}}, [4]int{}, "has the shape 2 × 3 × 4 × 5; must be"},
		{[][]int{{4}, {4}}, [4]int{}, "has the shape 4; must be"},
		{[][]int{{4, 5}, {4, 6}}, [4]int{}, "shapes 4 × 5 and 4 × 6, which must be the same"},
		{[][]int{{0, 1, 1, 1}}, [4]int{}, "and no numbers"},
		{[][]int{{1, 0, 1, 1}}, [4]int{}, "and no numbers"},
		{[][]int{{1, 1, 0, 1}}, [4]int{}, "and no numbers"},
		{[][]int{{1, 1, 1, 0}}, [4]int{}, "and no numbers"},
		{[][]int{{1, 1, 8192, 1}}, [4]int{1, 1, 8192, 1}, ""},
		{[][]int{{1, 1, 8193, 1}}, [4]int{}, "has 8193 tokens of dimension 1 a sequence"},
		{[][]int{{1, 1, 1, 1 << 20}}, [4]int{1, 1, 1, 1 << 20}, ""},
		{[][]int{{1, 1, 1, 1<<20 + 1}}, [4]int{}, "has 1 tokens of dimension 1048577 a sequence"},
		{[][]int{{1, math.MaxInt32, 1, 1}}, [4]int{1, math.MaxInt32, 1, 1}, ""},
		{[][]int{{2, 1 << 30, 1, 1}}, [4]int{}, "has 2 layers and 1073741824 sequences"},
	} {
		s := &States{}
		for _, shape := range test.shapes {
			s.arrays = append(s.arrays, arrays.Array{Shape: shape})
		}
		err := s.arrange()
		if test.reason != "" {
			if err == nil || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("%v: error %v, want %q", test.shapes, err, test.reason)
			}
			continue
		}
		if got := [4]int{s.Layers, s.Sequences, s.Tokens, s.Dim}; err != nil || got != test.want {
			t.Errorf("%v: %v, %v", test.shapes, got, err)
		}
	}
}

// A mask has an entry for each token of each sequence; a single sequence needs no axis of sequences.
func TestShapesOfMasks(t *testing.T) {
	const path = "testdata/mask.npy" // 2 × 4
	flat := filepath.Join(t.TempDir(), "flat.npy")
	content := must.Get(os.ReadFile(path))(t)
	two, one := []byte("(2, 4), }"), []byte("(4,), }  ")
	must.Do(t, os.WriteFile(flat, replaced(t, content, two, one), 0o666))
	for _, test := range []struct {
		path              string
		sequences, tokens int
		good              bool
	}{{path, 2, 4, true}, {path, 1, 8, false}, {path, 4, 2, false}, {path, 2, 3, false}, {flat, 1, 4, true},
		{flat, 2, 4, false}, {flat, 1, 3, false}, {"testdata/missing.npy", 2, 4, false}} {
		mask, err := Mask(test.path, test.sequences, test.tokens)
		if (err == nil) != test.good || test.good && len(mask) != test.sequences*test.tokens {
			t.Errorf("%s of %d × %d: %v, %v", test.path, test.sequences, test.tokens, mask, err)
		}
	}
}

// replaced returns bytes with a text replaced by another of its length.
func replaced(t *testing.T, content, old, new []byte) []byte {
	t.Helper()
	before, after, found := strings.Cut(string(content), string(old))
	if !found || len(old) != len(new) {
		t.Fatalf("%q is not in the file", old)
	}
	return []byte(before + string(new) + after)
}
