//go:build long

package stability

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// For masses 1 and 2, d = 4 and β = 2.5 the lifetime is 74.0, observed 3.2 later as only whole layers are
// observed, and the decay time is 101.3. Two comparisons at 4.5 standard errors: one false alarm in 7·10^4
// seeds. The standard error of the logarithm of a mean of n exponential times is 1/√n.
func TestStabilityOfThreeTokens(t *testing.T) {
	s := New()
	s.Masses, s.Beta, s.Trajectories = [][2]int{{1, 2}}, []float64{2.5}, 1000
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 1})))(t)
	r := rows[0]
	late := must.Get(s.lateness(r.Clusters))(t)
	for _, x := range []struct {
		name                string
		measured, predicted float64
		times               int64
	}{
		{"lifetime", r.Lifetime, 74.04 + late, s.Trajectories},
		{"decay time", r.DecayTime, 101.33, slowerHalf(s.Trajectories)},
	} {
		off := math.Abs(math.Log(x.measured/x.predicted)) * math.Sqrt(float64(x.times))
		t.Logf("%s %.2f, predicted %.2f: %.1f standard errors", x.name, x.measured, x.predicted, off)
		if off > 4.5 {
			t.Errorf("%s %.2f, predicted %.2f", x.name, x.measured, x.predicted)
		}
	}
}
