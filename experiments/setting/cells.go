// Package setting has what experiments over grids of cells share: cells, layers, models and
// parameters. A setting is read and checked once, and knows its text.
//
//	b, err := setting.ParseInteraction("rotation:90")
package setting

import (
	"fmt"
	"strings"

	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/sde"
)

// Check is parameter.Check for an experiment over a grid of (d, β), which may not have
// too many cells.
func Check(parameters []parameter.Parameter, dims []int, betas []float64) error {
	if err := parameter.Check(parameters); err != nil {
		return err
	}
	return CheckCells("beta", len(betas), Axis{len(dims), "dimensions"})
}

// Axis is a parameter that spans a grid with others: how many values it has, and their plural.
type Axis struct {
	Count int
	Many  string
}

// CheckCells refuses a grid of too many cells, as an error of the parameter of that name, which
// has count values beside those of the other axes.
func CheckCells(name string, count int, others ...Axis) error {
	cells := count
	var spanned []string
	for _, axis := range others {
		cells *= axis.Count
		spanned = append(spanned, fmt.Sprintf("%d %s", axis.Count, axis.Many))
	}
	if cells <= parameter.LargestGrid {
		return nil
	}
	return parameter.Errorf(name, "("+wording.Count(count, "value")+")", "with %s these are %d cells; "+
		"must be at most %d", strings.Join(spanned, " and "), cells, parameter.LargestGrid)
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

// Chains are cells with the matrix B, as chains where the overlap is one.
func (i Interaction) Chains(cells []sde.Cell) ([]sde.Cell, error) {
	err := i.Of(cells)
	UseChains(cells)
	return cells, err
}

// UseChainsWith is UseChains of cells that it gives sublayers, in place of what they have: an MLP of a chain
// is infinitely wide, and one of a width is simulated by tokens.
func UseChainsWith(cells []sde.Cell, s Sublayers) {
	for k, c := range cells {
		c.Method = sde.Chain
		if chain := s.With(c); chain.Validate() == nil {
			cells[k] = chain
			continue
		}
		cells[k] = s.With(cells[k])
	}
}
