package splitting

import (
	"context"
	"errors"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
)

// Cells describes the estimation of the probability of a rare event by multilevel splitting in several cells,
// one cell after another. Each cell gives a row of the table.
type Cells[Row any] struct {
	Count       int                   // number of cells
	Repetitions int64                 // number of repetitions for each cell
	Parameters  []parameter.Parameter // as in run.Simulation
	Size        string                // as in run.Simulation
	// Split returns the multilevel splitting of the cell with the given index, and the seed of its random
	// numbers.
	Split func(cell int) (*sde.Splitting, uint64, error)
	// Row returns the row of a cell in the table, from the levels and the results of the repetitions.
	Row func(cell int, s *sde.Splitting, levels sde.Levels, repetitions []sde.Repetition) Row
	// Sink returns the sink that receives the row of a cell, or the rows of its repetitions.
	Sink func(cell int) data.Sink
	// Refused expresses the error sde.ErrNoProgress, that too few trajectories approach the event, as a
	// *parameter.Error.
	Refused func(err error) error
}

// Run estimates the probability of each cell by splitting and writes the row of the cell. In a shard, Run
// writes a row for each repetition instead. If the options have the tables of all shards, Run reads the
// repetitions from these tables.
func (c Cells[Row]) Run(ctx context.Context, options run.Options) error {
	if options.Shards != nil {
		return c.merge(options.Shards)
	}
	total := options.Part.Trajectories(c.Repetitions) * int64(c.Count)
	options, next := run.InSequence(options, total, 0)
	for cell := range c.Count {
		s, seed, err := c.Split(cell)
		if err != nil {
			return err
		}
		options.Seed = seed
		levels, repetitions, err := Run(ctx, s, options.From(int64(cell)*c.Repetitions), c.Parameters, c.Size)
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
		next()
	}
	return nil
}

// merge writes the row of each cell from the repetitions in the tables of shards.
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
