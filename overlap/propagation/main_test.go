package propagation

import (
	"flag"
	"math"
	"os"
	"testing"
)

// TestMain fixes the seed and the number of draws of all property tests, and keeps them
// from writing files.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("rapid.seed", "20260301")
	flag.Set("rapid.nofailfile", "true")
	flag.Set("rapid.checks", "300")
	os.Exit(m.Run())
}

// near fails unless |got-want| ≤ tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}

// overNormal is E f(z) for a standard normal z, by the trapezoidal rule.
func overNormal(h float64, f func(z float64) float64) float64 {
	sum := 0.0
	for k := -int(9 / h); k <= int(9/h); k++ {
		z := h * float64(k)
		sum += math.Exp(-z*z/2) * f(z)
	}
	return sum * h / math.Sqrt(2*math.Pi)
}
