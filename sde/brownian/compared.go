package brownian

import (
	"fmt"

	"antipode/sde"
	"antipode/sde/internal/kernels"
)

// NewCompared returns cells that follow one Brownian path from one start, to compare their tokens. The cells
// may differ in β, attention, model, noise amplitude and other settings. All compared cells must have the
// same number of tokens, dimension, start and depth. A step of each cell with noise must take the same number
// of random numbers. Each compared cell must be valid, with one attention head and no random scores. The
// random numbers are those that the first cell with noise would have at β = 0, so that the path does not
// depend on β.
func NewCompared(cells []sde.Cell, seed uint64) (*Coupled, error) {
	if len(cells) == 0 {
		return nil, fmt.Errorf("no cells")
	}
	of := cells[0]
	for _, c := range cells {
		if err := validate(c); err != nil {
			return nil, err
		}
		if of.PathLen() == 0 {
			of = c
		}
	}
	for _, c := range cells {
		switch {
		case c.Tokens != of.Tokens || c.Dim != of.Dim || c.Depth != of.Depth ||
			c.Start.String() != of.Start.String():
			return nil, fmt.Errorf("cells that are compared must have the same tokens, dimension, " +
				"start and depth")
		case c.PathLen() != of.PathLen() && c.PathLen() != 0:
			return nil, fmt.Errorf("cells that are compared must take the same noise: "+
				"%d numbers in a step, not %d", of.PathLen(), c.PathLen())
		}
	}
	of.Beta = 0
	id := of.PathID(of.Depth)
	return newCoupled(cells, NewPath(seed, id, of.Depth, of.PathLen()), kernels.NewStream(seed, id))
}
