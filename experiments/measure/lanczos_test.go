package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The largest eigenvalue is returned if it is certain to be the largest; it is not if, judging by the sum of
// squares, another eigenvalue could be as large.
func TestLargestIsCertain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		eigenvalues []float64
		certain     bool
	}{
		{[]float64{3, 1, 0.5, 0.25, 0}, true},
		{[]float64{3, 2.9, 0.5, 0, 0}, true}, // certain, as 2·9 > 9 + 8.41 + 0.25
		{[]float64{3, 2.9, 0.8, 0, 0}, false},
		{[]float64{3, 2, 2, 1, 0.5}, false},
		{[]float64{3, 3, 3, 3, 3}, false},
	} {
		n, squares := len(c.eigenvalues), 0.
		g := mat.NewDense(n, n, nil)
		g.Apply(func(int, int, float64) float64 { return random.NormFloat64() }, g)
		var qr mat.QR
		qr.Factorize(g)
		var q, scaled, a mat.Dense
		qr.QTo(&q)
		scaled.Mul(&q, mat.NewDiagDense(n, c.eigenvalues))
		a.Mul(&scaled, q.T())
		symmetric := mat.NewSymDense(n, nil)
		for i, v := range c.eigenvalues {
			squares += v * v
			for j := range n {
				symmetric.SetSym(i, j, a.At(i, j))
			}
		}
		value, certain := largest(symmetric.RawSymmetric(), squares)
		if certain != c.certain || certain && !(math.Abs(value-c.eigenvalues[0]) <= 1e-5) {
			t.Errorf("%v: %v, certain: %v", c.eigenvalues, value, certain)
		}
	}
}
