// Package setting holds what experiments over grids of simulated cells share: cells, layers, models and
// parameters. A setting, such as a model or a start, is parsed and checked once, and can be written as text
// again.
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

// Check is like parameter.Check, for an experiment over a grid of dimensions d and inverse temperatures β. A
// grid with too many cells is an error too.
func Check(parameters []parameter.Parameter, dims []int, betas []float64) error {
	if err := parameter.Check(parameters); err != nil {
		return err
	}
	return CheckCells("beta", len(betas), Axis{len(dims), "dimensions"})
}

// Axis is a parameter with several values that spans a grid together with other parameters. Count is the
// number of its values, and Many is its plural in messages, such as "dimensions".
type Axis struct {
	Count int
	Many  string
}

// CheckCells returns an error if a grid of parameter values has too many cells. The error names the parameter
// with the given name, which has count values. The number of cells of the grid is count times the numbers of
// values of the other axes.
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

// UseChains sets the method sde.Chain for each cell in which the overlap is a Markov chain, so that the
// overlap alone is simulated. The overlap is a Markov chain for two tokens or two opposite clusters with B =
// I and with Gaussian value matrices or recursion (7).
func UseChains(cells []sde.Cell) {
	for k, c := range cells {
		if c.Method = sde.Chain; c.Validate() == nil {
			cells[k] = c
		}
	}
}

// Chains returns the cells with the interaction matrix B. A cell in which the overlap is a Markov chain is
// simulated as a chain, by UseChains.
func (i Interaction) Chains(cells []sde.Cell) ([]sde.Cell, error) {
	err := i.Of(cells)
	UseChains(cells)
	return cells, err
}

// UseChainsWith is like UseChains, but also sets the sublayers of the cells. The MLP of a chain is infinitely
// wide; a cell whose MLP has a finite width is simulated by tokens.
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
