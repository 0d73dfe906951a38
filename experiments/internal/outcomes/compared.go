package outcomes

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/sde"
)

// Compared is a run that counts the outcomes of cells and sets beside them their theory, which is computed
// first. A shard counts alone; merged shards have the theory again.
type Compared[Row Counted] struct {
	Ensemble    *sde.Ensemble[Decision]
	Tolerance   float64
	NoShortcuts bool
	Size, Count parameter.Parameter // as of run.Simulation
	Horizon     float64             // units of time that the theory is asked for; 0 for no theory
	Counted     func(cell sde.Cell, t Tally) Row
	Estimated   func(counted Row, of theory.Point) Row
}

// Run writes a row as soon as a cell is done.
func (c Compared[Row]) Run(ctx context.Context, options run.Options, table data.Sink) error {
	cells := c.Ensemble.Cells
	points := make([]theory.Point, len(cells))
	whole := func(cell int, t Tally) error {
		return data.WriteRows(table, c.Estimated(c.Counted(cells[cell], t), points[cell]))
	}
	computePoints := func(ctx context.Context) (err error) {
		if c.Horizon > 0 {
			points, err = c.points(ctx, options)
		}
		return err
	}
	if options.Shards != nil {
		if err := computePoints(ctx); err != nil {
			return err
		}
		return MergeTallies[Row](options.Shards, len(cells), 1, c.Ensemble.Trajectories,
			func(cell int, tallies []Tally) error { return whole(cell, tallies[0]) })
	}
	decide := NewDecider(c.Ensemble, c.Tolerance, c.NoShortcuts)
	if options.Part.Of > 0 {
		return decide.Run(ctx, options, c.Ensemble, c.Size, c.Count, nil,
			func(cell int, t Tally) error { return data.WriteRows(table, c.Counted(cells[cell], t)) })
	}
	return decide.Run(ctx, options, c.Ensemble, c.Size, c.Count, computePoints, whole)
}

// points is the theory of all cells, with progress.
func (c Compared[Row]) points(ctx context.Context, options run.Options) ([]theory.Point, error) {
	e := c.Ensemble
	q := theory.Question{Layers: e.Layers, Horizon: c.Horizon, Tolerance: c.Tolerance}
	return q.Points(ctx, options.Workers, e.Cells, func(done int) {
		options.Report(run.State{Total: e.Work(), AllCells: len(e.Cells), Outcome: func() string {
			return fmt.Sprintf("theory of %d of %s", done, wording.Count(len(e.Cells), "cell"))
		}})
	})
}
