package brownian

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"antipode/sde"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/timing"
	"antipode/sde/ordered"
)

// Ensemble is many trajectories of coupled cells, see Coupled. Each trajectory
// yields one row of type Row for all cells together, which observers fill.
type Ensemble[Row any] struct {
	Cells        []sde.Cell
	Trajectories int64 // at least 1
	Steps        int64 // the horizon, in steps of the smallest depth, at least 1
	Seed         uint64
	Workers      int // goroutines that advance trajectories; 0 for one per processor

	// Observer returns the function that sees the tokens x (N×d) of a cell after each of
	// its steps, counted from 1, and writes to the trajectory's row. It is called once for
	// each worker. An observer must neither change nor keep the tokens. Neither Observer nor
	// what it returns may be nil.
	Observer func() func(row *Row, cell int, step int64, x []float64)
	// Reduce takes the rows, in the order of trajectories, from one goroutine. An error
	// ends the run. It must not be nil.
	Reduce func(trajectory int64, row Row) error
	// Progress, if not nil, is called with the number of finished trajectories, and how many of
	// these were restored from the Checkpoint; from the goroutine of Reduce.
	Progress func(done, restored int64)

	// Part is the part of the trajectories to run; the zero value is all of them.
	Part sde.Part
	// Checkpoint has what earlier runs have finished, and stores what this one does; nil for none.
	// Each trajectory is a block.
	Checkpoint sde.Checkpoint[Row]
}

func (e *Ensemble[Row]) workers() int {
	if e.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return e.Workers
}

// Run advances all trajectories. It returns the first error in their order: cells that
// do not fit before any work, a trajectory that fails, or an error of Reduce; or the
// context's error once that is done. When it returns, no goroutine of it is left.
//
// Rows depend on the cells, the seed and the horizon alone, neither on Workers nor on the
// machine.
func (e *Ensemble[Row]) Run(ctx context.Context) error {
	if err := e.validate(); err != nil {
		return err
	}
	var checkpoint ordered.Checkpoint[Row]
	if e.Checkpoint != nil {
		checkpoint = trajectoryCheckpoint[Row]{e.Checkpoint, e.trajectory}
	}
	restored := int64(0)
	return ordered.Each(ctx, e.workers(), e.Part.Trajectories(e.Trajectories), checkpoint,
		func() func(ctx context.Context, item int64) (Row, error) {
			coupled, err := NewCoupled(e.Cells, e.Seed)
			observe := e.Observer()
			if observe == nil {
				panic("brownian: the Observer has returned nil")
			}
			return func(ctx context.Context, item int64) (row Row, _ error) {
				if err == nil {
					err = e.run(ctx, coupled, e.trajectory(item), func(cell int, step int64, x []float64) {
						observe(&row, cell, step, x)
					})
				}
				return row, err
			}
		},
		func(item int64, row Row) error {
			if err := e.Reduce(e.trajectory(item), row); err != nil {
				return err
			}
			if checkpoint != nil && checkpoint.Has(item) {
				restored++
			}
			if e.Progress != nil {
				e.Progress(item+1, restored)
			}
			return nil
		})
}

// trajectoryCheckpoint is a checkpoint of single trajectories, addressed by the items of a part.
type trajectoryCheckpoint[Row any] struct {
	blocks     sde.Checkpoint[Row]
	trajectory func(item int64) int64
}

func (c trajectoryCheckpoint[Row]) Has(item int64) bool {
	return c.blocks.Has(c.trajectory(item))
}

func (c trajectoryCheckpoint[Row]) Read(item int64) (row Row, err error) {
	rows, err := c.blocks.Read(c.trajectory(item))
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("trajectory %d of the checkpoint has %d rows, not 1", c.trajectory(item), len(rows))
	}
	if err != nil {
		return row, err
	}
	return rows[0], nil
}

func (c trajectoryCheckpoint[Row]) Keep(item int64, row Row) error {
	return c.blocks.Keep(c.trajectory(item), []Row{row})
}

// trajectory is the number of the trajectory of an item.
func (e *Ensemble[Row]) trajectory(item int64) int64 { return e.Part.Trajectory(item, e.Trajectories) }

// validate refuses an ensemble that cannot run.
func (e *Ensemble[Row]) validate() error {
	switch {
	case e.Trajectories < 1 || e.Trajectories > kernels.MaxTrajectories:
		return fmt.Errorf("trajectories %d: must be from 1 to 2^40", e.Trajectories)
	case e.Steps < 1 || e.Steps > MaxBaseSteps:
		return fmt.Errorf("steps %d: must be from 1 to %d", e.Steps, int64(MaxBaseSteps))
	case e.Workers < 0:
		return fmt.Errorf("workers %d: must be at least 0", e.Workers)
	case e.Observer == nil:
		return errors.New("observer: missing")
	case e.Reduce == nil:
		return errors.New("reduce: missing")
	}
	if err := e.Part.Validate(); err != nil {
		return err
	}
	for _, c := range e.Cells {
		if err := c.Validate(); err != nil {
			return err
		}
	}
	if bytes := e.Memory(); bytes > sde.LargestMemory {
		return fmt.Errorf("the run would need %.3g GiB of memory; must be at most %d GiB",
			bytes/(1<<30), sde.LargestMemory>>30)
	}
	_, err := NewCoupled(e.Cells, e.Seed)
	return err
}

// run advances one trajectory; if the run was stopped, what it has observed is incomplete.
func (e *Ensemble[Row]) run(ctx context.Context, coupled *Coupled, trajectory int64,
	observe func(cell int, step int64, x []float64)) error {
	if err := coupled.Restart(trajectory); err != nil {
		return fmt.Errorf("trajectory %d: %w", trajectory, err)
	}
	for range e.Steps {
		if ctx.Err() != nil {
			return nil
		}
		if err := coupled.Advance(observe); err != nil {
			return fmt.Errorf("trajectory %d: %w", trajectory, err)
		}
	}
	return nil
}

// Memory is what the tokens, increments and attention of a run need, in bytes.
func (e *Ensemble[Row]) Memory() float64 {
	total := 0.0
	for _, c := range e.Cells {
		total += c.Memory()
	}
	return total * float64(e.workers())
}

// Seconds predicts how long the whole run takes on this machine, by measuring some steps of
// the cells, and Brownian increments, for about a millisecond each; see Ensemble.Seconds.
func (e *Ensemble[Row]) Seconds() float64 {
	base, finest := e.Cells[0].Depth, 0
	for _, c := range e.Cells {
		base, finest = min(base, c.Depth), max(finest, c.Depth)
	}
	perStep := map[sde.Model]float64{}
	total := secondsPerIncrement(e.Cells[0].IncrementLen()) * float64(finest)
	for _, c := range e.Cells {
		if _, known := perStep[c.Model]; !known {
			perStep[c.Model] = c.SecondsPerStep()
		}
		total += perStep[c.Model] * float64(c.Depth)
	}
	workers := float64(min(e.workers(), runtime.GOMAXPROCS(0)))
	return total / float64(base) * float64(e.Trajectories) * float64(e.Steps) / workers
}

// secondsPerIncrement is the time to draw a Brownian increment, 0 without entries.
func secondsPerIncrement(entries int) float64 {
	if entries == 0 {
		return 0
	}
	const largest = 1 << 14 // of what is measured
	increment := make([]float64, min(entries, largest))
	sequence := NewPath(0, 0, 1, len(increment)).Sequence(1)
	return timing.PerCall(func() bool {
		sequence.Next(increment)
		return true
	}) * (float64(entries) / float64(len(increment)))
}
