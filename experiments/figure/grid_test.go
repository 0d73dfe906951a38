package figure

import (
	"slices"
	"testing"
)

// Values of rows are there once, ascending.
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
