package sde

import (
	"context"

	"antipode/sphere"
)

// Outcomes counts how the tokens of the first trajectories of a cell lie after some layers, within a
// tolerance in (0, 1): see sphere.Outcome. It is an Ensemble on all processors, whose errors it returns; one
// that observes, stops or stores otherwise is written as such.
func (c Cell) Outcomes(
	ctx context.Context, seed uint64, trajectories, layers int64, tolerance float64,
) (map[sphere.Outcome]int64, error) {
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
