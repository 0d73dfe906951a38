package matrices

import (
	"errors"
	"math"
	"slices"
	"testing"

	"antipode/sphere/must"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Entries that are NaN keep singular values and gradients from converging, and no number is returned.
func TestNoConvergence(t *testing.T) {
	nan := math.NaN()
	_, covariance := CovarianceExcess(mat.NewDense(3, 3, []float64{1, 2, 3, 4, nan, 6, 7, 8, 9}))
	l := NewLanczos(func(dst, src []float64) {
		for k := range dst {
			dst[k] = nan
		}
	}, 3)
	for range 3 {
		l.Step()
	}
	_, _, top := l.Top()
	n := Network{Attention: Softmax, Tokens: 4, Dim: 6, Layers: 2, Heads: 1, Gap: RemoveOutliers}
	w := n.Workspace()
	gradients, byOutliers := w.gradients(1, 0, mat.NewDense(4, 6, nil), func(layer, head int,
		_ blas64.General) float64 {
		w.layers[layer].heads[head].raw.Set(1, 2, nan)
		return 0
	})
	large := must.Get(Network{Tokens: 4, Dim: 6, Layers: 1, Heads: 1}.NewLarge(t.Context(), 1, 0, 1))(t)
	large.attention[0].Data[2] = nan
	_, _, excess := large.Excess(1)
	_, values := large.AttentionValues(1, 2)
	for what, err := range map[string]error{"covariance": covariance, "top": top, "outliers": byOutliers,
		"excess": excess, "values": values} {
		if !errors.Is(err, ErrNoConvergence) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if gradients != nil {
		t.Errorf("gradients %v", gradients)
	}
}

// Matrices with an entry that is not finite have no singular values and no eigenvalues; LAPACK would never
// return, or panic, or return NaN.
func TestValuesOfEntriesThatAreNotFinite(t *testing.T) {
	for _, n := range []int{1, 2, 3, 40} {
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			m := mat.NewDense(n, n, nil)
			m.Set(0, n-1, x)
			values, singular := SingularValues(m)
			eigenvalues, eigen := Eigenvalues(m)
			if singular != ErrNoConvergence || eigen != ErrNoConvergence {
				t.Errorf("%v: singular values %v, eigenvalues %v", x, values, eigenvalues)
			}
		}
	}
}

// As many eigenvalues are returned as are asked for, also if they are more than the steps after which
// Lanczos' method first looks whether it can end.
func TestMoreEigenvaluesThanSteps(t *testing.T) {
	apply := func(dst, src []float64) {
		for k, v := range src {
			dst[k] = float64(k+1) * v
		}
	}
	for _, count := range []int{9, 10, 12, 40, 50} {
		values, _, err := largest(apply, 40, count, 1e9)
		slices.Reverse(values)
		if err != nil || len(values) != min(count, 40) || !slices.IsSorted(values) {
			t.Errorf("%v, %v: want %d descending values", values, err, min(count, 40))
		}
	}
}

// A weight of sigmoid attention below the smallest weight is 0: tokens whose score is far below 0.
func TestSmallestSigmoid(t *testing.T) {
	n := Network{Attention: Sigmoid, Tokens: 2, Dim: 1, Heads: 1, KeyScale: 1}
	score := math.Log(0x1p-511) // its weight is half the smallest weight
	m := mat.NewDense(2, 2, []float64{score, score + 0.7, 0, 3})
	n.normalize(m)
	if got := m.RawRowView(0); got[0] != 0 || !(math.Abs(got[1]*0x1p511-math.Exp(0.7)/2) <= 1e-9) {
		t.Errorf("weights %v", got)
	}
	if got := m.RawRowView(1); got[0] != 0.25 || !(math.Abs(got[1]-0.4762870634112166) <= 1e-15) {
		t.Errorf("weights %v", got)
	}
}
