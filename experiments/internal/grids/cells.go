package grids

import (
	"fmt"

	"antipode/experiments/parameter"
	"antipode/sde"
)

// Check is parameter.Check for an experiment over a grid of (d, β), which may not have
// too many cells.
func Check(parameters []parameter.Parameter, dims []int, betas []float64) error {
	if err := parameter.Check(parameters); err != nil {
		return err
	}
	if cells := len(dims) * len(betas); cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(betas)),
			Problem: fmt.Sprintf("with %d dimensions these are %d cells; must be at most %d", len(dims), cells, parameter.LargestGrid)}
	}
	return nil
}

// UseChains gives the method Chain to the cells whose overlap is a chain: of two tokens or two
// opposite clusters, B = I, and with Gaussian matrices or by recursion (7).
func UseChains(cells []sde.Cell) {
	for k, c := range cells {
		if c.Method = sde.Chain; c.Validate() == nil {
			cells[k] = c
		}
	}
}
