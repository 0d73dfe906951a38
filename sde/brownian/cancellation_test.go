package brownian

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"antipode/sde"
	"antipode/sde/internal/runtest"
	"antipode/sphere/must"
)

// A run of coupled cells that is stopped in the middle of a trajectory leaves whole trajectories alone,
// and the run that continues from them has the rows of one that was not stopped.
func TestCoupledRunStoppedInTheMiddleOfATrajectory(t *testing.T) {
	cells := coupledCells(sde.Cell{Model: sde.HybridSDE{Epsilon: 0.7}, Tokens: 2, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}, 2)[:2]
	const trajectories, steps, stoppedIn = 5, 100_000, 3
	var rows []coupledRow
	e := ensembleOf(cells, &rows)
	e.Trajectories, e.Steps = trajectories, steps
	observer := e.Observer
	// One that clones at the last step alone, and calls for the given trajectory in the middle.
	watching := func(middle func()) {
		begun := 0
		e.Observer = func() func(*coupledRow, int, int64, []float64) {
			observe := observer()
			return func(row *coupledRow, cell int, step int64, x []float64) {
				if cell == 0 && step == 1 {
					begun++
				}
				if cell == 0 && step == steps/100 && begun == stoppedIn {
					middle()
				}
				if step%(steps/100) == 0 {
					observe(row, cell, step, x)
				}
			}
		}
	}
	e.Workers = 1
	watching(func() {})
	must.Do(t, e.Run(t.Context()))
	want := slices.Clone(rows)
	for _, row := range want {
		if len(row.steps) == 0 || row.steps[0] != steps {
			t.Fatalf("a row of %v steps", row.steps)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	checkpoint := &runtest.Memory[coupledRow]{}
	rows, e.Checkpoint = nil, checkpoint
	watching(cancel)
	before := runtime.NumGoroutine()
	if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v of a run that was stopped", err)
	}
	runtest.CheckGoroutines(t, before)
	if len(checkpoint.Blocks()) != stoppedIn-1 {
		t.Errorf("%d trajectories are kept, want the %d before the stop", len(checkpoint.Blocks()),
			stoppedIn-1)
	}
	for k, kept := range checkpoint.Blocks() {
		if len(kept) != 1 || !slices.Equal(kept[0].steps, want[k].steps) ||
			!slices.Equal(kept[0].tokens[0], want[k].tokens[0]) {
			t.Errorf("trajectory %d is kept as %v, want %v", k, kept, want[k])
		}
	}
	rows, e.Checkpoint = nil, checkpoint.Next()
	watching(func() {})
	must.Do(t, e.Run(t.Context()))
	for k, row := range rows {
		if !slices.Equal(row.tokens[1], want[k].tokens[1]) {
			t.Errorf("trajectory %d of the run that went on: %v, want %v", k, row, want[k])
		}
	}
}

// A function that an ensemble needs is named before any work.
func TestMissingFunctions(t *testing.T) {
	c := &Ensemble[int]{
		Cells: []sde.Cell{{Model: sde.Transformer{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1, Depth: 10,
			Start: sde.UniformStart{}}}, Trajectories: 3, Steps: 2,
		Reduce: func(int64, int) error { return nil },
	}
	if err := c.Run(t.Context()); err == nil || err.Error() != "observer: missing" {
		t.Errorf("coupled, without Observer: %v", err)
	}
	c.Observer, c.Reduce = func() func(*int, int, int64, []float64) { return nil }, nil
	if err := c.Run(t.Context()); err == nil || err.Error() != "reduce: missing" {
		t.Errorf("coupled, without Reduce: %v", err)
	}
}
