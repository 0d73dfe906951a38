package theory

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"antipode/overlap"
	"antipode/sde"
)

var question = Question{Layers: 200, Horizon: 20, Tolerance: 1e-3}

// The points of cells stand in the order of the cells, whatever the number of workers, and each is what the
// functions of the theory say of its cell; where it does not hold nothing is known.
func TestPointsAreThoseOfTheCells(t *testing.T) {
	transformer := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	hybrid, matrix := transformer, transformer
	hybrid.Model = sde.Hybrid{Law: sde.Rademacher, Epsilon: 1.2}
	matrix.Interaction = make([]float64, 16)
	cells := []sde.Cell{transformer, hybrid, matrix, transformer}
	cells[3].Beta = 0.25
	for _, workers := range []int{1, 3} {
		var done []int
		points, err := question.Points(t.Context(), workers, cells, func(n int) { done = append(done, n) })
		if err != nil || !slices.Equal(done, []int{1, 2, 3, 4}) {
			t.Fatalf("done %v, error %v", done, err)
		}
		if p := points[2]; !math.IsNaN(p.Limit) || !math.IsNaN(p.Horizon.Antipodal) ||
			!math.IsNaN(p.Depth.Single) || !math.IsNaN(p.Thresholds.Beta) {
			t.Errorf("%+v of a matrix for which the theory does not hold", p)
		}
		if got, want := points[0].Limit, 0.1198769963; math.Abs(got-want) > 1e-9 {
			t.Errorf("limit %v, want %v", got, want)
		}
		for _, k := range []int{0, 3} {
			if got, want := points[k].Thresholds.Beta, math.Acosh(2)/2; math.Abs(got-want) > 1e-12 {
				t.Errorf("critical β %v, want %v", got, want)
			}
			if p := points[k]; p.Depth != AtDepth(cells[k], 200, 1e-3) ||
				!(math.Abs(p.Depth.Antipodal-p.Horizon.Antipodal) < 0.1) {
				t.Errorf("cell %d: %+v", k, p)
			}
		}
		single, antipodal := overlap.HybridThresholds(1, overlap.Softmax)
		if p := points[1].Thresholds; p.EpsilonSingle != single || p.EpsilonAntipodal != antipodal ||
			!math.IsNaN(p.Beta) {
			t.Errorf("thresholds %+v of the hybrid", p)
		}
	}
}

// A cancelled context ends the theory before its next cell.
func TestPointsAreCancelled(t *testing.T) {
	cells := slices.Repeat([]sde.Cell{{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}}, 200)
	ctx, cancel := context.WithCancel(t.Context())
	most := 0
	_, err := question.Points(ctx, 1, cells, func(n int) { most = n; cancel() })
	if !errors.Is(err, context.Canceled) || most > 100 {
		t.Errorf("error %v after %d cells", err, most)
	}
}
