package tasks

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all tasks end where the comments say.
func TestDomains(t *testing.T) {
	above, nan := domaintest.Above, math.NaN()
	noise := [][]float64{{5e-324, 1}, {0, -1, above(1), nan}}
	strength := [][]float64{{5e-324, 10}, {0, -1, above(10), nan}}
	domaintest.Check(t, "symbols of a walk", func(n int) error {
		return domaintest.Error(Walk(n, []int{1}, 1))
	}, []int{2, 256}, []int{1, 0, 257})
	domaintest.Check(t, "steps of a walk", func(steps []int) error {
		return domaintest.Error(Walk(3, steps, 1))
	}, [][]int{{1}}, [][]int{nil, {}})
	domaintest.Check(t, "noise of a walk", func(x float64) error {
		return domaintest.Error(Walk(3, []int{1}, x))
	},
		noise[0], noise[1])
	domaintest.Check(t, "symbols of a long walk", func(n int) error { return LongWalk{n, 1, 1}.validate() },
		[]int{2, 256}, []int{1, 257})
	domaintest.Check(t, "noise of a long walk", func(x float64) error { return LongWalk{3, 1, x}.validate() },
		noise[0], noise[1])
	// Ten symbols have 10^6 contexts for a memory of 3, and 10^8 for one of 4; 10^7 is between 56^4 and 57^4.
	domaintest.Check(t, "memory", func(n int) error { return LongWalk{10, n, 1}.validate() },
		[]int{1, 3}, []int{0, -1, 4})
	domaintest.Check(t, "symbols of a memory", func(n int) error { return LongWalk{n, 2, 1}.validate() },
		[]int{56}, []int{57})
	// Two masks with a visible token before, between and after them take 5 tokens.
	domaintest.Check(t, "tokens of a long walk", func(n int) error {
		return domaintest.Error(MaskedLongWalk(LongWalk{3, 1, 1}, n, 2, 1))
	}, []int{5, 4096}, []int{4, 4097})
	chain, err := Walk(3, []int{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	domaintest.Check(t, "tokens", func(n int) error { return domaintest.Error(MaskedChain(chain, n, 1, 1)) },
		[]int{2, 4096}, []int{1, 0, 4097})
	domaintest.Check(t, "masks", func(n int) error { return domaintest.Error(MaskedChain(chain, 5, n, 1)) },
		[]int{1, 5}, []int{0, 6})
	// The last tenth of 80 bytes has 8.
	domaintest.Check(t, "bytes", func(n int) error {
		return domaintest.Error(MaskedText(make([]byte, n), 8, 1, 1))
	},
		[]int{80}, []int{79, 0})
	domaintest.Check(t, "masks of a text", func(n int) error {
		return domaintest.Error(MaskedText(make([]byte, 80), 8, n, 1))
	}, []int{1, 8}, []int{0, 9})
	domaintest.Check(t, "tokens of a text", func(n int) error {
		return domaintest.Error(MaskedText(make([]byte, 80), n, 1, 1))
	}, []int{2, 8}, []int{-1, 0, 1, 9})
	domaintest.Check(t, "sum of probabilities", func(x float64) error {
		return domaintest.Error(NewChain([][]float64{{0.5, x}, {0.5, 0.5}}))
	}, []float64{0.5, 0.5 + 0.99e-9, 0.5 - 0.99e-9}, []float64{0.5 + 1.01e-9, 0.5 - 1.01e-9, -0.5, nan})
	domaintest.Check(t, "chain", func(rows [][]float64) error { return domaintest.Error(NewChain(rows)) },
		[][][]float64{{{0, 1}, {1, 0}}}, [][][]float64{{{1}}, {{1}, {0, 1}}, {{1.5, -0.5}, {0.5, 0.5}},
			{{1, 0}, {0.5, 0.5}}, {{0.5, 0.5}, {0, 1}}})

	domaintest.Check(t, "tokens of a heaviside", func(n int) error {
		return domaintest.Error(NewHeaviside(n, 5, 1, 1, 1))
	}, []int{2, 5}, []int{1, 6})
	domaintest.Check(t, "examples for training", func(n int64) error {
		return domaintest.Error(NewHeaviside(2, 2, n, 1, 1))
	}, []int64{0, 1, 1<<26 - 1}, []int64{-1, 1 << 26})
	domaintest.Check(t, "examples for validation", func(n int64) error {
		return domaintest.Error(NewHeaviside(2, 2, 0, n, 1))
	}, []int64{1, 1 << 26}, []int64{0, -1, 1<<26 + 1})

	domaintest.Check(t, "classes of textures", func(n int) error {
		return domaintest.Error(NewTextures(TextureLaw{Classes: n, Strength: 1}, 0, 0, 1))
	}, []int{2, 10}, []int{1, 11})
	domaintest.Check(t, "strength of textures", func(x float64) error {
		return domaintest.Error(NewTextures(TextureLaw{Classes: 2, Strength: x}, 0, 0, 1))
	}, strength[0], strength[1])
	domaintest.Check(t, "negatives", func(x float64) error {
		return domaintest.Error(NewTextures(TextureLaw{2, 1, x}, 0, 0, 1))
	}, []float64{0, 0.5}, []float64{domaintest.Below(0), above(0.5), nan})
	for split := range 2 {
		domaintest.Check(t, "examples of textures", func(n int64) error {
			examples := [2]int64{}
			examples[split] = n
			law := TextureLaw{Classes: 2, Strength: 1}
			return domaintest.Error(NewTextures(law, examples[0], examples[1], 1))
		}, []int64{0, 1}, []int64{-1})
	}
	domaintest.Check(t, "classes of places", func(n int) error {
		return domaintest.Error(NewPlaces(PlaceLaw{n, 1}, 1))
	},
		[]int{2, 10}, []int{1, 11})
	domaintest.Check(t, "classes of neighbours", func(n int) error {
		return domaintest.Error(NewNeighbours(NeighbourLaw{n, 1}, 1))
	}, []int{2, 9}, []int{1, 10})
	domaintest.Check(t, "strength of places", func(x float64) error {
		return domaintest.Error(NewPlaces(PlaceLaw{2, x}, 1))
	}, strength[0], strength[1])
	domaintest.Check(t, "strength of neighbours", func(x float64) error {
		return domaintest.Error(NewNeighbours(NeighbourLaw{2, x}, 1))
	}, strength[0], strength[1])
}

// A symbol is picked where the cumulative sums pass a number; beyond the last sum, which may be below 1 by
// rounding, it is the last symbol of positive probability.
func TestPick(t *testing.T) {
	for _, c := range []struct {
		sums []float64
		u    float64
		want int
	}{
		{[]float64{0.25, 0.5, 1}, 0, 0}, {[]float64{0.25, 0.5, 1}, 0.25, 1},
		{[]float64{0.25, 0.5, 1}, 0.5, 2},
		{[]float64{0, 0.5, 0.5, 1}, 0, 1}, {[]float64{0, 0.5, 0.5, 1}, 0.5, 3},
		{[]float64{0.25, 0.5, 0.75}, 0.9, 2}, {[]float64{0.25, 0.75, 0.75}, 0.75, 1},
		{[]float64{0.75, 0.75, 0.75}, 0.8, 0},
	} {
		if got := pick(c.sums, c.u); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
