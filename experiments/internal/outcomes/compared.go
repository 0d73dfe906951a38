package outcomes

import (
	"context"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/sde"
)

// Compared is a run that counts the outcomes of cells and sets beside them a theory T of each, which is
// computed while others are simulated. A shard counts alone; merged shards have the theory again.
type Compared[Row Counted, T any] struct {
	Ensemble    *sde.Ensemble[Decision]
	Tolerance   float64
	NoShortcuts bool
	Size, Count parameter.Parameter // as of run.Simulation
	Theory      *theory.Beside[T]
	Counted     func(cell sde.Cell, t Tally) Row
	Estimated   func(counted Row, of T) Row
}

// Run writes a row as soon as a cell is done.
func (c Compared[Row, T]) Run(ctx context.Context, options run.Options, table data.Sink) error {
	cells := c.Ensemble.Cells
	whole := func(cell int, t Tally) error {
		theory, err := c.Theory.Take(cell)
		if err != nil {
			return err
		}
		return data.WriteRows(table, c.Estimated(c.Counted(cells[cell], t), theory))
	}
	if options.Shards != nil {
		end := c.Theory.Begin(ctx, options.Workers)
		defer end()
		return MergeTallies[Row](options.Shards, len(cells), 1, c.Ensemble.Trajectories,
			func(cell int, tallies []Tally) error { return whole(cell, tallies[0]) })
	}
	decide := NewDecider(c.Ensemble, c.Tolerance, c.NoShortcuts)
	if options.Part.Of > 0 {
		return decide.Run(ctx, options, c.Ensemble, c.Size, c.Count,
			func(cell int, t Tally) error { return data.WriteRows(table, c.Counted(cells[cell], t)) })
	}
	observer := c.Ensemble.Observer
	c.Ensemble.Observer = func(cell int) func(*Decision, *sde.View) {
		c.Theory.Enter(cell)
		return observer(cell)
	}
	return decide.Run(ctx, options, c.Ensemble, c.Size, c.Count, whole)
}
