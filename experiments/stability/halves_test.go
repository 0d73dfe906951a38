package stability

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

// The exponents of equal halves: of N = 4 and 8 the same ones, -½(d-1)tanh²β within and 2(d-2)pq - p² - q²
// between, which are literals here. At depth 400 they differ by a hundredth; a failure by chance is beyond 5
// standard errors, of probability 5e-6.
func TestHalves(t *testing.T) {
	s := New()
	s.Masses, s.Dim, s.Beta, s.Trajectories, s.Depth = [][2]int{{2, 2},
		{4, 4}}, []int{4}, []float64{1}, 16, 400
	rows, err := data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 3}))
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	for _, r := range rows {
		for _, x := range []struct{ measured, deviation, theory, want float64 }{
			{r.Within, r.WithinError, r.WithinTheory, -0.8700388},
			{r.Between, r.BetweenError, r.BetweenTheory, -0.3700388},
		} {
			if math.Abs(x.theory-x.want) > 1e-6 || math.Abs(x.measured-x.want) > 5*x.deviation+0.01 ||
				!(x.deviation < 0.1) {
				t.Errorf("%v: %v ± %v, theory %v, want %v", r.Clusters, x.measured, x.deviation, x.theory,
					x.want)
			}
		}
		if !math.IsNaN(r.Lifetime) || !math.IsNaN(r.DecayTimeTheory) {
			t.Errorf("%v: a lifetime", r.Clusters)
		}
	}
}
