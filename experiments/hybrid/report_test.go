package hybrid

import (
	"math"
	"strings"
	"testing"
)

// The report does not claim that cells agree with a theory if there is none, be it for all cells or for one
// of two.
func TestTextOfMissingHybridTheory(t *testing.T) {
	nan := math.NaN()
	sentence := func(antipodal1, antipodal2 float64) string {
		rows := []Row{
			{Beta: 1, Epsilon: 0.2, AntipodalHorizon: antipodal1},
			{Beta: 1, Epsilon: 2, AntipodalHorizon: antipodal2},
		}
		for k := range rows {
			r := &rows[k]
			r.Trajectories, r.Single, r.Antipodal = 100, int64(90-80*k), int64(10+80*k)
			r.PSingle, r.PAntipodal, r.Limit = 0.9-0.8*float64(k), 0.1+0.8*float64(k), float64(k)
			r.SingleHorizon, r.DepthAntipodal, r.DepthSingle = nan, nan, nan
			r.EpsilonSingle, r.EpsilonAntipodal = 0.86, 0.86
		}
		return New().sentence(rows)
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
