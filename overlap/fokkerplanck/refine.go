package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
)

// mostWork limits the computing time of one scheme: the number of nodes times the number of steps in time,
// summed over all solutions. Work of 1e7 takes about half a second.
const mostWork = 1e7

// roundingError bounds the effect of rounding errors on a law in some hundred steps; the weights of the Padé
// approximation are as large as 1000.
const roundingError = 1e-10

// A refinement computes the law of the overlap with successively finer cells and shorter steps in time.
type refinement struct {
	d            *line.Diffusion
	by           *line.Diffusion // derivative of the diffusion with respect to a parameter, or nil
	from         source
	times        []float64
	scheme       scheme
	relativeStep float64
	remaining    float64 // remaining work, at first mostWork
}

// A solution holds the distribution functions of the overlap at the edges of a grid at all times, and the
// estimated errors of these distribution functions.
type solution struct {
	grid        grid
	laws        [][]float64
	uncertainty [][]float64
}

// refine divides cells and steps in time until the laws of the overlap no longer change. The estimated error
// of a law has three parts. The first two solutions are compared with solutions whose steps are twice as
// long; on further grids the effect of the steps is hardly different. The extrapolation from the last three
// grids is compared with the previous extrapolation. The first solution is compared with a solution on a
// wider domain. refine returns the best solution, and the error of each law due to the truncation of the
// domain. If the derivative by of the diffusion is not nil, the laws in both results are followed by the
// derivatives of the laws.
func refine(
	d, by *line.Diffusion, from source, times []float64, tolerance float64, s scheme,
) (best solution, truncation []float64) {
	r := &refinement{d, by, from, times, s, coarsestRelativeStep, mostWork}
	wide := newGrid(d, &r.from, times, 1e-4*tolerance)
	r.from = from
	g := newGrid(d, &r.from, times, tolerance)
	solutions := []solution{r.solve(g, tolerance)}
	truncation = r.truncation(solutions[0], wide)
	best = extrapolate(solutions)
	compared := false
	for r.remaining > 4*r.cost(g.divide(3), r.relativeStep) && g.divide(3).resolved() {
		g = g.divide(3)
		if compared {
			solutions = append(solutions, r.solveWithSameSteps(g, solutions[len(solutions)-1]))
		} else {
			second := r.solve(g, tolerance)
			solutions = append(solutions, second)
			if g.greatest(second.uncertainty) <= 0.01*tolerance {
				r.relativeStep *= 2 // the measured uncertainty is that of steps twice as long
			}
		}
		next := extrapolate(solutions[max(0, len(solutions)-3):])
		next.addDifference(best)
		best, compared = next, true
		if g.greatest(best.uncertainty) <= 0.5*tolerance {
			break
		}
	}
	if !compared {
		for i := range truncation {
			truncation[i] = 1
		}
	}
	return best, truncation
}

// cost returns the work of a solution on grid g: the number of nodes times the number of steps, three times
// as much with derivatives.
func (r *refinement) cost(g grid, relativeStep float64) float64 {
	count := 0
	eachStep(r.times, relativeStep, func(float64, bool) { count++ })
	if r.by != nil {
		count *= 3
	}
	return float64(count) * float64(g.nodes)
}

// chain returns the chain on a grid, with the derivatives of the rates of the chain if r.by is not nil.
func (r *refinement) chain(g grid) *chain {
	c := newChain(r.d, g, r.scheme)
	if r.by != nil {
		c.derivatives = newRateDerivatives(r.d, r.by, g, r.scheme)
	}
	return c
}

// solve returns the solution on a grid. solve halves the steps in time until the solution hardly changes or
// the remaining work is used up.
func (r *refinement) solve(g grid, tolerance float64) solution {
	c := r.chain(g)
	solve := func() [][]float64 {
		r.remaining -= r.cost(g, r.relativeStep)
		return laws(c, r.from, r.times, r.relativeStep)
	}
	fine := r.relativeStep
	r.relativeStep *= 2
	long := solve()
	r.relativeStep = fine
	for {
		short := solve()
		uncertainty := differences(short, long)
		if g.greatest(uncertainty) <= 0.1*tolerance || r.remaining < 20*r.cost(g, 0.5*r.relativeStep) {
			return solution{g, short, uncertainty}
		}
		r.relativeStep *= 0.5
		long = short
	}
}

// solveWithSameSteps returns the solution on a grid g finer than that of the solution before, with the steps
// of before. The uncertainty due to the steps is taken from the solution before.
func (r *refinement) solveWithSameSteps(g grid, before solution) solution {
	r.remaining -= r.cost(g, r.relativeStep)
	s := solution{grid: g, laws: laws(r.chain(g), r.from, r.times, r.relativeStep)}
	for i, law := range s.laws {
		f, uncertainty := newDistribution(before.grid), make([]float64, len(law))
		for j := range uncertainty {
			uncertainty[j] = f.greaterNeighbour(before.uncertainty[i], g.node(j)+float64(0.5*g.width))
		}
		s.uncertainty = append(s.uncertainty, uncertainty)
	}
	return s
}

// truncation returns, for each law of a solution, the largest difference from the law on the grid wide, a
// wider domain with cells of equal width.
func (r *refinement) truncation(s solution, wide grid) []float64 {
	wider := laws(r.chain(wide), r.from, r.times, r.relativeStep)
	shift := wide.middle - s.grid.middle
	result := make([]float64, len(wider))
	for i, law := range wider {
		for j, v := range s.laws[i] {
			if k := j + shift; k >= 0 && k < len(law) && math.Abs(s.grid.edge(j)) <= asymptote {
				result[i] = max(result[i], math.Abs(v-law[k]))
			}
		}
	}
	return result
}

func differences(a, b [][]float64) [][]float64 {
	result := make([][]float64, len(a))
	for i := range a {
		result[i] = make([]float64, len(a[i]))
		for j := range a[i] {
			result[i][j] = math.Abs(a[i][j] - b[i][j])
		}
	}
	return result
}

// greatest returns the greatest uncertainty of several laws at the edges of the grid with |u| ≤
// toleranceRange.
func (g grid) greatest(uncertainty [][]float64) float64 {
	worst := 0.0
	for _, law := range uncertainty {
		worst = max(worst, newDistribution(g).greatest(law))
	}
	return worst
}
