package simulate

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// The theoretical probabilities at points of the hybrid model agree with the simulated frequencies, at a
// depth that is small enough to matter, within 4.5 standard deviations. These are six comparisons with seed
// 1; one in 2e4 other seeds would give a false alarm.
func TestChancesAreFrequencies(t *testing.T) {
	s := New()
	s.Model, s.Law, s.Tokens, s.Beta, s.Depth, s.Trajectories = "hybrid", sde.Rademacher, 2, 1, 20, 1000
	for _, epsilon := range []float64{0.8, 1.1, 1.5} {
		s.Epsilon = epsilon
		table := experimenttest.Table(t, s, run.Options{Seed: 1})
		digest := must.Get(s.digestOf(table))(t)
		rows := must.Get(someRows[fractionRow](digest))(t)
		end := rows[len(rows)-1]
		at := must.Get(s.chances())(t)
		n := float64(end.Trajectories)
		for _, c := range []struct {
			count int64
			p     float64
		}{{end.Single, at.Single}, {end.Antipodal, at.Antipodal}} {
			if off := math.Abs(float64(c.count) - n*c.p); !(off <= 4.5*math.Sqrt(n*c.p*(1-c.p))+1) {
				t.Errorf("ε = %g: %d of %g, where theory has %g", epsilon, c.count, n, c.p)
			}
		}
	}
}

// Theory is drawn, as a dotted line for each outcome, for two tokens that start independently, and for no
// others.
func TestTheoryIsDrawnWhereItHolds(t *testing.T) {
	lines := func(tokens int64, axis bool) (count int) {
		s := New()
		s.Model, s.Law, s.Tokens, s.Beta, s.Epsilon = "hybrid", sde.Rademacher, tokens, 1, 0.8
		s.Depth, s.Horizon, s.Trajectories = 10, 5, 20
		if axis {
			s.varied.Epsilon = []float64{0.8, 1.2}
		}
		drawn := figuretest.Draw(t, s, experimenttest.Table(t, s, run.Options{Seed: 1}))
		for _, mark := range drawn.Panels[0].Plot.Marks {
			if line, is := mark.(figure.Line); is && line.Width == 0.7 {
				count++
			}
		}
		return count
	}
	for _, axis := range []bool{false, true} {
		if two, three := lines(2, axis), lines(3, axis); two != 3 || three != 0 {
			t.Errorf("a grid %v: %d lines of theory for two tokens, %d for three", axis, two, three)
		}
	}
}
