package phase

import (
	"math"
	"strings"
	"testing"
)

// The report does not claim that cells agree with a theory if there is none, be it for all cells or for one
// of two.
func TestTextOfMissingTheory(t *testing.T) {
	nan := math.NaN()
	atDepth := func(horizon1, horizon2, depth1, depth2 float64) string {
		rows := []Row{
			{Dim: 4, Beta: 1, Trajectories: 100, Antipodal: 20, Horizon: horizon1, DepthAntipodal: depth1},
			{Dim: 4, Beta: 2, Trajectories: 100, Antipodal: 40, Horizon: horizon2, DepthAntipodal: depth2},
		}
		rows[0].Limit, rows[1].Limit = 0.2, 0.4
		return New().sentence(rows)
	}
	phase := func(horizon1, horizon2 float64) string { return atDepth(horizon1, horizon2, nan, nan) }
	for _, c := range []struct{ got, want string }{
		{phase(nan, nan), " There is no theory to compare these cells with."},
		// 20 of 100 are 30/√25 standard errors away from 0.5.
		{phase(0.5, nan), "is 6.0 standard errors, but for 1 of 2 cells, of which there is no theory."},
		{phase(0.2, 0.4), "at this horizon (for infinite depth) is 0.0 standard errors."},
		// The law at the depth takes precedence over that in the limit.
		{atDepth(0.5, 0.9, 0.2, 0.4), "at this horizon and depth is 0.0 standard errors."},
		{atDepth(0.9, 0.4, 0.5, nan),
			"and depth (for infinite depth in 1 of 2 cells) is 6.0 standard errors."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q has not %q", c.got, c.want)
		}
	}
}
