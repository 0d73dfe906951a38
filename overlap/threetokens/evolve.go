package threetokens

import "math"

// negligible is the probability of three separate tokens below which the first two tokens are treated as
// merged.
const negligible = 1e-8

// evolve returns the masses of the states of the grid at each of the times. If the grid is too coarse, masses
// grow without bound, and evolve returns nil.
func (g *grid) evolve(times []float64) [][]float64 {
	mass := g.start()
	rates := g.generator()
	apart := true
	var f *factored
	var before stage
	var all [][]float64
	for _, s := range g.stages(times) {
		if apart && g.apart(mass) < negligible {
			mass, rates, apart = g.merge(mass), g.mergedGenerator(), false
			f = nil
		}
		if f == nil || !s.continues(before) {
			f = rates.shifted(pole*s.step, f)
		}
		before = s
		for range s.steps {
			f.step(mass)
		}
		switch {
		case !bounded(mass):
			return nil
		case s.asked && apart:
			all = append(all, append([]float64(nil), mass...))
		case s.asked:
			all = append(all, g.spread(mass))
		}
	}
	return all
}

// apart returns the total mass of the states in which no two tokens have merged.
func (g *grid) apart(mass []float64) (sum float64) {
	for s, m := range mass {
		if s%g.size() != 0 {
			sum += math.Abs(m)
		}
	}
	return sum
}

// merge returns the total mass of each row of the grid, that is, for each y.
func (g *grid) merge(mass []float64) []float64 {
	rows := make([]float64, g.rows)
	for s, m := range mass {
		rows[s/g.size()] += m
	}
	return rows
}

// spread assigns the masses of the rows of the grid to the states in which the first two tokens have merged.
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

// bounded reports whether all masses are below 2 in size; greater masses cannot be probabilities with an
// error.
func bounded(mass []float64) bool {
	for _, m := range mass {
		if !(math.Abs(m) < 2) {
			return false
		}
	}
	return true
}
