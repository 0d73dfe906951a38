package sde

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// coupledRow is what a trajectory of coupled cells showed.
type coupledRow struct {
	steps  []int64 // how many of each cell were seen
	tokens [][]float64
}

func coupledEnsemble(cells []Cell, rows *[]coupledRow) *CoupledEnsemble[coupledRow] {
	return &CoupledEnsemble[coupledRow]{
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
func TestCoupledEnsembleRunsEveryTrajectory(t *testing.T) {
	cells := coupledCells(Cell{Model: TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Start: UniformStart{}}, Transformer{}, 4, 8)
	coupled, err := NewCoupled(cells, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		var rows []coupledRow
		e := coupledEnsemble(cells, &rows)
		e.Workers = workers
		done := int64(0)
		e.Progress = func(n, _ int64) { done = n }
		if err := e.Run(t.Context()); err != nil || done != 40 || len(rows) != 40 {
			t.Fatalf("%d rows, progress %d, error %v", len(rows), done, err)
		}
		for k, row := range rows {
			if err := errors.Join(coupled.Restart(int64(k)), coupled.Advance(nil), coupled.Advance(nil)); err != nil {
				t.Fatal(err)
			}
			for i, c := range cells {
				if row.steps[i] != int64(c.Depth)/2 || !slices.Equal(row.tokens[i], coupled.Tokens(i)) {
					t.Fatalf("trajectory %d, cell %d: %d steps to %v, want %v", k, i, row.steps[i], row.tokens[i], coupled.Tokens(i))
				}
			}
		}
	}
}

func TestCoupledEnsembleErrors(t *testing.T) {
	cells := coupledCells(Cell{Model: HybridSDE{Epsilon: 1}, Tokens: 2, Dim: 3, Beta: 1, Start: UniformStart{}}, Hybrid{}, 4)
	for what, change := range map[string]func(e *CoupledEnsemble[coupledRow]){
		"no cells":        func(e *CoupledEnsemble[coupledRow]) { e.Cells = nil },
		"no trajectories": func(e *CoupledEnsemble[coupledRow]) { e.Trajectories = 0 },
		"no steps":        func(e *CoupledEnsemble[coupledRow]) { e.Steps = 0 },
		"workers":         func(e *CoupledEnsemble[coupledRow]) { e.Workers = -1 },
		"a depth":         func(e *CoupledEnsemble[coupledRow]) { e.Cells[0].Depth = 6 },
		"memory":          func(e *CoupledEnsemble[coupledRow]) { e.Cells[0].Dim = 1 << 30; e.Cells = e.Cells[:1] },
		"a full disk": func(e *CoupledEnsemble[coupledRow]) {
			e.Reduce = func(int64, coupledRow) error { return errors.New("full") }
		},
	} {
		var rows []coupledRow
		e := coupledEnsemble(slices.Clone(cells), &rows)
		change(e)
		if e.Run(t.Context()) == nil {
			t.Errorf("%s: no error", what)
		}
	}
	var rows []coupledRow
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := coupledEnsemble(cells, &rows).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
