package splitting

import (
	"context"
	"errors"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
)

// Cells is the splitting of several cells, one after another. Each gives a row of the table.
type Cells[Row any] struct {
	Count        int                 // of cells
	Repetitions  int64               // for each cell
	Size, Number parameter.Parameter // of a cell and of trajectories, as in Run
	// Split returns the splitting of a cell, and its seed.
	Split func(cell int) (*sde.Splitting, uint64, error)
	// Row returns the row of a cell.
	Row func(cell int, s *sde.Splitting, levels sde.Levels, repetitions []sde.Repetition) Row
	// Sink returns the sink for the rows of a cell.
	Sink func(cell int) data.Sink
	// Refused expresses the error sde.ErrNoProgress as an error of a parameter.
	Refused func(err error) error
}

// Run writes the row of each cell, or in a shard a row for each repetition. If there are shards, it reads the
// repetitions from them.
func (c Cells[Row]) Run(ctx context.Context, options run.Options) error {
	if options.Shards != nil {
		return c.merge(options.Shards)
	}
	for cell := range c.Count {
		s, seed, err := c.Split(cell)
		if err != nil {
			return err
		}
		options.Seed = seed
		levels, repetitions, err := Run(ctx, s, options, cell, c.Count, c.Size, c.Number)
		switch {
		case errors.Is(err, sde.ErrNoProgress):
			err = c.Refused(err)
		case err != nil:
		case options.Part.Of > 0:
			err = data.WriteRows(c.Sink(cell), rowsOf(levels, repetitions)...)
		default:
			err = data.WriteRows(c.Sink(cell), c.Row(cell, s, levels, repetitions))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// merge writes the row of each cell from the repetitions of shards.
func (c Cells[Row]) merge(shards []*data.Reader) error {
	levels, repetitions, err := merged(shards, c.Count, c.Repetitions)
	for cell := range c.Count {
		if err != nil {
			return err
		}
		var s *sde.Splitting
		if s, _, err = c.Split(cell); err == nil {
			err = data.WriteRows(c.Sink(cell), c.Row(cell, s, levels[cell], repetitions[cell]))
		}
	}
	return err
}
