package sde

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"antipode/internal/instructionset"
	"antipode/sde/internal/kernels"
	"antipode/sde/ordered"
)

// Ensemble is many trajectories of each of several cells. Each trajectory yields
// one row of type Row, which observers fill.
type Ensemble[Row any] struct {
	Cells        []Cell
	Trajectories int64 // of each cell, at least 1
	First        int64 // number of the first of them, at least 0: they are those of a run from 0 on
	Layers       int64 // the horizon: layers of a trajectory, at least 0
	Seed         uint64
	Workers      int // goroutines that advance trajectories; 0 for one per processor
	// Merge says what becomes of tokens that come together. It has no effect on chains.
	Merge Merging

	// Times are the layers after which trajectories are observed, ascending, from 0
	// (the start) to Layers; nil for the horizon alone.
	Times []int64
	// Observer returns the function that sees a trajectory of a cell and writes to its row.
	// It is called once for each worker and cell, so that an observer may keep working
	// memory. Neither Observer nor what it returns may be nil.
	Observer func(cell int) func(row *Row, v *View)
	// Stop returns the rule by which a trajectory ends before the horizon, asked at
	// the observation times after the observer; nil for none, also from Stop for a cell. Like
	// Observer it is called once for each worker and cell.
	Stop func(cell int) func(v *View) bool
	// Reduce takes the rows, in the order of cells and trajectories, from one
	// goroutine. An error ends the run. It must not be nil.
	Reduce func(cell int, trajectory int64, row Row) error
	// Finish, if not nil, is called when Reduce has received all rows of a cell, from the same
	// goroutine.
	Finish func(cell int) error
	// Progress, if not nil, is called after each block with the number of layers of trajectories
	// that are done, out of Work, and how many of these were restored from the Checkpoint; from
	// the goroutine of Reduce.
	Progress func(done, restored int64)

	// Part is the part of the trajectories to run; the zero value is all of them.
	Part Part
	// Checkpoint has the blocks that earlier runs have finished, and stores those that this one
	// does; nil for none.
	Checkpoint Checkpoint[Row]
}

// Merging says what becomes of tokens that come within 10^-9 of each other, as they would almost
// surely stay together.
type Merging int

const (
	// KeepApart goes on with all tokens.
	KeepApart Merging = iota
	// MergePaths makes them one atom with the noise that they had: trajectories are those without merging,
	// but for the last digits. Where the noise is drawn on the span of the tokens, it keeps them apart.
	MergePaths
	// MergeLaws makes them one atom too, with other random numbers where fewer will do. Once more than two
	// tokens of recursion (4) have become two atoms, with Gaussian matrices and B = I, their overlap
	// continues as by the method Chain, and View.Pair returns it.
	MergeLaws
)

// TrajectoriesAhead is the largest number of trajectories for each worker whose rows are in
// memory at one time, including those that wait for their turn. With a stop rule, where one
// trajectory may outlast hundreds of others, it is 16 times as many.
const TrajectoriesAhead = 16 * blockSize

// Work is the number of layers of trajectories of the whole part.
func (e *Ensemble[Row]) Work() int64 {
	return int64(len(e.Cells)) * e.blocks().trajectories() * e.Layers
}

var (
	errNoObserver = errors.New("observer: missing")
	errNoReduce   = errors.New("reduce: missing")
)

// validate refuses an ensemble that cannot run.
func (e *Ensemble[Row]) validate() error {
	switch {
	case instructionset.Err != nil:
		return instructionset.Err
	case len(e.Cells) == 0:
		return fmt.Errorf("no cells")
	case e.Trajectories < 1 || e.Trajectories > kernels.MaxTrajectories:
		return fmt.Errorf("trajectories %d: must be from 1 to 2^40", e.Trajectories)
	case e.First < 0 || e.First > kernels.MaxTrajectories-e.Trajectories:
		return fmt.Errorf("first trajectory %d: must be from 0 to 2^40-%d", e.First, e.Trajectories)
	case e.Layers < 0 || e.Layers >= kernels.MaxSteps:
		return fmt.Errorf("layers %d: must be from 0 to 2^44", e.Layers)
	case e.Workers < 0:
		return fmt.Errorf("workers %d: must be at least 0", e.Workers)
	case e.Observer == nil:
		return errNoObserver
	case e.Reduce == nil:
		return errNoReduce
	}
	if err := e.Part.Validate(); err != nil {
		return err
	}
	for i, layer := range e.Times {
		if layer < 0 || layer > e.Layers || i > 0 && layer <= e.Times[i-1] {
			return fmt.Errorf("observation layers must ascend from 0 to %d: %d", e.Layers, layer)
		}
	}
	for _, c := range e.Cells {
		if err := c.Validate(); err != nil {
			return err
		}
	}
	if bytes := e.Memory(); bytes > LargestMemory {
		return fmt.Errorf("the run would need %.3g GiB of memory; must be at most %d GiB",
			bytes/(1<<30), LargestMemory>>30)
	}
	return nil
}

func (e *Ensemble[Row]) workers() int {
	if e.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return e.Workers
}

// Run advances all trajectories. It returns the first error in the order of cells
// and trajectories: an invalid parameter before any work, a trajectory that fails
// (with its number), or an error of Reduce; or the context's error once that is
// done. When it returns, no goroutine of it is left and Reduce is not called again.
//
// Rows depend on the cells, the seed, the trajectory's number, Merge, Times, Stop and the horizon
// alone, neither on Workers nor on the machine; and those at one time do not depend on a later horizon.
func (e *Ensemble[Row]) Run(ctx context.Context) error {
	if err := e.validate(); err != nil {
		return err
	}
	blocks := e.blocks()
	ahead := TrajectoriesAhead / blocks.size
	if e.Stop != nil {
		ahead *= 16
	}
	if blocks.each == 0 {
		return e.finishAll()
	}
	done, restored, checkpoint := int64(0), int64(0), e.items(blocks)
	return ordered.Run(ctx, e.workers(), int64(len(e.Cells))*blocks.each, int(ahead), checkpoint,
		func(q *ordered.Queue[[]Row]) { newWorker(e, q).run() },
		func(item int64, rows []Row) error {
			b := blocks.at(item)
			for k, row := range rows {
				if err := e.Reduce(b.cell, e.First+b.first+int64(k), row); err != nil {
					return err
				}
			}
			if e.Finish != nil && b.last && len(rows) == b.count {
				if err := e.Finish(b.cell); err != nil {
					return err
				}
			}
			done += int64(len(rows)) * e.Layers
			if checkpoint != nil && checkpoint.Has(item) {
				restored += int64(len(rows)) * e.Layers
			}
			if e.Progress != nil {
				e.Progress(done, restored)
			}
			return nil
		})
}

// finishAll finishes all cells when the part has none of their trajectories.
func (e *Ensemble[Row]) finishAll() error {
	for cell := range e.Cells {
		if e.Finish == nil {
			return nil
		}
		if err := e.Finish(cell); err != nil {
			return err
		}
	}
	return nil
}

// CheckInstructions returns an error of one line if the environment variable ANTIPODE_CPU names
// an instruction set that this machine does not have. No ensemble runs then.
func CheckInstructions() error { return instructionset.Err }
