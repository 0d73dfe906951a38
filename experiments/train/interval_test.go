package train

import (
	"math"
	"testing"
)

// The interval of differences 1, 2, 3 and 4 is that of a table of Student's law: 3.18245 standard errors of
// √(5/3)/2. What one list has more is left out, and of one pair nothing is known.
func TestPairedInterval(t *testing.T) {
	mean, half := pairedInterval([]float64{5, 5, 5, 5, 9}, []float64{4, 3, 2, 1})
	if want := 3.182446305 * math.Sqrt(5./3) / 2; mean != 2.5 || math.Abs(half-want) > 1e-8 {
		t.Errorf("%v ± %v, want 2.5 ± %v", mean, half, want)
	}
	if mean, half = pairedInterval([]float64{3}, []float64{1}); mean != 2 || !math.IsInf(half, 1) {
		t.Errorf("one pair: %v ± %v", mean, half)
	}
}
