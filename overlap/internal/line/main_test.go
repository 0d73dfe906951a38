package line

import (
	"math"
	"testing"
)

// near fails unless |got-want| ≤ tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}
