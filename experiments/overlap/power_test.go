package overlap

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// simulatedShare returns the antipodal fraction of some trajectories of a cell.
func simulatedShare(
	t *testing.T, c sde.Cell, trajectories, layers int64, tolerance float64, seed uint64,
) (share float64) {
	t.Helper()
	e := &sde.Ensemble[bool]{Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: layers, Seed: seed,
		Observer: func(int) func(*bool, *sde.View) {
			return func(row *bool, v *sde.View) {
				outcome, _ := v.Outcome(tolerance)
				*row = outcome == sphere.Antipodal
			}
		},
		Reduce: func(_ int, _ int64, antipodal bool) error {
			if antipodal {
				share += 1 / float64(trajectories)
			}
			return nil
		}}
	must.Do(t, e.Run(t.Context()))
	return share
}

// With the number of trajectories that the table says distinguishes β from another β, a test of level 5 %
// distinguishes them in 80 % of 100 pairs of simulated cells, and β from itself in 5 % of 50 pairs, up to
// four standard deviations: one false alarm in 1,200 seeds.
func TestTrajectoriesThatTellBeta(t *testing.T) {
	longtest.Only(t)
	const beta, difference, pairs = 1.1, 0.15, 100
	o := New()
	horizon, depth := 2.0, int64(5)
	o.Derivatives, o.Horizon, o.Depth, o.Tolerance = true, &horizon, &depth, 0.3
	r := experimenttest.Must(o.row(4, beta))
	scaled := tellingDifference / difference
	trajectories := int64(math.Ceil(r.Telling * scaled * scaled))
	layers := experimenttest.Must(setting.Layers(depth, horizon))
	share := func(beta float64, seed uint64) float64 {
		c := sde.Cell{Model: sde.Transformer{Law: sde.Gaussian, Sigma: 1}, Tokens: 2, Dim: 4, Beta: beta,
			Depth: int(depth), Start: sde.UniformStart{}, Method: sde.Chain}
		return simulatedShare(t, c, trajectories, layers, o.Tolerance, seed)
	}
	tell := func(p, q float64) bool {
		return math.Abs(p-q) > 1.96*math.Sqrt((p*(1-p)+q*(1-q))/float64(trajectories))
	}
	told, same, before := 0, 0, 0.0
	for k := range uint64(pairs) {
		p := share(beta, k)
		if tell(p, share(beta+difference, k)) {
			told++
		}
		if k%2 == 1 && tell(p, before) {
			same++
		}
		before = p
	}
	if !(math.Abs(float64(told)-0.8*pairs) <= 4*math.Sqrt(0.8*0.2*pairs) &&
		math.Abs(float64(same)-0.05*pairs/2) <= 4*math.Sqrt(0.05*0.95*pairs/2)) {
		t.Errorf("%d trajectories: %d of %d pairs told, %d of %d of the same", trajectories, told, pairs,
			same, pairs/2)
	}
}
