package theory

import (
	"testing"

	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// simulated returns the numbers of trajectories of a cell with each outcome.
func simulated(t *testing.T, c sde.Cell, layers, trajectories int64, tolerance float64) (counts [3]int64) {
	t.Helper()
	e := sde.Ensemble[sphere.Outcome]{
		Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: layers, Seed: 20261122,
		Merge: sde.MergeLaws,
		Observer: func(int) func(*sphere.Outcome, *sde.View) {
			return func(row *sphere.Outcome, v *sde.View) { *row, _ = v.Outcome(tolerance) }
		},
		Reduce: func(_ int, _ int64, row sphere.Outcome) error { counts[row]++; return nil },
	}
	must.Do(t, e.Run(t.Context()))
	return counts
}
