package sde

import (
	"context"
	"fmt"

	"antipode/sphere"
)

// Outcomes counts the outcomes of the given number of trajectories of the cell after the given number of
// layers. Two tokens count as coincident or antipodal within a tolerance in (0, 1); see sphere.Outcome.
// Outcomes runs an Ensemble on all processors and returns the errors of this Ensemble, or an error if the
// tolerance is not allowed. To observe, stop or store anything else, use an Ensemble directly.
func (c Cell) Outcomes(
	ctx context.Context, seed uint64, trajectories, layers int64, tolerance float64,
) (map[sphere.Outcome]int64, error) {
	if !(tolerance > 0 && tolerance < 1) {
		return nil, fmt.Errorf("tolerance %v: must be between 0 and 1", tolerance)
	}
	counts := map[sphere.Outcome]int64{}
	ensemble := Ensemble[sphere.Outcome]{
		Cells: []Cell{c}, Trajectories: trajectories, Layers: layers, Seed: seed,
		Observer: func(int) func(outcome *sphere.Outcome, v *View) {
			return func(outcome *sphere.Outcome, v *View) { *outcome, _ = v.Outcome(tolerance) }
		},
		Reduce: func(_ int, _ int64, outcome sphere.Outcome) error {
			counts[outcome]++
			return nil
		},
	}
	return counts, ensemble.Run(ctx)
}
