//go:build long

package weak

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// horizonCells are the cells of TestHorizonAtFiniteDepth. At horizon 10 one trajectory in thirty has neither
// outcome; at the other horizons few are left without one.
var horizonCells = []horizonCell{
	{3, 1, sde.Softmax, 30},
	{4, 1, sde.Softmax, 10},
	{4, 1.5, sde.Softmax, 20},
	{6, 2, sde.Softmax, 30},
	{10, 3, sde.Softmax, 20},
	{3, 0.7, sde.Unnormalized, 20},
	{5, 1.3, sde.Unnormalized, 6},
}

// The probability of the antipodal outcome at the horizon under recursion (4) differs from that of the limit
// by a shift proportional to 1/depth: the shift at depth 400 is a quarter of that at depth 100, up to 5 % of
// the latter for the term of next order. At both depths the plain fractions of antipodal outcomes, of the
// overlap chain and of simulated tokens, agree with the estimate whose noise is reduced by means of the
// limit.
//
// 35 comparisons at 4.5 standard errors: joint false-alarm probability 2.4e-4. The ratio of the shifts over
// all cells has a standard error of about 0.02.
func TestHorizonAtFiniteDepth(t *testing.T) {
	type shift struct{ a, b, deviation float64 } // shifts at depth 100 and 400; standard error of b - a/4
	shifts := make([]shift, len(horizonCells))
	t.Run("cells", func(t *testing.T) {
		for k, c := range horizonCells {
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				d, law := c.theory(t)
				theory := law.Antipodal(horizonTolerance).Value
				at := func(depth, trajectories int) (shift, deviation float64) {
					chain := &pair{dim: c.dim, depth: depth, attention: c.attention, beta: c.beta,
						random: rand.New(rand.NewPCG(uint64(k), uint64(depth)))}
					mean, deviation, fraction := chain.estimate(d, c.horizon, trajectories)
					tokens := phase.New()
					tokens.Dim, tokens.Beta, tokens.Attention = []int{c.dim}, []float64{c.beta}, c.attention
					tokens.Depth, tokens.Horizon = int64(depth), c.horizon
					tokens.Trajectories = int64(50_000 / depth)
					estimate := must.Get(data.ValuesOf[float64](experimenttest.Table(t, tokens,
						run.Options{Seed: uint64(k), Workers: 1}), "p_antipodal"))(t)
					compareFraction(t, fmt.Sprintf("chain at depth %d", depth), fraction, trajectories, mean,
						deviation)
					compareFraction(t, fmt.Sprintf("tokens at depth %d", depth), estimate[0], 50_000/depth,
						mean, deviation)
					return mean - theory, deviation
				}
				a, da := at(100, 15_000)
				b, db := at(400, 5_000)
				deviation := math.Hypot(da/4, db)
				t.Logf("theory %.7f, shift × depth: %.4f ± %.4f at 100, %.4f ± %.4f at 400", theory, 100*a,
					100*da, 400*b, 400*db)
				if off := math.Abs(b - a/4); off > 4.5*deviation+math.Abs(a)/20 {
					t.Errorf("shift %.2g at depth 100, %.2g at 400: %.1f standard errors", a, b,
						off/deviation)
				}
				shifts[k] = shift{a, b, deviation}
			})
		}
	})
	sum, weight := 0.0, 0.0
	for _, s := range shifts {
		if s.deviation > 0 { // otherwise this cell's subtest was not selected
			sum, weight = sum+s.a*s.b/s.deviation/s.deviation, weight+s.a*s.a/s.deviation/s.deviation
		}
	}
	ratio, deviation := sum/weight, 1/math.Sqrt(weight)
	t.Logf("the shift at depth 400 is %.4f ± %.4f of that at 100", ratio, deviation)
	if !(math.Abs(ratio-0.25) < 4.5*deviation+0.0125 && deviation < 0.03) {
		t.Errorf("the shift at depth 400 is %.4f ± %.4f of that at 100, not a quarter", ratio, deviation)
	}
}

// compareFraction checks that a fraction of antipodal outcomes among some trajectories lies within 4.5
// standard errors of an estimate of its mean, which has the standard error deviation.
func compareFraction(t *testing.T, what string, fraction float64, trajectories int, mean, deviation float64) {
	t.Helper()
	binomial := math.Sqrt(mean * (1 - mean) / float64(trajectories))
	if off := (fraction - mean) / math.Hypot(binomial, deviation); !(math.Abs(off) <= 4.5) {
		t.Errorf("%s: %.4f, without noise %.4f: %.1f standard errors", what, fraction, mean, off)
	}
}
