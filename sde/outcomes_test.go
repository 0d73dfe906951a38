package sde

import (
	"context"
	"math"
	"strings"
	"testing"

	"antipode/sphere"
	"antipode/sphere/must"
)

// Outcomes gives the outcomes that the example of an Ensemble counts, and the same ones with a kernel that is
// softmax. Its errors are those of the Ensemble.
func TestOutcomesOfACell(t *testing.T) {
	cell := Cell{Model: Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 100,
		Start: UniformStart{}}
	own := cell
	own.Beta, own.PairKernel = 0, softmaxOfPairs(1.5)
	for _, c := range []Cell{cell, own} {
		got := must.Get(c.Outcomes(context.Background(), 1, 1000, 2000, 1e-3))(t)
		single, antipodal := got[sphere.Single], got[sphere.Antipodal]
		if single+antipodal+got[sphere.Unclustered] != 1000 {
			t.Errorf("outcomes %v of 1000 trajectories", got)
		}
		if c.PairKernel.Weigh == nil && (single != 780 || antipodal != 218) {
			t.Errorf("outcomes %v, want 780 single, 218 antipodal", got)
		}
		// The random numbers are others, as those depend on β: five standard errors, false alarm 6e-7.
		if c.PairKernel.Weigh != nil && (single < 780-93 || single > 780+93) {
			t.Errorf("outcomes %v, want 780 single within 93", got)
		}
	}
	for _, tolerance := range []float64{0, -1, 1, math.NaN()} {
		if _, err := cell.Outcomes(context.Background(), 1, 10, 20, tolerance); err == nil ||
			!strings.Contains(err.Error(), "must be between 0 and 1") {
			t.Errorf("tolerance %v: error %v", tolerance, err)
		}
	}
	cell.Depth = 0
	if _, err := cell.Outcomes(context.Background(), 1, 10, 20, 1e-3); err == nil ||
		!strings.Contains(err.Error(), "depth 0") {
		t.Errorf("error %v", err)
	}
}
