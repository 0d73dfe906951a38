package quadrature

import (
	"math"
	"testing"
)

func TestRoot(t *testing.T) {
	near(t, "√2", Root(func(x float64) float64 { return x*x - 2 }, 0, 5), math.Sqrt2, 1e-15)
	near(t, "0", Root(func(x float64) float64 { return x }, -1, 3), 0, 1e-15)
}

// Bisect finds the float64 next to the zero, and Newton one within two units in the last place, even if
// its first steps leave the bracket.
func TestBisectAndNewton(t *testing.T) {
	square := func(x float64) (value, slope float64) { return x*x - 2, 2 * x }
	near(t, "√2 by bisection", Bisect(func(x float64) float64 { v, _ := square(x); return v }, 0, 5),
		math.Sqrt2, 3e-16)
	near(t, "√2 by Newton", Newton(square, 0, 5), math.Sqrt2, 5e-16)
	steep := func(x float64) (value, slope float64) {
		return math.Atan(40 * (x - 0.3)),
			40 / (1 + 1600*(x-0.3)*(x-0.3))
	}
	near(t, "0.3 by Newton", Newton(steep, -5, 9), 0.3, 2e-16)
}
