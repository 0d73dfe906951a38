package outcomes

import (
	"context"
	"fmt"
	"iter"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/sde"
)

// Compared is a run that counts the outcomes of the trajectories in cells and compares the counts with the
// theory. The theory is computed before the first trajectory. The table of a shard has only counts; the
// theory is added when shards are merged.
type Compared[Row Counted] struct {
	Ensemble    *sde.Ensemble[Decision]
	Tolerance   float64
	NoShortcuts bool
	Parameters  []parameter.Parameter // as in run.Simulation
	Size        string                // as in run.Simulation
	Horizon     float64               // in units of time, for the theory; 0 for no theory
	By          []overlap.Parameter   // parameters of the requested derivatives
	Counted     func(cell sde.Cell, t Tally) Row
	Estimated   func(counted Row, of theory.Point) (Row, error)
}

// Run runs the trajectories of all cells, and writes the row of a cell as soon as the cell is complete.
func (c Compared[Row]) Run(ctx context.Context, options run.Options, table data.Sink) error {
	cells := c.Ensemble.Cells
	write := func(cell int, t Tally, p theory.Point) error {
		row, err := c.Estimated(c.Counted(cells[cell], t), p)
		if err != nil {
			return err
		}
		return data.WriteRows(table, row)
	}
	if options.Shards != nil {
		return c.merge(ctx, options, write)
	}
	decide := NewDecider(c.Ensemble, c.Tolerance, c.NoShortcuts)
	if options.Part.Of > 0 {
		return decide.Run(ctx, options, c.Ensemble, c.Parameters, c.Size, nil,
			func(cell int, t Tally) error { return data.WriteRows(table, c.Counted(cells[cell], t)) })
	}
	points := make([]theory.Point, len(cells))
	return decide.Run(ctx, options, c.Ensemble, c.Parameters, c.Size,
		func(ctx context.Context) error {
			done := 0
			c.report(options, done)
			for p, err := range c.points(ctx, options.Workers) {
				if err != nil {
					return err
				}
				points[done] = p
				done++
				c.report(options, done)
			}
			return nil
		},
		func(cell int, t Tally) error { return write(cell, t, points[cell]) })
}

// merge writes the rows of cells from the counts in the tables of shards. The theory of a cell is computed
// only when the row of the cell is due, so that an error in writing the table ends the merge at once.
func (c Compared[Row]) merge(
	ctx context.Context, options run.Options, write func(cell int, t Tally, p theory.Point) error,
) error {
	next, stop := iter.Pull2(c.points(ctx, options.Workers))
	defer stop()
	return MergeTallies[Row](options.Shards, len(c.Ensemble.Cells), 1, c.Ensemble.Trajectories,
		func(cell int, tallies []Tally) error {
			p, err, _ := next()
			if err != nil {
				return err
			}
			return write(cell, tallies[0], p)
		})
}

// points returns the predictions of the theory for all cells in order. The result is empty if no theory is
// requested.
func (c Compared[Row]) points(ctx context.Context, workers int) iter.Seq2[theory.Point, error] {
	if c.Horizon == 0 {
		return func(func(theory.Point, error) bool) {}
	}
	q := theory.Question{Layers: c.Ensemble.Layers, Horizon: c.Horizon, Tolerance: c.Tolerance, By: c.By}
	return q.Points(ctx, workers, c.Ensemble.Cells)
}

// report reports that the theory of the first done cells has been computed.
func (c Compared[Row]) report(options run.Options, done int) {
	cells := len(c.Ensemble.Cells)
	options.Report(run.State{Total: c.Ensemble.Work(), AllCells: cells, Theory: done, AllTheory: cells,
		Outcome: func() string {
			return fmt.Sprintf("theory of %d of %s", done, wording.Count(cells, "cell"))
		}})
}

// NewEnsemble checks the parameters of an experiment and returns the ensemble of trajectories in the cells of
// the experiment.
func NewEnsemble[T any](
	e run.Experiment, cells func() ([]sde.Cell, error), trajectories, depth int64, horizon float64,
) (*sde.Ensemble[T], error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	all, err := cells()
	if err != nil {
		return nil, err
	}
	layers, err := setting.Layers(depth, horizon)
	return &sde.Ensemble[T]{Cells: all, Trajectories: trajectories, Layers: layers}, err
}
