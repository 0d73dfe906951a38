package sde

import (
	"context"
	"errors"
	"slices"
	"testing"

	"antipode/sde/internal/runtest"
)

// A cancelled run of trajectories in lanes does not deliver unfinished trajectories either.
func TestRunStoppedInTheMiddleOfABlock(t *testing.T) {
	for _, c := range append(models(3, 4), chains()...) {
		var rows []record
		e := recording([]Cell{c}, 40, 300, &rows)
		e.Workers = 1
		ctx, cancel := context.WithCancel(t.Context())
		checkpoint := &runtest.Memory[record]{}
		e.Checkpoint, e.Times = checkpoint, []int64{150, 300}
		observer, seen := e.Observer, 0
		e.Observer = func(cell int) func(*record, *View) {
			observe := observer(cell)
			return func(row *record, v *View) {
				if seen++; seen == 20 {
					cancel()
				}
				observe(row, v)
			}
		}
		if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: error %v of a run that was stopped", name(c), err)
		}
		cancel()
		for block, kept := range checkpoint.Blocks() {
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

// If several trajectories of a block fail, the error is that of the first one in order, even if it is found
// last. Only the rows before it are delivered.
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
