package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/lanes"
	"antipode/sphere"
)

func TestViewOfTokens(t *testing.T) {
	v := newView(Cell{Tokens: 3, Dim: 2}, still{tokens: []float64{1, 0, 0.6, 0.8, -1, 0}})
	v.at(3, lanes.Lane{Trajectory: 7, Layer: 9})
	if _, pair := v.Pair(); pair || v.Trajectory != 7 || v.Layer != 9 || len(v.Tokens()) != 6 ||
		v.Count() != 3 {
		t.Errorf("%+v", v)
	}
	const end = -69.3147180559945 // ln 2^-100
	for _, c := range []struct {
		i, j         int
		above, below float64
	}{
		{0, 1, 0.47000362924573563, -0.916290731874155}, // ln 1.6 and ln 0.4
		{1, 2, -0.916290731874155, 0.47000362924573563},
		{0, 2, end, 0.6931471805599453},
		{1, 1, 0.6931471805599453, end},
	} {
		if above, below := v.Logarithms(c.i, c.j); math.Abs(above-c.above) > 1e-12 ||
			math.Abs(below-c.below) > 1e-12 {
			t.Errorf("tokens %d and %d: %v and %v, want %v and %v", c.i, c.j, above, below, c.above, c.below)
		}
	}
	for j, want := range []float64{1, 0.6, -1} {
		if got := v.Overlap(0, j); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("tokens 0 and %d: overlap %v, want %v", j, got, want)
		}
	}
	for _, c := range []struct {
		tolerance float64
		outcome   sphere.Outcome
	}{{0.3, sphere.Unclustered}, {0.45, sphere.Antipodal}, {0.3, sphere.Unclustered}} {
		if outcome, pair := v.Outcome(c.tolerance); outcome != c.outcome || !pair {
			t.Errorf("tolerance %v: %v, %v; want %v", c.tolerance, outcome, pair, c.outcome)
		}
	}
	if v.Together() {
		t.Error("three points are together")
	}
	v = newView(Cell{Tokens: 3, Dim: 2}, still{tokens: []float64{0.6, 0.8, 0.6, 0.8, 0.6, 0.8}})
	if outcome, pair := v.Outcome(1e-9); !v.Together() || outcome != sphere.Single || pair {
		t.Errorf("one point: %v, %v", outcome, pair)
	}
}

func TestViewOfAPair(t *testing.T) {
	inf := math.Inf(-1)
	p := Pair{Masses: [2]float64{2, 1}, Above: -30, Below: math.Ln2}
	chain, merged := p, p
	merged.clusters = []int32{0, 1, 0}
	for _, c := range []struct {
		pair         Pair
		i, j         int
		above, below float64
	}{
		{chain, 0, 1, math.Ln2, inf}, {chain, 1, 2, -30, math.Ln2}, {chain, 2, 0, -30, math.Ln2},
		{merged, 0, 1, -30, math.Ln2}, {merged, 1, 2, -30, math.Ln2}, {merged, 2, 0, math.Ln2, inf},
	} {
		v := newView(Cell{Tokens: 3, Dim: 3}, still{pair: &c.pair})
		if above, below := v.Logarithms(c.i, c.j); above != c.above || below != c.below {
			t.Errorf("%v: tokens %d and %d: %v and %v, want %v and %v",
				c.pair, c.i, c.j, above, below, c.above, c.below)
		}
		if outcome, pair := v.Outcome(1e-3); outcome != sphere.Antipodal || !pair || v.Together() ||
			v.Tokens() != nil {
			t.Errorf("%v: %v, %v, together %v", c.pair, outcome, pair, v.Together())
		}
	}
	for _, c := range []struct{ above, below, z float64 }{
		{-1, 0.49037, math.Exp(-1) - 1}, {0.49037, -1, 1 - math.Exp(-1)}, {inf, math.Ln2, -1}, {math.Ln2, -40,
			1},
	} {
		p := Pair{Masses: chain.Masses, Above: c.above, Below: c.below}
		v := newView(Cell{Tokens: 3, Dim: 3}, still{pair: &p})
		if z, same := v.Overlap(1, 2), v.Overlap(0, 1); !(math.Abs(z-c.z) <= 1e-15) || same != 1 {
			t.Errorf("%v: overlaps %v, and within a cluster %v", c, z, same)
		}
	}
	chain.Above, chain.Below = math.Ln2, inf
	v := newView(Cell{Tokens: 3, Dim: 3}, still{pair: &chain})
	if outcome, pair := v.Outcome(1e-3); outcome != sphere.Single || pair || !v.Together() {
		t.Errorf("one point: %v, %v, together %v", outcome, pair, v.Together())
	}
}
