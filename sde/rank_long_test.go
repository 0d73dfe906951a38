//go:build long

package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
)

// overlaps are atanh Z of the first two tokens of so many trajectories after some layers, with
// value matrices drawn on the span of the tokens or in full. It is cut where tokens are 10^-6
// apart, as near rounding the two have laws of their own.
func overlaps(t *testing.T, c Cell, reduced bool, seed uint64, trajectories int, layers int64) []float64 {
	t.Helper()
	const largest = 14
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
			p := squaresOf(x[:c.Dim], x[c.Dim:2*c.Dim])
			values = append(values, max(-largest, min(largest, math.Log(p.above/p.below)/2)))
		}
	}
	return values
}

// Value matrices drawn on the span of the tokens have the law of those drawn in full, and a
// twentieth too much on the span is noticed: two samples of n = 10^6 numbers, whose distance is
// above 2.69·√(2/n) in one of 10^6 seeds, so that the test fails in 3 of 10^6.
func TestDrawsOnTheSpanHaveTheLawOfFullDraws(t *testing.T) {
	const trajectories = 1_000_000
	alarm := 2.69 * math.Sqrt(2./trajectories)
	three := Cell{Model: Transformer{Sigma: 1}, Tokens: 3, Dim: 5, Beta: 1, Depth: 10, Start: UniformStart{}}
	two := Cell{Model: Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 100, Start: UniformStart{}}
	for _, run := range []struct {
		cell   Cell
		layers int64
	}{{three, 1}, {three, 10}, {two, 200}} {
		full := overlaps(t, run.cell, false, 1, trajectories, run.layers)
		distance := greatestDistance(full, overlaps(t, run.cell, true, 2, trajectories, run.layers))
		t.Logf("%d layers: distance %.5f, alarm above %.5f", run.layers, distance, alarm)
		if distance > alarm {
			t.Errorf("%d layers: distance %.5f", run.layers, distance)
		}
		if run.layers == 10 {
			wrong := run.cell
			wrong.Model = Transformer{Sigma: 1.05}
			if distance := greatestDistance(full, overlaps(t, wrong, true, 3, trajectories, run.layers)); distance < alarm {
				t.Errorf("with σ = 1.05: distance %.5f", distance)
			}
		}
	}
}
