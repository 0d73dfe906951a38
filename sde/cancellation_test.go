package sde

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
)

// A run of coupled cells that is stopped in the middle of a trajectory leaves whole trajectories alone,
// and the run that goes on with them has the rows of one that was not stopped.
func TestCoupledRunStoppedInTheMiddleOfATrajectory(t *testing.T) {
	mustEnd(t)
	cells := coupledCells(Cell{Model: HybridSDE, Tokens: 2, Dim: 3, Beta: 1, Epsilon: 0.7,
		Start: UniformStart{}}, Hybrid, 2)[:2]
	const trajectories, steps, stoppedIn = 5, 100_000, 3
	var rows []coupledRow
	e := coupledEnsemble(cells, &rows)
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
	if err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(rows)
	for _, row := range want {
		if len(row.steps) == 0 || row.steps[0] != steps {
			t.Fatalf("a row of %v steps", row.steps)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	past := &memory[coupledRow]{blocks: map[int64][]coupledRow{}}
	rows, e.Past = nil, past
	watching(cancel)
	before := runtime.NumGoroutine()
	if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v of a run that was stopped", err)
	}
	checkGoroutines(t, before)
	if len(past.blocks) != stoppedIn-1 {
		t.Errorf("%d trajectories are kept, want the %d before the stop", len(past.blocks), stoppedIn-1)
	}
	for k, kept := range past.blocks {
		if len(kept) != 1 || !slices.Equal(kept[0].steps, want[k].steps) ||
			!slices.Equal(kept[0].tokens[0], want[k].tokens[0]) {
			t.Errorf("trajectory %d is kept as %v, want %v", k, kept, want[k])
		}
	}
	rows, e.Past = nil, past.next()
	watching(func() {})
	if err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for k, row := range rows {
		if !slices.Equal(row.tokens[1], want[k].tokens[1]) {
			t.Errorf("trajectory %d of the run that went on: %v, want %v", k, row, want[k])
		}
	}
}

// The same of trajectories in lanes: what was under way is not kept.
func TestRunStoppedInTheMiddleOfABlock(t *testing.T) {
	mustEnd(t)
	for _, c := range append(models(3, 4), chains()...) {
		var rows []record
		e := recording([]Cell{c}, 40, 300, &rows)
		e.Workers = 1
		ctx, cancel := context.WithCancel(t.Context())
		past := &memory[record]{blocks: map[int64][]record{}}
		e.Past, e.Times = past, []int64{150, 300}
		observer, seen := e.Observer, 0
		e.Observer = func(cell int) func(*record, int64, int64, []float64) {
			observe := observer(cell)
			return func(row *record, trajectory, layer int64, x []float64) {
				if seen++; seen == 20 {
					cancel()
				}
				observe(row, trajectory, layer, x)
			}
		}
		if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: error %v of a run that was stopped", name(c), err)
		}
		cancel()
		for block, kept := range past.blocks {
			for k, row := range kept {
				if !slices.Equal(row.layers, e.Times) {
					t.Errorf("%s: row %d of block %d is kept with layers %v", name(c), k, block, row.layers)
				}
			}
		}
	}
}

// awkwardStart fails for some trajectories.
type awkwardStart struct {
	PairStart
	fails []int64
}

func (s awkwardStart) Fill(x []float64, d int, trajectory int64, normal func() float64) error {
	if slices.Contains(s.fails, trajectory) {
		return errors.New("awkward")
	}
	return s.PairStart.Fill(x, d, trajectory, normal)
}

// Of several failures in a block the first in order counts, though others are found after it, and the rows
// before it are delivered, no others.
func TestRowsBeforeTheFirstFailure(t *testing.T) {
	const trajectories = 100_000
	if size := BlockOf(trajectories); size != 16 {
		t.Fatalf("blocks of %d trajectories, want 16", size)
	}
	for _, c := range []struct {
		fails []int64
		want  string
	}{
		{[]int64{5, 9, 12}, "trajectory 5 of cell 0: awkward"},
		{[]int64{35, 36, 47, 63}, "trajectory 35 of cell 0: awkward"},
		{[]int64{0, 1}, "trajectory 0 of cell 0: awkward"},
	} {
		for _, workers := range []int{1, 3} {
			cell := pairCell()
			cell.Start = awkwardStart{PairStart{0.5}, c.fails}
			var rows []record
			e := recording([]Cell{cell}, trajectories, 3, &rows)
			e.Workers = workers
			if err := e.Run(t.Context()); err == nil || err.Error() != c.want {
				t.Errorf("failures %v: error %v, want %s", c.fails, err, c.want)
			}
			if int64(len(rows)) != c.fails[0] {
				t.Errorf("failures %v: %d rows are delivered", c.fails, len(rows))
			}
		}
	}
}
