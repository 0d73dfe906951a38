package phase

import (
	"math"
	"strings"
	"testing"
)

// Cells without a theory are not said to agree with it: two of two, and one of two.
func TestTextOfMissingTheory(t *testing.T) {
	nan := math.NaN()
	phase := func(horizon1, horizon2 float64) string {
		return New().sentence([]Row{
			{Dim: 4, Beta: 1, Trajectories: 100, Antipodal: 20, Limit: 0.2, Horizon: horizon1},
			{Dim: 4, Beta: 2, Trajectories: 100, Antipodal: 40, Limit: 0.4, Horizon: horizon2},
		})
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
