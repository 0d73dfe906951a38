package hybrid

import (
	"math"
	"strings"
	"testing"
)

// Cells without a theory are not said to agree with it: two of two, and one of two.
func TestTextOfMissingHybridTheory(t *testing.T) {
	nan := math.NaN()
	sentence := func(antipodal1, antipodal2 float64) string {
		return New().sentence([]Row{
			{Beta: 1, Epsilon: 0.2, Trajectories: 100, Single: 90, Antipodal: 10,
				PSingle: 0.9, PAntipodal: 0.1, Limit: 0, AntipodalHorizon: antipodal1, SingleHorizon: nan,
				DepthAntipodal: nan, DepthSingle: nan,
				EpsilonSingle: 0.86, EpsilonAntipodal: 0.86},
			{Beta: 1, Epsilon: 2, Trajectories: 100, Single: 10, Antipodal: 90,
				PSingle: 0.1, PAntipodal: 0.9, Limit: 1, AntipodalHorizon: antipodal2, SingleHorizon: nan,
				DepthAntipodal: nan, DepthSingle: nan,
				EpsilonSingle: 0.86, EpsilonAntipodal: 0.86},
		})
	}
	for _, c := range []struct{ got, want string }{
		{sentence(nan, nan), " There is no theory to compare these cells with."},
		{sentence(nan, 0.5), "is 8.0 standard errors, but for 1 of 2 cells, of which there is no theory."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q has not %q", c.got, c.want)
		}
	}
}
