package theory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
)

var question = Question{Layers: 50, Horizon: 5, Tolerance: 0.05}

// Points come in the order of the cells, whatever the number of workers, and each has the values that the
// functions of this package have for its cell. Where the theory does not hold, its values are NaN.
func TestPointsAreThoseOfTheCells(t *testing.T) {
	longtest.Only(t)
	transformer := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	hybrid, matrix := transformer, transformer
	hybrid.Model = sde.Hybrid{Law: sde.Rademacher, Epsilon: 1.2}
	matrix.Interaction = make([]float64, 16)
	cells := []sde.Cell{transformer, hybrid, matrix, transformer}
	cells[3].Beta = 0.25
	pointsOf := func(workers int, cells []sde.Cell) (points []Point) {
		for p, err := range question.Points(t.Context(), workers, cells) {
			if err != nil {
				t.Fatal(err)
			}
			points = append(points, p)
		}
		if len(points) != len(cells) {
			t.Fatalf("%d points of %d cells", len(points), len(cells))
		}
		return points
	}
	points := pointsOf(3, cells)
	if one := pointsOf(1, cells[1:]); fmt.Sprintf("%+v", one) != fmt.Sprintf("%+v", points[1:]) {
		t.Errorf("one worker: %+v, three: %+v", one, points[1:])
	}
	if p := points[2]; !math.IsNaN(p.Limit) || !math.IsNaN(p.Horizon.Antipodal) ||
		!math.IsNaN(p.Depth.Single) || !math.IsNaN(p.Thresholds.Beta) {
		t.Errorf("%+v of a matrix for which the theory does not hold", p)
	}
	if got, want := points[0].Limit, 0.1198769963; !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("limit %v, want %v", got, want)
	}
	for _, k := range []int{0, 3} {
		if got, want := points[k].Thresholds.Beta, math.Acosh(2)/2; !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("critical β %v, want %v", got, want)
		}
		if p := points[k]; !(math.Abs(p.Depth.Antipodal-p.Horizon.Antipodal) < 0.1) {
			t.Errorf("cell %d: %+v", k, p)
		}
	}
	if at := AtDepth(cells[0], question.Layers, question.Tolerance); points[0].Depth != at {
		t.Errorf("%+v at the depth, want %+v", points[0].Depth, at)
	}
	single, antipodal := overlap.HybridThresholds(1, overlap.Softmax)
	if p := points[1].Thresholds; p.EpsilonSingle != single || p.EpsilonAntipodal != antipodal ||
		!math.IsNaN(p.Beta) {
		t.Errorf("thresholds %+v of the hybrid", p)
	}
}

// After its context is cancelled, Points computes no further cell.
func TestPointsAreCancelled(t *testing.T) {
	cells := slices.Repeat([]sde.Cell{{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1,
		Depth: 10, Start: sde.UniformStart{}}}, 200)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answers := 0
	for _, err := range question.Points(ctx, 1, cells) {
		answers++
		if cancel(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if answers > 2 {
		t.Errorf("%d answers, the last an error, where the first cancels", answers)
	}
}

// If the caller stops asking for points, only few more are computed: otherwise this test would take very
// long.
func TestPointsEndWhereNoMoreAreAskedFor(t *testing.T) {
	longtest.Only(t)
	cells := slices.Repeat([]sde.Cell{{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1,
		Depth: 10, Start: sde.UniformStart{}}}, 1e5)
	for _, err := range question.Points(t.Context(), 2, cells) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

// A derivative is known up to an estimated error of a thousandth.
func TestKnownDerivatives(t *testing.T) {
	for _, c := range []struct {
		error  float64
		ok, is bool
	}{
		{0, true, true}, {1e-3, true, true}, {1.001e-3, true, false}, {math.NaN(), true, false},
		{0, false, false},
	} {
		got := knownDerivative(overlap.Derivative{Value: 2, Error: c.error}, c.ok)
		if (got == overlap.Derivative{Value: 2, Error: c.error}) != c.is || c.is == math.IsNaN(got.Value) {
			t.Errorf("error %v, %v: %+v", c.error, c.ok, got)
		}
	}
}
