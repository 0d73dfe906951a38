package spectrum

import (
	"math"
	"testing"

	"antipode/overlap/spectrum"
)

// Kolmogorov distances computed by hand: from the uniform law of three values, of two values where the
// largest distance is just below a value, and of values with ties; and from a law with an atom of ½ at 0, of
// values that have the atom and of values that do not.
func TestDistance(t *testing.T) {
	uniform := func(x float64) float64 { return max(0, min(x, 1)) }
	atom := func(x float64) float64 {
		if x < 0 {
			return 0
		}
		return 0.5 + 0.5*min(x, 1)
	}
	for _, c := range []struct {
		values []float64
		law    func(float64) float64
		want   float64
	}{
		{[]float64{0.9, 0.1, 0.4}, uniform, 2./3 - 0.4},
		{[]float64{0.9, 0.5}, uniform, 0.5},
		{[]float64{0.3, 0.3, 0.3, 0.9}, uniform, 0.45},
		{[]float64{0, 0, 0.5, 1}, atom, 0.25},
		{[]float64{0.2, 0.6}, atom, 0.6},
	} {
		if got := distance(c.values, c.law); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%v: distance %v, want %v", c.values, got, c.want)
		}
	}
	got := distance([]float64{1.3}, spectrum.QuarterCircle{Sigma: 1.3}.Distribution)
	if want := 1./3 + math.Sqrt(0.75)/math.Pi; !(math.Abs(got-want) <= 1e-12) { // φ = π/6: (2φ + sin 2φ)/π
		t.Errorf("distance %v, want %v", got, want)
	}
}
