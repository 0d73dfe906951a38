//go:build long

package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// overlaps are those of the first two tokens of so many trajectories after some layers, with
// value matrices drawn on the span of the tokens or in full.
func overlaps(t *testing.T, c Cell, reduced bool, seed uint64, trajectories int, layers int64) []float64 {
	t.Helper()
	l := newVectorTokenLanes(c, seed, lanesOfVector, false)
	for _, g := range l.groups {
		attention := kernels.NewAttention(c.Beta, c.Tokens, c.Attention == Softmax)
		g.tokens = kernels.NewTokens(c.Tokens, c.Dim, 1/math.Sqrt(float64(c.Depth)), attention, reduced)
	}
	values, all := make([]float64, 0, trajectories), make([]lane, lanesOfVector)
	for len(values) < trajectories {
		for k := range all {
			all[k] = lane{trajectory: int64(len(values) + k)}
			if err := l.start(k, all[k].trajectory); err != nil {
				t.Fatal(err)
			}
		}
		l.advance(all, layers)
		for k := range all {
			x := l.see(k)
			values = append(values, sphere.Dot(x[:c.Dim], x[c.Dim:2*c.Dim]))
		}
	}
	return values
}

// Value matrices drawn on the span of the tokens have the law of those drawn in full, and a
// twentieth too much on the span is noticed: two samples of n numbers, whose distance is above
// 2.69·√(2/n) in one of 10^6 seeds, so that the test fails in 3 of 10^6.
func TestDrawsOnTheSpanHaveTheLawOfFullDraws(t *testing.T) {
	c := Cell{Model: Transformer, Tokens: 3, Dim: 5, Beta: 1, Sigma: 1, Depth: 10, Start: UniformStart{}}
	for _, run := range []struct {
		layers       int64
		trajectories int
	}{{1, 1_000_000}, {10, 1_000_000}, {200, 100_000}} {
		alarm := 2.69 * math.Sqrt(2/float64(run.trajectories))
		full := overlaps(t, c, false, 1, run.trajectories, run.layers)
		distance := greatestDistance(full, overlaps(t, c, true, 2, run.trajectories, run.layers))
		t.Logf("%d layers: distance %.5f, alarm above %.5f", run.layers, distance, alarm)
		if distance > alarm {
			t.Errorf("%d layers: distance %.5f", run.layers, distance)
		}
		if run.layers == 10 {
			c := c
			c.Sigma *= 1.05
			if distance := greatestDistance(full, overlaps(t, c, true, 3, run.trajectories, run.layers)); distance < alarm {
				t.Errorf("with σ = %g: distance %.5f", c.Sigma, distance)
			}
		}
	}
}
