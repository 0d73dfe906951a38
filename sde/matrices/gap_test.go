package matrices

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A matrix without outliers is UfSVᵀ with their singular values 0, whether they are none, one or many, to 1e-13
// of the largest: some 10 times the rounding errors of the decomposition.
func TestOutliersAreRemoved(t *testing.T) {
	for _, c := range []struct {
		n           Network
		fewest, all int // outliers
	}{
		{Network{Attention: Identity, Tokens: 40, Dim: 50, Layers: 1, Heads: 1}, 0, 0},
		{Network{Attention: Markov, Tokens: 90, Dim: 50, Layers: 1, Heads: 1}, 1, 1},
		{Network{Attention: Softmax, Tokens: 80, Dim: 80, Layers: 3, Heads: 1}, 5, 39},
	} {
		whole := advanced(t, c.n, 1, 0).Attention(0)
		o, err := outliersOf(whole)
		if err != nil {
			t.Fatal(err)
		}
		if o.count < c.fewest || o.count > c.all {
			t.Errorf("%v: %d outliers, want %d to %d", c.n.Attention, o.count, c.fewest, c.all)
		}
		want, got := mat.DenseCopyOf(whole), mat.DenseCopyOf(whole)
		for k := range o.count {
			want.RankOne(want, -o.values[k], o.left.ColView(k), o.right.ColView(k))
		}
		if err := RemoveOutliers.remove(got, c.n.Workspace().multiplier); err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(got, want, 1e-13*o.values[0]) {
			got.Sub(got, want)
			t.Errorf("%v: off by %g", c.n.Attention, mat.Norm(got, 2))
		}
	}
}
