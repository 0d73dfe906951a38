package exactlaw

import (
	"math"
	"testing"
)

// In two and in four dimensions the mean over orthonormal pairs has closed forms, with Laguerre
// polynomials after the integral over r:
//
//	H ∝ e^x (1+x) + e^y (1+y), and H ∝ (e^x (1+2x+x²/2) - e^y (1+2y+y²/2))/Q, x = B²/2, y = w/2.
func TestShapeFactorInClosedForm(t *testing.T) {
	for dim, logarithm := range map[int]func(q, w float64) float64{
		2: func(q, w float64) float64 {
			x, y := 2*q+w/2, w/2
			return math.Log(1 + x + math.Exp(y-x)*(1+y))
		},
		4: func(q, w float64) float64 {
			x, y := 2*q+w/2, w/2
			return math.Log((1 + 2*x + x*x/2 - math.Exp(y-x)*(1+2*y+y*y/2)) / q)
		},
	} {
		s, half := shapeFactorsIn(dim), 0.5*float64(dim)
		at := func(q, w float64) (got, want float64) {
			want = logarithm(q, w) - half*math.Log(4*q+w+4*s.scale) + (half-1)*math.Log(q+s.scale)
			return s.at(q, w, math.Log1p(q/s.scale)), want
		}
		got, want := at(100, 10)
		constant := got - want
		for _, q := range []float64{0.02, 0.3, 2, 7, 50, 3000} {
			for _, w := range []float64{0, 0.1, 3, 20, 1e3, 1e7} {
				tolerance := 1e-9
				if q < 5 { // where noise is large against the tokens
					tolerance = 5e-8
				}
				got, want := at(q, w)
				near(t, "G", got-constant, want, tolerance)
			}
		}
	}
}

// Between its nodes the table is the integral it was made of, at any dimension.
func TestShapeFactorIsResolved(t *testing.T) {
	for dim, tolerance := range map[int]float64{3: 1e-9, 7: 2e-9} {
		s := shapeFactorsIn(dim)
		for _, q := range []float64{1, 40} {
			for _, w := range []float64{0.3, 50} {
				near(t, "G", s.at(q, w, math.Log1p(q/s.scale)), s.integral(q, w), tolerance)
			}
		}
	}
}

// The mean over a sphere of R³ is sinh κ/κ, and in one dimension cosh κ.
func TestSphereMean(t *testing.T) {
	three, one := newSphereMean(3), newSphereMean(1)
	base := three.log(1) + 1 - math.Log(math.Sinh(1))
	for _, kappa := range []float64{0.01, 0.3, 2, 9, 60, 4e3, 1e6} {
		want := math.Log(-math.Expm1(-2*kappa) / (2 * kappa))
		near(t, "mean on the sphere", three.log(kappa)-base, want, 1e-12)
		near(t, "mean on two points", one.log(kappa), math.Log1p(math.Exp(-2*kappa)), 1e-15)
	}
}
