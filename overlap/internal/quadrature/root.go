package quadrature

import (
	"math"
)

// Root returns the zero of f between a and b, where f has different signs, to within a
// few rounding errors of x or of f: regula falsi, with the weight of a bound that
// stays halved (the Illinois method).
func Root(f func(x float64) float64, a, b float64) float64 {
	fa, fb := f(a), f(b)
	for fb != 0 && math.Abs(b-a) > 0x1p-50*math.Abs(b) {
		x := b - float64(fb*((b-a)/(fb-fa)))
		if x == b {
			break
		}
		fx := f(x)
		if fx*fb < 0 {
			a, fa = b, fb
		} else {
			fa *= 0.5
		}
		b, fb = x, fx
	}
	return b
}
