package kernels

import (
	"math"
	"slices"
	"testing"

	"antipode/sphere/elementary"
)

// Exponentials equal elementary.Exp, except below -354.1982, where their squares would be subnormal.
func TestExponentials(t *testing.T) {
	numbers := []float64{3, 0, -0.5, -354, -354.198,
		-354.1983, -355, -800, math.Inf(-1), -1, math.Inf(1), math.NaN()}
	want := []float64{elementary.Exp(3), 1, elementary.Exp(-0.5), elementary.Exp(-354),
		elementary.Exp(-354.198), 0, 0, 0, 0, elementary.Exp(-1), math.Inf(1)}
	withEach(t, func(t *testing.T) {
		got := slices.Clone(numbers)
		Exponentials(got, 1)
		if last := len(want); !slices.Equal(got[:last], want) || !math.IsNaN(got[last]) {
			t.Errorf("exponentials %v, want %v and NaN", got, want)
		}
	})
}

// The numerators of softmax do not overflow, and that of the largest score is 1.
func TestSoftmaxNumerators(t *testing.T) {
	scores := []float64{1e4 - 2, 1e4, -1e4}
	SoftmaxNumerators(scores, 0.5)
	want := []float64{math.Exp(-1), 1, 0}
	if !(math.Abs(scores[0]-want[0]) < 1e-15) || scores[1] != 1 || scores[2] != 0 {
		t.Errorf("%v, want %v", scores, want)
	}
}
