package stability

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
)

// The exponents of two clusters of equal size are the same for 2 + 2 and 4 + 4 tokens: -½(d-1)tanh²β within a
// cluster and 2(d-2)pq - p² - q² between the clusters; the test has them as literals. At depth 400 they
// differ from the limit by about 0.01. A false alarm needs 5 standard errors, which have probability 5e-6.
func TestEqualClusters(t *testing.T) {
	longtest.Only(t)
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
			if !(math.Abs(x.theory-x.want) <= 1e-6) || !(math.Abs(x.measured-x.want) <= 5*x.deviation+0.01) ||
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

// At any depth, and from the first layer on, the measured means are L times the exponents of one layer, even
// where the limit is far away, as at depth 5. Seed 3; a false alarm needs 5 standard errors, which have
// probability 5e-6. With entries that are not Gaussian the exponents at a depth are not known.
func TestEqualClustersAtSmallDepth(t *testing.T) {
	s := New()
	s.Masses, s.Beta, s.Trajectories, s.Depth = [][2]int{{2, 2}}, []float64{1.5}, 1000, 5
	rows, err := data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 3}))
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	r := rows[0]
	for _, x := range []struct{ measured, deviation, depth, limit float64 }{
		{r.Within, r.WithinError, r.WithinDepth, r.WithinTheory},
		{r.Between, r.BetweenError, r.BetweenDepth, r.BetweenTheory},
	} {
		if !(math.Abs(x.measured-x.depth) < 5*x.deviation && math.Abs(x.limit-x.depth) > 6*x.deviation) {
			t.Errorf("%v ± %v, at this depth %v, in the limit %v", x.measured, x.deviation, x.depth, x.limit)
		}
	}
	s.Law, s.Trajectories = sde.Uniform, 2
	rows, err = data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 3}))
	if err != nil || !math.IsNaN(rows[0].BetweenDepth) || !math.IsNaN(rows[0].WithinDepth) ||
		math.IsNaN(rows[0].BetweenTheory) {
		t.Error(rows, err)
	}
}
