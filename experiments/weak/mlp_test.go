package weak

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The limit does not depend on the width of an MLP: with 1 and with 16 hidden units the means under the
// recursion with each law of the entries, and under all schemes, converge to those of the same Fokker-Planck
// equation. After extrapolation they lie within 4.5 standard errors; the 42 comparisons raise a false alarm
// in one of 3,500 seeds. With twice the strength of the MLP in the equation the test fails for each width.
func TestWidthDropsOutOfTheLimit(t *testing.T) {
	longtest.Only(t)
	for _, width := range []int{1, 16} {
		w := New()
		w.MLP = setting.MLP{Activation: activation.Tanh, Strength: 0.9, Variance: 4, Width: width}
		w.Dim, w.Horizon, w.Depth, w.Trajectories = 5, 0.25, []int{16, 32, 64}, 2000
		rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, w, run.Options{Seed: 34})))(t)
		compared := 0
		for _, r := range rows {
			if _, extrapolated := r.Scheme.plain(); !extrapolated || r.Depth != 32 {
				continue
			}
			compared++
			if z := r.Error / r.Stderr; !(math.Abs(z) < 4.5) {
				t.Errorf("width %d, %v, %v, %v: %v, limit %v, z = %.1f", width, r.Scheme, r.Law, r.Statistic,
					r.Value, r.Reference, z)
			}
		}
		if compared != 21 {
			t.Errorf("width %d: %d comparisons", width, compared)
		}
	}
}
