package exactlaw

import (
	"math"
	"testing"
)

// In four dimensions the mean over orthonormal pairs has a closed form, with Laguerre polynomials from
// the integral over r:
//
//	H ∝ (e^x (1+2x+x²/2) - e^y (1+2y+y²/2))/Q, x = B²/2, y = w/2.
func TestShapeFactorInClosedForm(t *testing.T) {
	s := densityTables.At(4)
	closed := func(q, w float64) float64 {
		x, y := 2*q+w/2, w/2
		return math.Log((1+2*x+x*x/2-math.Exp(-2*q)*(1+2*y+y*y/2))/q) - 2*math.Log(4*q+w+4*s.scale) +
			math.Log(q+s.scale)
	}
	constant := s.at(100, 10) - closed(100, 10)
	for _, q := range []float64{0.02, 0.3, 2, 7, 50, 3000} {
		for _, w := range []float64{0, 0.1, 3, 20, 1e3, 1e7} {
			near(t, "G", s.at(q, w)-constant, closed(q, w), 5e-11)
		}
	}
}

// Between its nodes the table agrees with the integral that it interpolates, in every dimension.
func TestShapeFactorIsResolved(t *testing.T) {
	for dim, tolerance := range map[int]float64{3: 5e-11, 7: 5e-11, 60: 3e-10} {
		s := densityTables.At(dim)
		for _, q := range []float64{1, 40} {
			for _, w := range []float64{0.3, 50} {
				near(t, "G", s.at(q, w), s.evaluate(q, w), tolerance)
			}
		}
	}
}
