package train

import (
	"math"
	"testing"
)

// The half-width of the interval of the differences 1, 2, 3 and 4 is 3.18245 (from a table of Student's
// distribution) times the standard error √(5/3)/2. If one list is longer, the rest of it is ignored; one pair
// gives an infinite interval.
func TestPairedInterval(t *testing.T) {
	mean, half := pairedInterval([]float64{5, 5, 5, 5, 9}, []float64{4, 3, 2, 1})
	if want := 3.182446305 * math.Sqrt(5./3) / 2; mean != 2.5 || !(math.Abs(half-want) <= 1e-8) {
		t.Errorf("%v ± %v, want 2.5 ± %v", mean, half, want)
	}
	if mean, half = pairedInterval([]float64{3}, []float64{1}); mean != 2 || !math.IsInf(half, 1) {
		t.Errorf("one pair: %v ± %v", mean, half)
	}
}
