package attention

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestLargestScoreIsABound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		d := 1 + r.IntN(5)
		b := make([]float64, d*d)
		for k := range b {
			b[k] = r.NormFloat64()
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(d, d, slices.Clone(b)), mat.SVDNone) {
			t.Fatal("no singular values")
		}
		norm := svd.Values(nil)[0]
		if bound := LargestScore(b, d); bound < norm*(1-1e-12) ||
			bound > norm*math.Sqrt(float64(d))*(1+1e-12) {
			t.Errorf("bound %v of spectral norm %v", bound, norm)
		}
	}
	if LargestScore(nil, 7) != 1 {
		t.Error("identity")
	}
}

// The bound on a score is the smaller of two: that from the sums of rows and columns, which is smaller for
// the identity, and the Frobenius norm, which is smaller for a matrix with one dense row and one dense
// column.
func TestLargestScoreIsTheBetterBound(t *testing.T) {
	for _, c := range []struct {
		matrix []float64
		want   float64
	}{
		{[]float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 1},
		{[]float64{0.5, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.5}, 2},
		{[]float64{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 3},
		{[]float64{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 2},            // rows 4, columns 1
		{[]float64{1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, math.Sqrt(7)}, // rows and columns 4
	} {
		if got := LargestScore(c.matrix, 4); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%v: %v, want %v", c.matrix, got, c.want)
		}
	}
}
