//go:build long

package weak

import (
	"math"
	"testing"

	"antipode/experiments/internal/fit"
)

// Theorem 1 with its rate: recursion (4), and each scheme for (6), has weak order 1 for the means of z² and
// of the bump, estimated from five coupled depths; orders ½ and 2 are excluded. The order for the mean of z
// is not tested, as its error is small here. The dimension is high so that the noise is small compared with
// the error; but at depths below d² the error is then not yet near its leading term. For the geodesic scheme
// and the recursion this term is small at β = 1, and β = 3 is used. TestOrdersWithoutNoise computes the
// orders to 0.02, without random numbers and at greater depths.
func TestWeakOrderOfTheTransformer(t *testing.T) {
	for _, c := range []struct {
		dim          int64
		beta         float64
		least        int // the smallest of the five depths
		trajectories int64
		schemes      []string
	}{
		{16, 3, 16, 10_000, []string{"geodesic"}}, // its leading term dominates at lower depths
		{8, 1, 32, 45_000, []string{"euler"}},
		{16, 3, 32, 16_000, []string{recursionName}},
		{8, 1, 32, 25_000, []string{"heun"}},
	} {
		w := New()
		w.Dim, w.Beta, w.Horizon, w.Depth, w.Trajectories = c.dim, c.beta, 0.125, nil, c.trajectories
		for k := range 5 {
			w.Depth = append(w.Depth, c.least<<k)
		}
		series := gaussianSeries(w, c.schemes...)
		all, limit := weakEstimates(t, w, series)
		for i, s := range series {
			for k, e := range all[i] {
				order, low, high := e.Order(limit[k])
				a, stderr, _ := atInfiniteDepth(e)
				t.Logf("%s, %s: order %.3f (%.3f to %.3f), %.5f ± %.5f in the limit, theory %.5f", s.name,
					statisticNames[k], order, low, high, a, stderr, limit[k])
				if k > 0 {
					checkWeakOrder(t, s.name+", "+statisticNames[k], order, low, high)
				}
				if math.Abs(a-limit[k]) > 4.5*stderr { // a false alarm in 10^4 seeds for all
					t.Errorf("%s, %s: %.5f ± %.5f in the limit, want %.5f", s.name, statisticNames[k], a,
						stderr, limit[k])
				}
			}
		}
	}
}

// For the hybrid, the recursion and the schemes have weak order 1, and their Talay-Tubaro extrapolations
// order 2: the 95 % intervals of the orders for the mean of z lie within 0.15 of 1 and within 0.4 of 2. They
// are estimated from at least five depths, and at least four extrapolated values. The noise is small, so that
// most of the error comes from the drift. But heun has order 2 without noise, so that its leading term comes
// from the noise, and a larger noise is needed to see it: at ε = 0.1 order 1 does not show.
func TestExtrapolatedWeakOrder(t *testing.T) {
	for _, c := range []struct {
		epsilon float64
		w       *Experiment
		schemes []string
	}{
		{0.1, quietHybrid(40_000, 2, 4, 8, 16, 32), []string{recursionName, "euler", "geodesic"}},
		{0.4, quietHybrid(80_000, 2, 4, 8, 16, 32, 64), []string{"heun"}},
	} {
		c.w.Epsilon = c.epsilon
		series := gaussianSeries(c.w, c.schemes...)
		all, _ := weakEstimates(t, c.w, series)
		for i, s := range series {
			for _, e := range []struct {
				want, within float64
				fit.Estimates
			}{{1, 0.15, all[i][0]}, {2, 0.4, all[i][0].Extrapolated()}} {
				order, low, high := e.Order(math.NaN())
				t.Logf("%s: order %.3f (%.3f to %.3f)", s.name, order, low, high)
				if !(low > e.want-e.within && high < e.want+e.within) {
					t.Errorf("%s: order %.3f (%.3f to %.3f), want %v", s.name, order, low, high, e.want)
				}
			}
		}
	}
}
