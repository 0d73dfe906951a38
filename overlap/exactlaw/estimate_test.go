package exactlaw

import (
	"math"
	"testing"
)

// The error that is stated for a law of recursion (7) follows from the differences of the lattices so far:
// of one difference, of two and of three, each where the last is a tenth of the one before it or less, and
// where it is more.
func TestEstimatesOfHybrid(t *testing.T) {
	start := 0.3
	for _, c := range []struct {
		folds       bool
		start       *float64
		differences []float64
		want        float64
	}{
		{false, nil, []float64{1e-5}, 0.02},
		{true, &start, []float64{1e-3}, 0.03},
		{false, nil, []float64{1e-3, 5e-5}, 2.5e-4 + 3e-9},
		{false, nil, []float64{1e-3, 1e-4}, 2.5e-4 + 3e-9},
		{false, nil, []float64{1e-3, 2e-4}, 1.2e-3 + 3e-9},
		{false, nil, []float64{1e-2, 1e-3, 2e-4}, 6.25e-4 + 3e-9},
		{false, nil, []float64{1e-3, 1e-3, 2e-4}, 1.2e-3 + 3e-9},
		{false, nil, []float64{9e-1, 1e-9, 1e-3}, 0.05625 + 3e-9},
		{false, nil, []float64{9, 1e-9, 1e-9, 1e-10}, 2.5e-10 + 3e-9},
		{true, nil, []float64{1e-3, 2e-4}, 2e-3 + 3e-9},
		{true, nil, []float64{1, 1e-4, 2e-4}, 8e-4 + 3e-9},
		{false, &start, []float64{1e-3, 9e-4}, 3.6e-3 + 3e-9},
	} {
		h := &hybrid{folds: c.folds}
		if got := h.estimate(problem{start: c.start}, 0, c.differences, 0); !(math.Abs(got-c.want) < 1e-15) {
			t.Errorf("folds %t, from an overlap %t, differences %v: %v, want %v", c.folds, c.start != nil,
				c.differences, got, c.want)
		}
	}
}

// The error that is stated for a law of recursion (4): of a first difference, at little effort and at more,
// and of one that hardly shrinks, shrinks, or shrinks much; and where the estimate before it was large.
func TestEstimatesOfClusters(t *testing.T) {
	for _, c := range []struct {
		effort      int
		differences []float64
		last, want  float64
	}{
		{1, []float64{1e-3}, 0, 4e-3}, {2, []float64{1e-3}, 0, 4e-3}, {3, []float64{1e-3}, 0, 2e-3},
		{4, []float64{1e-3}, 0.1, 0.01},
		{4, []float64{1e-3, 4e-4}, 0, 8e-4}, {2, []float64{1e-3, 4e-4}, 0, 8e-4},
		{4, []float64{1e-3, 2e-4}, 0, 2e-4}, {2, []float64{1e-3, 1e-5}, 0, 1e-5},
		{3, []float64{1e-3, 1e-5}, 0, 2.5e-6}, {3, []float64{1e-3, 6e-5}, 0, 6e-5},
		{5, []float64{1, 1e-3, 1e-5}, 1e-4, 1e-5}, {5, []float64{1, 1e-3, 1e-5}, 0, 2.5e-6},
	} {
		got := new(clusters).estimate(problem{}, c.effort, c.differences, c.last)
		if want := c.want + 2e-9; !(math.Abs(got-want) < 1e-15) {
			t.Errorf("effort %d, differences %v after %v: %v, want %v", c.effort, c.differences, c.last, got,
				want)
		}
	}
}
