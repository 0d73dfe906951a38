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

// Ensemble simulates many trajectories of each of several cells. Each trajectory yields one row of results,
// of type Row, which is filled by the function that Observer returns.
type Ensemble[Row any] struct {
	Cells        []Cell
	Trajectories int64 // number of trajectories of each cell, at least 1
	First        int64 // index ≥ 0 of the first trajectory; a trajectory does not depend on First
	Layers       int64 // the horizon: number of layers of a trajectory, at least 0
	Seed         uint64
	Workers      int // number of goroutines that advance trajectories; 0 for one per processor
	// Merge says whether tokens that come close to each other merge. Merging has no effect on the method
	// Chain.
	Merge Merging

	// Times are the layers after which trajectories are observed, ascending, from 0 (the start) to Layers;
	// no Times observe a trajectory only at the horizon.
	Times []int64
	// Observer returns a function that sees a trajectory of a cell and writes to the row of the trajectory.
	// Observer is called once for each worker goroutine and cell, so the function may have working memory.
	// Neither Observer nor the function that it returns may be nil.
	Observer func(cell int) func(row *Row, v *View)
	// Stop returns a rule that may end a trajectory before the horizon. The rule is evaluated at the
	// observation times, after the function of Observer. Stop, or the rule that it returns for a cell, may be
	// nil. Stop is called once for each worker goroutine and cell.
	Stop func(cell int) func(v *View) bool
	// Reduce receives the rows, in the order of cells and trajectories, from one goroutine. An error of
	// Reduce ends the run. Reduce must not be nil.
	Reduce func(cell int, trajectory int64, row Row) error
	// Finish, if not nil, is called after Reduce has received all rows of a cell, from the goroutine that
	// calls Reduce.
	Finish func(cell int) error
	// Progress, if not nil, is called after each block of trajectories, from the goroutine that calls Reduce.
	// The arguments of Progress are the number of completed layers of trajectories, at most Work, and the
	// number of layers among them whose rows were restored from the Checkpoint.
	Progress func(done, restored int64)

	// Part selects the trajectories to run; the zero value of Part selects all trajectories.
	Part Part
	// Checkpoint holds the blocks that earlier runs have completed, and stores those that this run completes;
	// Checkpoint may be nil.
	Checkpoint Checkpoint[Row]
}

// Merging says whether tokens merge that come within 10^-9 of each other and would almost surely stay
// together.
type Merging int

const (
	// KeepApart never merges tokens.
	KeepApart Merging = iota
	// MergePaths merges close tokens into one atom that has their number as its mass, and does not change the
	// noise, so that trajectories equal those without merging up to the last digits. MergePaths merges no
	// tokens if the noise is sampled only on the linear span of the tokens.
	MergePaths
	// MergeLaws also merges close tokens into one atom, and then samples fewer random numbers if possible.
	// With MergeLaws, trajectories have the law of trajectories without merging, but are not the same
	// trajectories. Consider more than two tokens of recursion (4) with Gaussian matrices and B = I: once
	// they have become two atoms, only the overlap of the atoms is simulated, as by the method Chain, and
	// View.Pair returns it.
	MergeLaws
)

// TrajectoriesAhead is the largest number of trajectories per worker whose rows are in memory at one time,
// including rows that wait to be delivered, in an ensemble without a stop rule. With a stop rule the largest
// number is 16 times TrajectoriesAhead, because one trajectory may then last longer than hundreds of others.
const TrajectoriesAhead = 16 * blockSize

// Work returns the total number of layers of the trajectories that the ensemble's Part selects.
func (e *Ensemble[Row]) Work() int64 {
	return int64(len(e.Cells)) * e.blocks().trajectories() * e.Layers
}

var (
	errNoObserver = errors.New("observer: missing")
	errNoReduce   = errors.New("reduce: missing")
)

// validate returns an error that says why the ensemble cannot run, if it cannot.
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
	return CheckMemory(e.Memory())
}

func (e *Ensemble[Row]) workers() int {
	if e.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return e.Workers
}

// Run advances all trajectories of the ensemble. Run returns the first error in the order of cells and
// trajectories: an invalid parameter before any work, a trajectory that fails (with its number), or an error
// of Reduce. If the context ends before the run is complete, Run returns the error of the context. When Run
// returns, all its goroutines have ended, and Reduce is not called again.
//
// The row of a trajectory depends only on the cell, the seed, the index of the trajectory, Merge, Times, Stop
// and the horizon, neither on Workers nor on the machine. The state of a trajectory at an observation time
// does not depend on the horizon.
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

// finishAll calls Finish for all cells; it is for a part that has no trajectories.
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

// CheckInstructions returns an error if the environment variable ANTIPODE_CPU names an unknown instruction
// set, or one that this machine does not have; with such a variable no ensemble runs.
func CheckInstructions() error { return instructionset.Err }
