package matrices

import (
	"testing"

	"antipode/internal/products"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

// The matrix without outliers is USVᵀ with the outlying singular values replaced by 0, for none, one or
// many outliers, to 1e-13 of the largest value: some 10 times the rounding errors of the decomposition.
func TestOutliersAreRemoved(t *testing.T) {
	attention := func(n Network) *mat.Dense { return advanced(t, n, 1, 0).Attention(0) }
	// A normal matrix with singular values of 40.1 and 37.9 above a bulk up to 18.8; the threshold is
	// 39.4.
	single := Network{Tokens: 90, Dim: 90, Heads: 1}.Start(1, 0).normal(90, valueRole, 0, 0)
	single.Set(3, 5, single.At(3, 5)+39)
	single.Set(7, 9, single.At(7, 9)+36)
	values, err := SingularValues(single)
	if err != nil || !(values[1] > 4.7*values[45]) {
		t.Fatalf("singular values %v, error %v", values[:3], err)
	}
	small := mat.DenseCopyOf(single) // as from the scores of a vanishing signal
	small.Scale(1e-200, small)
	for _, c := range []struct {
		what        string
		whole       *mat.Dense
		fewest, all int // numbers of outliers
	}{
		{"identity", attention(Network{Attention: Identity, Tokens: 40, Dim: 50, Layers: 1, Heads: 1}), 0, 0},
		{"markov", attention(Network{Attention: Markov, Tokens: 90, Dim: 50, Layers: 1, Heads: 1}), 1, 1},
		{"softmax", attention(Network{Attention: Softmax, Tokens: 80, Dim: 80, Layers: 3, Heads: 1}), 5, 39},
		{"a sum", single, 1, 1},
		{"a small one", small, 1, 1},
	} {
		whole := c.whole
		o := must.Get(outliersOf(whole))(t)
		if o.count < c.fewest || o.count > c.all {
			t.Errorf("%v: %d outliers, want %d to %d", c.what, o.count, c.fewest, c.all)
		}
		want, got := mat.DenseCopyOf(whole), mat.DenseCopyOf(whole)
		for k := range o.count {
			want.RankOne(want, -o.values[k], o.left.ColView(k), o.right.ColView(k))
		}
		must.Do(t, RemoveOutliers.remove(got, products.New(1)))
		if !mat.EqualApprox(got, want, 1e-13*o.values[0]) {
			got.Sub(got, want)
			t.Errorf("%v: off by %g", c.what, mat.Norm(got, 2))
		}
	}
}
