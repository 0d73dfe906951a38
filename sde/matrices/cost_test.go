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
