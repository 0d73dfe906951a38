package threetokens

import (
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

// negligible is the mass of three separate tokens below which the first two are treated as merged.
const negligible = 1e-8

// firstStep is the length of the first step in units of the clock.
const firstStep = 1

// growth is the factor by which the step length increases after all steps of one length are done.
const growth = 4

// clock returns a time in which the tokens move little.
func (t *tokens) clock() float64 {
	speed := t.sigma * t.sigma * float64(t.dim+3)
	if t.attention == overlap.Unnormalized {
		speed *= 0.25 * elementary.Exp(2*t.beta)
	}
	return 1 / speed
}

// evolve returns the masses of the states at each of the times, or nil if they grow without bound, as
// they may on a grid that is too coarse.
func (g *grid) evolve(times []float64) [][]float64 {
	mass := g.start()
	rates := g.generator()
	apart := true
	step, passed := firstStep*g.clock()/float64(g.steps), 0.0
	var f *factored
	var factoredAt float64
	var all [][]float64
	for _, until := range times {
		for passed < until {
			if apart && g.apart(mass) < negligible {
				mass, rates, apart = g.merge(mass), g.mergedGenerator(), false
				f = nil
			}
			count, s := g.steps, step
			if left := until - passed; left <= float64(g.steps)*step*(1+1e-12) {
				count = int(math.Ceil(left/step - 1e-9))
				s = left / float64(count)
				passed = until
			} else {
				passed += float64(float64(g.steps) * step)
				step *= growth
			}
			const rounding = 1e-12 // relative rounding error of equidistant times
			if f == nil || math.Abs(s-factoredAt) > rounding*until {
				f, factoredAt = rates.shifted(pole*s), s
			}
			for range count {
				f.step(mass)
			}
			if !bounded(mass) {
				return nil
			}
		}
		if apart {
			all = append(all, append([]float64(nil), mass...))
		} else {
			all = append(all, g.spread(mass))
		}
	}
	return all
}

// apart returns the mass of the states in which no two tokens have merged.
func (g *grid) apart(mass []float64) (sum float64) {
	for s, m := range mass {
		if s%g.size() != 0 {
			sum += math.Abs(m)
		}
	}
	return sum
}

// merge returns the total mass of each row.
func (g *grid) merge(mass []float64) []float64 {
	rows := make([]float64, g.rows)
	for s, m := range mass {
		rows[s/g.size()] += m
	}
	return rows
}

// spread assigns the masses of rows to the states with merged tokens.
func (g *grid) spread(rows []float64) []float64 {
	mass := make([]float64, g.rows*g.size())
	for j, m := range rows {
		mass[j*g.size()] = m
	}
	return mass
}

// mergedGenerator returns the transposed generator of two merged tokens and a third.
func (g *grid) mergedGenerator() *banded {
	line := *g
	line.closeness = 1
	a := assembly{&line, newBanded(g.rows, 1)}
	for j := range g.rows {
		a.merged(j)
	}
	return a.into
}

// bounded reports whether all masses are possible for probabilities, allowing for errors.
func bounded(mass []float64) bool {
	for _, m := range mass {
		if !(math.Abs(m) < 2) {
			return false
		}
	}
	return true
}
