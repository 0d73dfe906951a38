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

// Ensemble simulates many trajectories of coupled cells; see Coupled. Each trajectory yields one row of
// results, of type Row, for all cells together. The function returned by Observer fills the row.
type Ensemble[Row any] struct {
	Cells        []sde.Cell
	Trajectories int64 // number of trajectories, at least 1
	Steps        int64 // the horizon, in steps of the smallest depth, at least 1
	Seed         uint64
	Workers      int // number of goroutines that advance trajectories; 0 for one per processor

	// Observer returns a function that receives the tokens x (N×d) of a cell after each step of the cell,
	// counted from 1, and writes to the row of the trajectory. Observer is called once for each worker. The
	// returned function must neither change nor keep the tokens. Neither Observer nor the function that it
	// returns may be nil.
	Observer func() func(row *Row, cell int, step int64, x []float64)
	// Reduce receives the rows, in the order of trajectories, from one goroutine. An error of Reduce ends the
	// run. Reduce must not be nil.
	Reduce func(trajectory int64, row Row) error
	// Progress, if not nil, is called from the goroutine that calls Reduce. The arguments of Progress are the
	// number of finished trajectories, and the number of finished trajectories that were restored from the
	// Checkpoint.
	Progress func(done, restored int64)

	// Part selects the trajectories to run; the zero value of Part selects all trajectories.
	Part sde.Part
	// Checkpoint, if not nil, holds the trajectories that earlier runs have finished, and stores the
	// trajectories that this run finishes. Each trajectory is a block of the checkpoint.
	Checkpoint sde.Checkpoint[Row]
}

func (e *Ensemble[Row]) workers() int {
	if e.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return e.Workers
}

// Run advances all trajectories of the ensemble. If the cells do not fit each other, Run returns an error
// before any work. If a trajectory or Reduce fails, Run returns the first error in the order of trajectories.
// If the context ends first, Run returns the error of the context. When Run returns, all its goroutines have
// ended.
//
// The rows depend only on the cells, the seed and the horizon, neither on Workers nor on the machine.
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

// trajectoryCheckpoint is a checkpoint whose blocks are single trajectories. The callers of a
// trajectoryCheckpoint count trajectories from 0 within the part that runs; the function trajectory converts
// such a number to the number in the whole ensemble.
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

// trajectory returns the number, in the whole ensemble, of the trajectory that has the number item in the
// part that runs.
func (e *Ensemble[Row]) trajectory(item int64) int64 { return e.Part.Trajectory(item, e.Trajectories) }

// validate returns an error that says why the ensemble cannot run, if it cannot.
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
	if err := sde.CheckMemory(e.Memory()); err != nil {
		return err
	}
	_, err := NewCoupled(e.Cells, e.Seed)
	return err
}

// run advances one trajectory of the coupled cells to the horizon. If the context ends first, the row of the
// trajectory is incomplete.
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

// Memory returns the memory, in bytes, that the tokens, increments and attention of a run of the ensemble
// need.
func (e *Ensemble[Row]) Memory() float64 {
	total := 0.0
	for _, c := range e.Cells {
		total += c.Memory()
	}
	return total * float64(e.workers())
}

// Seconds predicts how many seconds a run of the ensemble takes on this machine. Seconds measures the steps
// of each cell, and the sampling of Brownian increments, for about a millisecond each; see
// sde.Ensemble.Seconds.
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

// secondsPerIncrement measures the time, in seconds, to sample a Brownian increment with the given number of
// entries; it returns 0 for an increment without entries.
func secondsPerIncrement(entries int) float64 {
	if entries == 0 {
		return 0
	}
	const largest = 1 << 14 // most entries that are measured; for more, the time is extrapolated
	increment := make([]float64, min(entries, largest))
	sequence := NewPath(0, 0, 1, len(increment)).Sequence(1)
	return timing.PerCall(func() bool {
		sequence.Next(increment)
		return true
	}) * (float64(entries) / float64(len(increment)))
}
