package hybrid

import (
	"math"
	"strings"
	"testing"
)

// Cells without a theory are not said to agree with it: two of two, and one of two.
func TestTextOfMissingHybridTheory(t *testing.T) {
	nan := math.NaN()
	hybrid := func(single, antipodal []float64) string {
		return (&hybridCells{
			beta: []float64{1, 1}, epsilon: []float64{0.2, 2}, trajectories: []int64{100, 100},
			single: []int64{90, 10}, antipodal: []int64{10, 90}, pSingle: []float64{0.9, 0.1}, pAntipodal: []float64{0.1, 0.9},
			limit: []float64{0, 1}, antipodalHorizon: antipodal, singleHorizon: single,
			singleThreshold: []float64{0.86, 0.86}, antipodalThreshold: []float64{0.86, 0.86},
		}).sentence(New())
	}
	for _, c := range []struct{ got, want string }{
		{hybrid([]float64{nan, nan}, []float64{nan, nan}), " There is no theory to compare these cells with."},
		{hybrid([]float64{nan, nan}, []float64{nan, 0.5}), "is 8.0 standard errors, but for 1 of 2 cells, of which there is no theory."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q has not %q", c.got, c.want)
		}
	}
}
