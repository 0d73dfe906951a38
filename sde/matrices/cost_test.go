package matrices

import (
	"runtime"
	"testing"

	"antipode/sphere/must"
)

// Estimates of memory are those of what is allocated, within a factor: for sizes in which each of their terms
// is the largest in turn. What singular values need is not allocated here.
func TestMemoryEstimates(t *testing.T) {
	check := func(what any, estimate, least, most float64, build func()) {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		build()
		runtime.ReadMemStats(&after)
		ratio := float64(after.TotalAlloc-before.TotalAlloc) / estimate
		if !(least <= ratio && ratio <= most) {
			t.Errorf("%+v: %.3f of the estimated memory, want %v to %v", what, ratio, least, most)
		}
	}
	for _, l := range []ScoreLayer{
		{Tokens: 30, Dim: 700, Rows: 4}, {Tokens: 4000, Dim: 80, Rows: 3}, {Tokens: 500, Dim: 4, Rows: 490},
		{Tokens: 500, Dim: 100, Rows: 490, Rho: 0.3},
	} {
		check(l, l.Memory(), 0.66, 1.4, func() {
			s := l.Draw(1, 0)
			s.Attend(2)
			s.Moments()
		})
	}
	for _, n := range []Network{
		{Attention: Markov, Tokens: 200, Dim: 50, Layers: 3, Heads: 1},
		{Attention: Markov, Tokens: 40, Dim: 240, Layers: 3, Heads: 1},
		{Attention: Softmax, Tokens: 40, Dim: 240, Layers: 4, Heads: 4},
		{Attention: Softmax, Tokens: 120, Dim: 60, Layers: 3, Heads: 6},
	} {
		check(n, n.Memory(n.Layers), 0.4, 1.2, func() { must.Get(n.Workspace().Gradients(1, 0))(t) })
	}
	for _, n := range []Network{
		{Attention: Markov, Tokens: 600, Dim: 50, Layers: 4, Heads: 1},
		{Attention: Markov, Tokens: 50, Dim: 600, Layers: 4, Heads: 1},
	} {
		check(n, n.LargeMemory(), 0.66, 1.4, func() { must.Get(n.NewLarge(t.Context(), 1, 0, 1))(t) })
	}
}

// Operations are counted by hand: multiplications, of which eight take as long as one that no vector
// instruction does, and 30 for each number that is drawn or exponentiated.
func TestOperationEstimates(t *testing.T) {
	// 15 + 18 entries drawn, 2 rows of queries and of keys, 10 scores of 3 products; 10 exponentials, 30
	// products for outputs.
	if sample, each := (ScoreLayer{Tokens: 5, Dim: 3, Rows: 2}).Operations(); sample != 990+36+30 ||
		each != 300+30 {
		t.Errorf("scores: %v and %v operations", sample, each)
	}
	for _, c := range []struct {
		n    Network
		want float64
	}{
		{Network{Attention: Markov, Tokens: 4, Dim: 6, Heads: 2}, (144+96)/8 + 30*(36+32)},
		{Network{Attention: Softmax, Tokens: 4, Dim: 6, Heads: 2}, (3*144+2*96)/8 + 30*(3*36+32)},
		{Network{Attention: Markov, Tokens: 4, Dim: 6, Heads: 2, Gap: RemoveOutliers,
			Values: OrthogonalValues}, (144+96)/8 + 30*(36+32) + 20*64*2 + 4*216},
	} {
		if got := c.n.Operations(); got != c.want {
			t.Errorf("%+v: %v operations, want %v", c.n, got, c.want)
		}
	}
}

// The numbers of a layer are counted by hand: for each head scores and attention, the tokens twice, and each
// projection with its product. Three more squares and three more sets of tokens are for decompositions.
func TestMemoryIsCounted(t *testing.T) {
	for _, c := range []struct {
		n       Network
		layers  int
		numbers float64
	}{
		{Network{Attention: Markov, Tokens: 5, Dim: 3, Heads: 2}, 1, 100 + 30 + 15 + 15 + 75 + 45},
		{Network{Attention: Markov, Tokens: 5, Dim: 3, Heads: 2}, 4, 4*(100+30+15+15) + 75 + 45},
		{Network{Attention: Softmax, Tokens: 3, Dim: 7, Heads: 1}, 2, 2*(18+42+3*(49+21)) + 27 + 63},
	} {
		if got := c.n.Memory(c.layers); got != 8*c.numbers {
			t.Errorf("%+v, %d layers: %v bytes, want %v", c.n, c.layers, got, 8*c.numbers)
		}
	}
}

// The numbers of a layer of scores are counted by hand: tokens, two projections, three times the rows of the
// attention matrix, and three times the rows of the tokens; those of a large sample are its matrices and 300
// vectors of Lanczos' method.
func TestMemoryOfLargeSamplesIsCounted(t *testing.T) {
	if got := (ScoreLayer{Tokens: 5, Dim: 3, Rows: 2}).Memory(); got != 8*(15+18+30+18) {
		t.Errorf("scores: %v bytes", got)
	}
	for _, c := range []struct {
		n       Network
		numbers float64
	}{
		{Network{Tokens: 5, Dim: 3, Layers: 1}, 25 + 15 + 1500},
		{Network{Tokens: 5, Dim: 7, Layers: 4}, 100 + 35 + 147 + 2100},
	} {
		if got := c.n.LargeMemory(); got != 8*c.numbers {
			t.Errorf("%+v: %v bytes, want %v", c.n, got, 8*c.numbers)
		}
	}
}
