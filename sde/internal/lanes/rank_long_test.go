//go:build long

package lanes

import (
	"math"
	"testing"

	"antipode/sphere/must"
)

// overlaps are atanh Z of the first two tokens of a number of trajectories after some layers, with
// value matrices drawn on the span of the tokens or in full. It is cut where tokens are 10^-6
// apart, as near rounding the two have laws of their own.
func overlaps(t *testing.T, r Recursion, trajectories int, layers int64) []float64 {
	t.Helper()
	const largest = 14
	l := newVectorTokens(r, PerVector, false)
	values, all := make([]float64, 0, trajectories), make([]Lane, PerVector)
	for len(values) < trajectories {
		for k := range all {
			all[k] = Lane{Trajectory: int64(len(values) + k)}
			must.Do(t, l.Start(k, all[k].Trajectory))
		}
		l.Advance(all, layers)
		for k := range all {
			x := l.Tokens(k)
			p := squaresOf(x[:r.Dim], x[r.Dim:2*r.Dim])
			values = append(values, max(-largest, min(largest, math.Log(p.above/p.below)/2)))
		}
	}
	return values
}

// Value matrices drawn on the span of the tokens have the law of those drawn in full, and a
// twentieth too much on the span is noticed: two samples of n = 500,000 numbers, whose distance is
// above 2.69·√(2/n) in one of 10^6 seeds, so that the test fails in 3 of 10^6.
func TestDrawsOnTheSpanHaveTheLawOfFullDraws(t *testing.T) {
	const trajectories = 500_000
	alarm := 2.69 * math.Sqrt(2./trajectories)
	three := func(sigma float64, seed uint64) Recursion { return gaussian(3, 5, 1, sigma, 10, seed) }
	two := func(sigma float64, seed uint64) Recursion { return gaussian(2, 3, 1, sigma, 100, seed) }
	for _, run := range []struct {
		process func(sigma float64, seed uint64) Recursion
		layers  int64
	}{{three, 1}, {three, 10}, {two, 200}} {
		inFull := run.process(1, 1)
		inFull.Rank = inFull.Dim
		full := overlaps(t, inFull, trajectories, run.layers)
		distance := greatestDistance(full, overlaps(t, run.process(1, 2), trajectories, run.layers))
		t.Logf("%d layers: distance %.5f, alarm above %.5f", run.layers, distance, alarm)
		if distance > alarm {
			t.Errorf("%d layers: distance %.5f", run.layers, distance)
		}
		if run.layers == 10 {
			wrong := overlaps(t, run.process(1.05, 3), trajectories, run.layers)
			if distance := greatestDistance(full, wrong); distance < alarm {
				t.Errorf("with σ = 1.05: distance %.5f", distance)
			}
		}
	}
}
