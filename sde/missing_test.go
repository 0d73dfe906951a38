package sde

import (
	"strings"
	"testing"
)

// counts is an ensemble of three small trajectories that counts its rows.
func counts(rows *int) *Ensemble[int] {
	return &Ensemble[int]{
		Cells: []Cell{{Model: Transformer{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1, Depth: 10,
			Start: UniformStart{}}},
		Trajectories: 3, Layers: 20, Merge: MergeLaws,
		Observer: func(int) func(*int, *View) {
			return func(*int, *View) {}
		},
		Reduce: func(int, int64, int) error { *rows++; return nil },
	}
}

// If a function that an ensemble needs is missing, the error names it before any work. A function that a cell
// does not need may be missing.
func TestMissingFunctions(t *testing.T) {
	rows := 0
	e := counts(&rows)
	e.Stop = func(int) func(*View) bool { return nil }
	if err := e.Run(t.Context()); err != nil || rows != 3 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	e.Reduce = nil
	if err := e.Run(t.Context()); err == nil || err.Error() != "reduce: missing" {
		t.Errorf("without Reduce: %v", err)
	}
	e = counts(&rows)
	e.Observer = nil
	if err := e.Run(t.Context()); err == nil || err.Error() != "observer: missing" {
		t.Errorf("without Observer: %v", err)
	}
}

// If an Observer returns nil, which is a mistake of the programmer, the panic says where.
func TestObserverThatReturnsNil(t *testing.T) {
	e := counts(new(int))
	e.Observer = func(int) func(*int, *View) { return nil }
	defer func() {
		if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "sde: the Observer") {
			t.Errorf("panic %q", text)
		}
	}()
	newWorker(e, nil).enter(0)
}
