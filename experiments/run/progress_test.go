package run

import (
	"slices"
	"testing"
)

// The progress of a sequence adds the present simulation to those before it, also the restored work.
func TestProgressInSequence(t *testing.T) {
	type seen struct {
		done, restored, total int64
		cells, all            int
	}
	var got []seen
	each, next := InSequence(Options{Progress: func(s State) {
		got = append(got, seen{s.Done, s.Restored, s.Total, s.Cells, s.AllCells})
	}}, 30, 2)
	each.Report(State{Done: 5, Restored: 5, Total: 10, AllCells: 1})
	each.Report(State{Done: 10, Restored: 5, Total: 10, Cells: 1, AllCells: 1})
	next()
	each.Report(State{Done: 4, Restored: 3, Total: 20, AllCells: 1})
	each.Report(State{Done: 20, Restored: 3, Total: 20, Cells: 1, AllCells: 1})
	want := []seen{{5, 5, 30, 0, 2}, {10, 5, 30, 1, 2}, {14, 8, 30, 1, 2}, {30, 8, 30, 2, 2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	each, _ = InSequence(Options{}, 1, 1)
	each.Report(State{}) // there is nothing to report to
}
