package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// For independent entries of variance 4 the exact law and the critical β at a depth are those of σ = 2; the
// literals are from experiment phase with --sigma 2.
func TestIndependentEntriesOfVarianceFour(t *testing.T) {
	o, depth, horizon := New(), int64(10), 4.
	o.Dim, o.Beta, o.Depth, o.Horizon = []int{3}, []float64{1}, &depth, &horizon
	o.Covariance = invariant.Covariance{A: 4}
	r := must.Get(run.RowsOf[fullRow](experimenttest.Table(t, o, run.Options{})))(t)[0]
	for _, c := range [][2]float64{{r.DepthAntipodal, 0.1515095750676207},
		{r.DepthSingle, 0.8216707700631942}, {r.BetaCDepth, 0.4958033852433392}} {
		if !(math.Abs(c[0]-c[1]) <= 1e-8) {
			t.Errorf("%v, want %v", c[0], c[1])
		}
	}
}

// A depth at which nothing is known is refused, and the refusal names what is in its way.
func TestRefusedDepths(t *testing.T) {
	depth, horizon := int64(10), 4.
	for _, c := range []struct {
		change func(o *Experiment)
		want   string
	}{
		{func(o *Experiment) { o.Masses = [2]float64{1, 2} }, "must be left out beside --epsilon, --mlp, " +
			"--drift and unequal masses without --horizon"},
		{func(o *Experiment) {
			o.Masses, o.Horizon, o.Covariance = [2]float64{1, 2}, &horizon, invariant.Symmetric
		}, "must be left out beside --mlp, --drift and unequal masses if entries of value matrices are " +
			"dependent or scores are random"},
		{func(o *Experiment) {
			o.Masses, o.Horizon, o.Covariance = [2]float64{1, 2}, &horizon, invariant.Covariance{A: 4}
			o.Drift = 1
		}, "must be left out beside --drift and unequal masses"},
	} {
		o := New()
		o.Depth = &depth
		c.change(o)
		got := parameter.ByName(o.Parameters(), "depth").Inapplicable
		if !strings.Contains(got, c.want) {
			t.Errorf("refused with %q, want %q", got, c.want)
		}
	}
}
