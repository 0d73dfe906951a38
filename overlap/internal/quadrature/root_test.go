package quadrature

import (
	"math"
	"testing"
)

func TestRoot(t *testing.T) {
	near(t, "√2", Root(func(x float64) float64 { return x*x - 2 }, 0, 5), math.Sqrt2, 1e-15)
	near(t, "0", Root(func(x float64) float64 { return x }, -1, 3), 0, 1e-15)
}
