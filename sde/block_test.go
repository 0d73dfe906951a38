package sde

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"antipode/sde/internal/runtest"
	"antipode/sphere/must"
)

// A run that is stopped and resumed, at any point and any number of times, gives the rows of a run without a
// stop, and computes no block twice.
func TestRunGoesOn(t *testing.T) {
	var rows []record
	e := recording(append(models(3, 4), chains()...), 130, 60, &rows)
	e.Stop, e.Times = early, []int64{1, 7, 30, 60}
	want := slices.Clone(runAll(t, e, &rows))
	random := rand.New(rand.NewPCG(3, 5))
	for round := range 4 {
		checkpoint := &runtest.Memory[record]{}
		e.Checkpoint = checkpoint
		stops := 0
		for _, e.Workers = range []int{1, 3, 2, 8, 1, 5} {
			ctx, cancel := context.WithCancel(t.Context())
			end := int64(random.IntN(130 * len(e.Cells)))
			reduce := e.Reduce
			e.Reduce = func(cell int, trajectory int64, row record) error {
				if int64(cell)*130+trajectory == end {
					cancel()
				}
				return reduce(cell, trajectory, row)
			}
			rows = nil
			err := e.Run(ctx)
			e.Reduce = reduce
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			stops++
			checkpoint = checkpoint.Next()
			e.Checkpoint = checkpoint
		}
		restored := int64(0)
		e.Progress = func(_, r int64) { restored = r }
		if got := runAll(t, e, &rows); !equalRecords(got, want) {
			t.Errorf("round %d: other rows after %d stops", round, stops)
		}
		if want := int64(len(checkpoint.Before)) * BlockOf(130) * e.Layers; restored != want {
			t.Errorf("round %d: %d layers are said to be restored of %d", round, restored, want)
		}
		if blocks := int64(len(e.Cells)) * BlocksOf(130); int64(len(checkpoint.Blocks())) != blocks {
			t.Errorf("%d blocks are kept of %d", len(checkpoint.Blocks()), blocks)
		}
		e.Checkpoint = checkpoint.Next()
		observer := e.Observer
		e.Observer = func(int) func(*record, *View) { panic("nothing is left to do") }
		if got := runAll(t, e, &rows); !equalRecords(got, want) {
			t.Errorf("round %d: other rows from the checkpoint alone", round)
		}
		e.Observer = observer
	}
}

// If a block cannot be stored, the run ends with that error.
func TestPastIsFull(t *testing.T) {
	var rows []record
	e := recording(models(3, 4), 130, 10, &rows)
	e.Checkpoint = &runtest.Memory[record]{Room: 7}
	if err := e.Run(t.Context()); !errors.Is(err, runtest.ErrFull) {
		t.Errorf("error %v", err)
	}
}

// It is an error if the checkpoint has too few rows for a block.
func TestPastOfAnotherSize(t *testing.T) {
	var rows []record
	e := recording(models(3, 4)[:1], 130, 10, &rows)
	before := map[int64][]record{5: make([]record, 1)}
	e.Checkpoint = &runtest.Memory[record]{Before: before}
	if err := e.Run(t.Context()); err == nil {
		t.Error("no error")
	}
}

// The parts of a run have every trajectory once, with the same row as the whole run. Cells are finished in
// their order, even those without trajectories.
func TestParts(t *testing.T) {
	for _, trajectories := range []int64{1, 2, 63, 130, 1025} {
		var rows []record
		e := recording(models(2, 3)[:5], trajectories, 3, &rows)
		want := slices.Clone(runAll(t, e, &rows))
		for _, n := range []int64{1, 2, 3, 7, 100} {
			got, seen := make([]record, len(want)), 0
			for k := range n {
				e.Part = Part{k, n}
				e.Reduce = func(cell int, trajectory int64, row record) error {
					if trajectory/BlockOf(trajectories)%n != k {
						t.Errorf("part %d of %d has trajectory %d of %d", k, n, trajectory, trajectories)
					}
					got[int64(cell)*trajectories+trajectory] = row
					seen++
					return nil
				}
				finished := 0
				e.Finish = func(cell int) error {
					if cell != finished {
						t.Errorf("cell %d is finished after %d cells", cell, finished)
					}
					finished++
					return nil
				}
				done := int64(0)
				e.Progress = func(d, _ int64) { done = d }
				must.Do(t, e.Run(t.Context()))
				if finished != len(e.Cells) || done != e.Work() {
					t.Errorf("part %d of %d: %d of %d cells finished, %d of %d done",
						k, n, finished, len(e.Cells), done, e.Work())
				}
			}
			if seen != len(want) || !equalRecords(got, want) {
				t.Errorf("%d parts of %d trajectories: %d rows of %d", n, trajectories, seen, len(want))
			}
		}
	}
}

func TestPartRefuses(t *testing.T) {
	for _, p := range []Part{{1, 0}, {-1, 2}, {2, 2}, {0, -1}} {
		if p.Validate() == nil {
			t.Errorf("part %v", p)
		}
	}
}

// A block is stored as soon as a worker has finished it, even while Reduce is busy with another one.
func TestFinishedBlocksAreKeptAtOnce(t *testing.T) {
	var rows []record
	e := recording(models(3, 4)[:1], 640, 20, &rows)
	checkpoint := &runtest.Memory[record]{}
	e.Checkpoint, e.Workers = checkpoint, 2
	kept := func() int { return len(checkpoint.Blocks()) }
	waited := false
	e.Reduce = func(int, int64, record) error {
		for deadline := time.Now().Add(10 * time.Second); !waited &&
			kept() < 16; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				return fmt.Errorf("%d blocks are kept while Reduce has the first", kept())
			}
		}
		waited = true
		return nil
	}
	if err := e.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
