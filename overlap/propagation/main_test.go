package propagation

import (
	"math"
	"testing"

	"antipode/overlap/internal/overlaptest"
)

// TestMain fixes the seed and the number of draws of all property tests.
func TestMain(m *testing.M) { overlaptest.Main(m, 300) }

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

// overNormal returns E f(z) for a standard normal z, by the trapezoidal rule.
func overNormal(h float64, f func(z float64) float64) float64 {
	sum := 0.0
	for k := -int(9 / h); k <= int(9/h); k++ {
		z := h * float64(k)
		sum += math.Exp(-z*z/2) * f(z)
	}
	return sum * h / math.Sqrt(2*math.Pi)
}
