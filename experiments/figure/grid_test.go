package figure

import (
	"slices"
	"testing"
)

// DistinctOf returns each value once, in ascending order.
func TestDistinctOf(t *testing.T) {
	type row struct{ dim, count int }
	rows := []row{{7, 1}, {2, 5}, {7, 3}, {4, 2}, {2, 2}}
	got := DistinctOf(rows, func(r row) float64 { return float64(r.dim) })
	if !slices.Equal(got, []float64{2, 4, 7}) {
		t.Errorf("%v", got)
	}
	if got := DistinctOf(nil, func(r row) float64 { return 1 }); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}

// A cell extends halfway to its neighbours. On its outer side the first or last cell extends as far as on the
// other, but not beyond the bound unless its value is the bound.
func TestEdgesOfCells(t *testing.T) {
	for _, c := range []struct {
		cells            Cells
		value, low, high float64
	}{
		{Cells{[]float64{0, 0.5, 2}, 0, 9}, 0, -0.25, 0.25},
		{Cells{[]float64{0, 0.5, 2}, 0, 9}, 0.5, 0.25, 1.25},
		{Cells{[]float64{0, 0.5, 2}, 0, 2}, 2, 1.25, 2.75},
		{Cells{[]float64{0.125, 0.5}, 0, 0.625}, 0.125, 0, 0.3125},
		{Cells{[]float64{0.125, 0.5}, 0, 0.625}, 0.5, 0.3125, 0.625},
		{Cells{[]float64{3}, 0, 9}, 3, 2.5, 3.5},
	} {
		if low, high := c.cells.Edges(c.value); low != c.low || high != c.high {
			t.Errorf("%v in %v: %v to %v, want %v to %v", c.value, c.cells, low, high, c.low, c.high)
		}
	}
}
