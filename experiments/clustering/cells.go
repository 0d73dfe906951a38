package clustering

import (
	"fmt"

	"antipode/experiments/parameter"
)

// checkCells is parameter.Check for an experiment over a grid of (d, β), which may not have
// too many cells.
func checkCells(parameters []parameter.Parameter, dims []int, betas []float64) error {
	if err := parameter.Check(parameters); err != nil {
		return err
	}
	if cells := len(dims) * len(betas); cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(betas)),
			Problem: fmt.Sprintf("with %d dimensions these are %d cells; must be at most %d", len(dims), cells, parameter.LargestGrid)}
	}
	return nil
}
