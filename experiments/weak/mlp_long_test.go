//go:build long

package weak

import (
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// With an MLP, the recursion and the schemes for its limit have weak order 1: the intervals of the order for
// z², which are the narrowest, contain 1 or miss it by at most 0.15.
func TestOrderWithMLP(t *testing.T) {
	w := New()
	w.MLP = setting.MLP{Activation: activation.Tanh, Strength: 0.6, Variance: 4, Width: 4}
	w.Depth, w.Trajectories = []int{16, 32, 64, 128}, 2500
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, w, run.Options{Seed: 34})))(t)
	for _, r := range rows {
		_, extrapolated := r.Scheme.plain()
		if extrapolated || r.Depth != 16 || statisticNames[r.Statistic] != "z2" {
			continue
		}
		t.Logf("%v, %v: order %.2f to %.2f", r.Scheme, r.Law, r.OrderLow, r.OrderHigh)
		if !(r.OrderLow < 1.15 && r.OrderHigh > 0.85 && r.OrderHigh-r.OrderLow < 1.2) {
			t.Errorf("%v, %v: order %.2f to %.2f", r.Scheme, r.Law, r.OrderLow, r.OrderHigh)
		}
	}
}
