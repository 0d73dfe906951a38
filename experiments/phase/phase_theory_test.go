package phase

import (
	"math"
	"strings"
	"testing"
)

// Cells without a theory are not said to agree with it: two of two, and one of two.
func TestTextOfMissingTheory(t *testing.T) {
	nan := math.NaN()
	phase := func(horizon ...float64) string {
		return (&phaseCells{
			dim: []int32{4, 4}, beta: []float64{1, 2}, trajectories: []int64{100, 100}, antipodal: []int64{20, 40},
			limit: []float64{0.2, 0.4}, horizon: horizon,
		}).sentence()
	}
	for _, c := range []struct{ got, want string }{
		{phase(nan, nan), " There is no theory to compare these cells with."},
		// 20 of 100 for 0.5 are 30/√25 standard errors off.
		{phase(0.5, nan), "is 6.0 standard errors, but for 1 of 2 cells, of which there is no theory."},
		{phase(0.2, 0.4), "is 0.0 standard errors."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q has not %q", c.got, c.want)
		}
	}
}
