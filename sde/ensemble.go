package sde

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"antipode/sde/internal/kernels"
)

// Ensemble is many trajectories of each of several cells. Each trajectory yields
// one row of type Row, which observers fill.
type Ensemble[Row any] struct {
	Cells        []Cell
	Trajectories int64 // of each cell, at least 1
	Layers       int64 // the horizon: layers of a trajectory, at least 0
	Seed         uint64
	Workers      int // goroutines that advance trajectories; 0 for one per processor

	// Times are the layers after which trajectories are observed, ascending, from 0
	// (the start) to Layers; nil for the horizon alone.
	Times []int64
	// Observer returns the function that sees the tokens x (N×d) of a trajectory of
	// a cell after the given layer and writes to its row. It is called once for each
	// worker and cell, so that an observer may keep working memory. The tokens
	// belong to the engine: an observer may neither change nor keep them.
	Observer func(cell int) func(row *Row, trajectory, layer int64, x []float64)
	// Stop returns the rule by which a trajectory ends before the horizon, asked at
	// the observation times after the observer; nil for none. Like Observer it is
	// called once for each worker and cell.
	Stop func(cell int) func(layer int64, x []float64) bool
	// Reduce takes the rows, in the order of cells and trajectories, from one
	// goroutine. An error ends the run.
	Reduce func(cell int, trajectory int64, row Row) error
	// Progress, if not nil, is told after each block how many layers of trajectories
	// have been done in all, out of Work; from the goroutine of Reduce.
	Progress func(done int64)
}

// blockSize is the number of trajectories that a worker advances together.
const blockSize = 16

// TrajectoriesAhead is the largest number of trajectories of which each worker's
// rows are in memory at one time, those that wait for their turn included.
const TrajectoriesAhead = blockSize * waiting

// Work is the number of layers of trajectories of the whole ensemble.
func (e *Ensemble[Row]) Work() int64 {
	return int64(len(e.Cells)) * e.Trajectories * e.Layers
}

// validate refuses an ensemble that cannot run.
func (e *Ensemble[Row]) validate() error {
	switch {
	case len(e.Cells) == 0:
		return fmt.Errorf("no cells")
	case e.Trajectories < 1 || e.Trajectories > kernels.MaxTrajectories:
		return fmt.Errorf("trajectories %d: must be from 1 to 2^40", e.Trajectories)
	case e.Layers < 0 || e.Layers >= kernels.MaxSteps:
		return fmt.Errorf("layers %d: must be from 0 to 2^44", e.Layers)
	case e.Workers < 0:
		return fmt.Errorf("workers %d: must be at least 0", e.Workers)
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
		return fmt.Errorf("the run would need %.3g GiB of memory; must be at most %d GiB", bytes/(1<<30), LargestMemory>>30)
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
// Rows depend on the cells, the seed, Times and the horizon alone, neither on Workers nor
// on the machine; and those at one time do not depend on a later horizon.
func (e *Ensemble[Row]) Run(ctx context.Context) error {
	if err := e.validate(); err != nil {
		return err
	}
	times := e.Times
	if times == nil {
		times = []int64{e.Layers}
	}
	blocks := (e.Trajectories + blockSize - 1) / blockSize
	done := int64(0)
	return inOrder(ctx, e.workers(), int64(len(e.Cells))*blocks,
		func(stopped func() bool) func(item int64) ([]Row, error) {
			w := &worker[Row]{ensemble: e, times: times, stopped: stopped, cell: -1}
			return func(item int64) ([]Row, error) {
				w.enter(int(item / blocks))
				first := item % blocks * blockSize
				return w.block(first, min(first+blockSize, e.Trajectories))
			}
		},
		func(item int64, rows []Row) error {
			first := item % blocks * blockSize
			for k, row := range rows {
				if err := e.Reduce(int(item/blocks), first+int64(k), row); err != nil {
					return err
				}
			}
			done += int64(len(rows)) * e.Layers
			if e.Progress != nil {
				e.Progress(done)
			}
			return nil
		})
}

// worker advances blocks of trajectories, one cell at a time.
type worker[Row any] struct {
	ensemble *Ensemble[Row]
	times    []int64
	stopped  func() bool

	cell      int
	stream    kernels.Stream
	stepper   Stepper
	normals   kernels.NormalSequence
	observe   func(row *Row, trajectory, layer int64, x []float64)
	stop      func(layer int64, x []float64) bool
	tokens    []float64 // of the trajectories of a block, one after the other
	increment []float64
}

// enter prepares the worker for a cell.
func (w *worker[Row]) enter(cell int) {
	if cell == w.cell {
		return
	}
	c := w.ensemble.Cells[cell]
	w.cell = cell
	w.stream = c.stream(w.ensemble.Seed)
	w.stepper = NewStepper(c)
	w.observe = w.ensemble.Observer(cell)
	w.stop = nil
	if w.ensemble.Stop != nil {
		w.stop = w.ensemble.Stop(cell)
	}
	size := blockSize * c.Tokens * c.Dim
	w.tokens = slices.Grow(w.tokens[:0], size)[:size]
	length := w.stepper.IncrementLen()
	w.increment = slices.Grow(w.increment[:0], length)[:length]
}

// block runs trajectories first to last (excluded) of the cell and returns their
// rows. It returns no rows if the run was stopped.
func (w *worker[Row]) block(first, last int64) ([]Row, error) {
	rows := make([]Row, last-first)
	running := make([]int64, 0, blockSize)
	for k := first; k < last; k++ {
		if err := w.start(k, w.lane(k-first)); err != nil {
			return nil, w.failure(k, err)
		}
		running = append(running, k)
	}
	layer := int64(0)
	for _, time := range w.times {
		remaining := running[:0]
		for _, k := range running {
			x := w.lane(k - first)
			if err := w.advance(x, k, layer, time); err != nil {
				return nil, w.failure(k, err)
			}
			if w.stopped() {
				return nil, nil
			}
			w.observe(&rows[k-first], k, time, x)
			if w.stop == nil || !w.stop(time, x) {
				remaining = append(remaining, k)
			}
		}
		running, layer = remaining, time
	}
	return rows, nil
}

func (w *worker[Row]) failure(trajectory int64, err error) error {
	return fmt.Errorf("trajectory %d of cell %d: %w", trajectory, w.cell, err)
}

// lane returns the tokens of the k-th trajectory of a block.
func (w *worker[Row]) lane(k int64) []float64 {
	size := int64(len(w.tokens) / blockSize)
	return w.tokens[k*size : (k+1)*size]
}

func (w *worker[Row]) start(trajectory int64, x []float64) error {
	c := w.ensemble.Cells[w.cell]
	w.normals.Restart(w.stream, kernels.Starts, trajectory, 0)
	return c.Start.Fill(x, c.Dim, trajectory, w.normals.Next)
}

// advance takes the tokens x of a trajectory from one layer to a later one.
func (w *worker[Row]) advance(x []float64, trajectory, from, to int64) error {
	c := &w.ensemble.Cells[w.cell]
	for layer := from; layer < to && !w.stopped(); layer++ {
		c.draw(w.increment, w.stream, trajectory, layer)
		if err := w.stepper.Step(x, w.increment); err != nil {
			return fmt.Errorf("layer %d: %w", layer+1, err)
		}
	}
	return nil
}
