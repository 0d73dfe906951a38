package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
)

// mostWork limits the product of the numbers of nodes and of steps, summed over all solutions of one scheme.
// 1e7 takes about half a second.
const mostWork = 1e7

// roundingError bounds the effect of rounding errors on a law in some hundred steps, as the weights of the
// poles are as large as 1000.
const roundingError = 1e-10

// A refinement computes the law with successively finer cells and shorter steps.
type refinement struct {
	d            *line.Diffusion
	by           *line.Diffusion // derivative of the diffusion, or nil
	from         source
	times        []float64
	scheme       scheme
	relativeStep float64
	remaining    float64 // remaining work
}

// A solution holds the distribution functions at the edges of a grid at all times, and their estimated
// distance from solutions with longer steps or on a wider domain.
type solution struct {
	grid        grid
	laws        [][]float64
	uncertainty [][]float64
}

// refine divides cells and steps until the laws no longer change. The estimated error has three parts. The
// first two solutions are compared with solutions whose steps are twice as long; on further grids the effect
// of the steps is hardly different. The extrapolation from all grids is compared with the previous
// extrapolation. The first solution is compared with one on a wider domain. refine returns the best solution,
// and the error of each law due to the truncation of the domain. If the derivative of the diffusion is given,
// both results continue with those for the derivatives of the laws.
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
	for r.remaining > 4*r.cost(g.divide(3), r.relativeStep) {
		g = g.divide(3)
		if compared {
			solutions = append(solutions, r.solveWithSameSteps(g, solutions[len(solutions)-1]))
		} else {
			second := r.solve(g, tolerance)
			solutions = append(solutions, second)
			if g.greatest(second.uncertainty) <= 0.01*tolerance {
				r.relativeStep *= 2 // the measured uncertainty belongs to these steps
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

// cost returns the work of a solution.
func (r *refinement) cost(g grid, relativeStep float64) float64 {
	count := 0
	eachStep(r.times, relativeStep, func(float64, bool) { count++ })
	if r.by != nil {
		count *= 3
	}
	return float64(count) * float64(g.nodes)
}

// chain returns the chain on a grid, with the derivatives of its rates if they are requested.
func (r *refinement) chain(g grid) *chain {
	c := newChain(r.d, g, r.scheme)
	if r.by != nil {
		c.derivatives = newRateDerivatives(r.d, r.by, g, r.scheme)
	}
	return c
}

// solve returns the solution on a grid. It halves the steps until the solution hardly changes or the work
// is used up.
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

// solveWithSameSteps returns the solution on a finer grid, with the same steps as the solution before. It
// takes the uncertainty due to the steps from before.
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

// truncation returns, for each law of a solution, the largest difference from the law on a wider grid
// with the same cells.
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

// greatest returns the greatest uncertainty of the given laws.
func (g grid) greatest(uncertainty [][]float64) float64 {
	worst := 0.0
	for _, law := range uncertainty {
		worst = max(worst, newDistribution(g).greatest(law))
	}
	return worst
}
