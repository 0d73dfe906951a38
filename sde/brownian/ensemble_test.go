package brownian

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"antipode/sde"
	"antipode/sde/internal/runtest"
	"antipode/sphere/must"
)

// coupledRow is what a trajectory of coupled cells showed.
type coupledRow struct {
	steps  []int64 // how many of each cell were seen
	tokens [][]float64
}

func ensembleOf(cells []sde.Cell, rows *[]coupledRow) *Ensemble[coupledRow] {
	return &Ensemble[coupledRow]{
		Cells: cells, Trajectories: 40, Steps: 2, Seed: 3,
		Observer: func() func(*coupledRow, int, int64, []float64) {
			return func(row *coupledRow, cell int, step int64, x []float64) {
				if row.steps == nil {
					row.steps, row.tokens = make([]int64, len(cells)), make([][]float64, len(cells))
				}
				row.steps[cell], row.tokens[cell] = step, slices.Clone(x)
			}
		},
		Reduce: func(trajectory int64, row coupledRow) error {
			if trajectory != int64(len(*rows)) {
				return errors.New("out of order")
			}
			*rows = append(*rows, row)
			return nil
		},
	}
}

// Every trajectory is that of Coupled, whatever the number of workers.
func TestEnsembleRunsEveryTrajectory(t *testing.T) {
	cells := coupledCells(sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}, 4, 8)
	coupled := must.Get(NewCoupled(cells, 3))(t)
	for _, workers := range []int{1, 3} {
		var rows []coupledRow
		e := ensembleOf(cells, &rows)
		e.Workers = workers
		done := int64(0)
		e.Progress = func(n, _ int64) { done = n }
		if err := e.Run(t.Context()); err != nil || done != 40 || len(rows) != 40 {
			t.Fatalf("%d rows, progress %d, error %v", len(rows), done, err)
		}
		for k, row := range rows {
			must.Do(t, errors.Join(coupled.Restart(int64(k)), coupled.Advance(nil),
				coupled.Advance(nil)))
			for i, c := range cells {
				if row.steps[i] != int64(c.Depth)/2 || !slices.Equal(row.tokens[i], coupled.Tokens(i)) {
					t.Fatalf("trajectory %d, cell %d: %d steps to %v, want %v",
						k, i, row.steps[i], row.tokens[i], coupled.Tokens(i))
				}
			}
		}
	}
}

func TestEnsembleErrors(t *testing.T) {
	cells := coupledCells(sde.Cell{Model: sde.HybridSDE{Epsilon: 1}, Tokens: 2, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}, 4)
	for what, change := range map[string]func(e *Ensemble[coupledRow]){
		"no cells":        func(e *Ensemble[coupledRow]) { e.Cells = nil },
		"no trajectories": func(e *Ensemble[coupledRow]) { e.Trajectories = 0 },
		"no steps":        func(e *Ensemble[coupledRow]) { e.Steps = 0 },
		"workers":         func(e *Ensemble[coupledRow]) { e.Workers = -1 },
		"a depth":         func(e *Ensemble[coupledRow]) { e.Cells[0].Depth = 6 },
		"memory":          func(e *Ensemble[coupledRow]) { e.Cells[0].Dim = 1 << 30; e.Cells = e.Cells[:1] },
		"a full disk": func(e *Ensemble[coupledRow]) {
			e.Reduce = func(int64, coupledRow) error { return errors.New("full") }
		},
	} {
		var rows []coupledRow
		e := ensembleOf(slices.Clone(cells), &rows)
		change(e)
		if e.Run(t.Context()) == nil {
			t.Errorf("%s: no error", what)
		}
	}
	var rows []coupledRow
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ensembleOf(cells, &rows).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// The coupled ensemble is resumed and divided into parts like the other one.
func TestRunGoesOn(t *testing.T) {
	var rows []coupledRow
	cells := coupledCells(sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}, 4, 8)
	e := ensembleOf(cells, &rows)
	must.Do(t, e.Run(t.Context()))
	want := slices.Clone(rows)
	checkpoint := &runtest.Memory[coupledRow]{}
	ctx, cancel := context.WithCancel(t.Context())
	e.Checkpoint, rows = checkpoint, nil
	reduce := e.Reduce
	e.Reduce = func(trajectory int64, row coupledRow) error {
		if trajectory == e.Trajectories/2 {
			cancel()
		}
		return reduce(trajectory, row)
	}
	if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	checkpoint = checkpoint.Next()
	e.Checkpoint, e.Reduce, rows = checkpoint, reduce, nil
	var restored int64
	e.Progress = func(_, r int64) { restored = r }
	if err := e.Run(t.Context()); err != nil || restored != int64(len(checkpoint.Before)) {
		t.Fatalf("%v, %d trajectories are said to be restored of %d", err, restored, len(checkpoint.Before))
	}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Error("other rows")
	}
	e.Checkpoint = nil
	got := make([]coupledRow, len(want))
	for k := range int64(3) {
		e.Part = sde.Part{Number: k, Of: 3}
		e.Reduce = func(trajectory int64, row coupledRow) error {
			got[trajectory] = row
			return nil
		}
		must.Do(t, e.Run(t.Context()))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("other rows in parts")
	}
}

// A prediction is some positive time. Whether it comes true, the long tests see.
func TestSecondsArePositive(t *testing.T) {
	cells := []sde.Cell{{Model: sde.Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 8, Start: sde.UniformStart{}}}
	if seconds := ensembleOf(cells, new([]coupledRow)).Seconds(); !(seconds > 0 && seconds < 1e6) {
		t.Errorf("predicted %v s", seconds)
	}
}
