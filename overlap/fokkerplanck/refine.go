package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
)

// work bounds the number of nodes times steps of the solutions of one scheme; 10^7 are
// about half a second.
const work = 1e7

// stepping bounds what rounding does to a law in some hundred steps, whose poles have
// weights of up to 10^3.
const stepping = 1e-10

// A refinement solves for the law with ever finer cells and steps.
type refinement struct {
	d      *line.Diffusion
	from   source
	times  []float64
	scheme scheme
	pace   float64
	left   float64 // of the work
}

// A solution is the laws at the times, as distribution functions at the edges of a grid,
// and by how much they differ from those with longer steps or in a wider domain.
type solution struct {
	grid      grid
	laws      [][]float64
	deviation [][]float64
}

// refine divides cells and steps until the law changes no more. Every solution is compared
// with one of steps twice as long, the extrapolation from all cells with the one before,
// and the first solution with that on a wider domain.
func refine(d *line.Diffusion, from source, times []float64, tolerance float64, s scheme) []Distribution {
	r := &refinement{d, from, times, s, pace, work}
	wide := newGrid(d, &r.from, times, 1e-4*tolerance)
	r.from = from
	g := newGrid(d, &r.from, times, tolerance)
	solutions := []solution{r.solve(g, tolerance)}
	cut := r.cut(solutions[0], wide)
	best, compared := extrapolate(solutions), false
	for r.left > 4*r.cost(g.divide(3), r.pace) {
		g = g.divide(3)
		solutions = append(solutions, r.solve(g, tolerance))
		next := extrapolate(solutions[max(0, len(solutions)-3):])
		next.compare(best)
		best, compared = next, true
		if g.greatest(best.deviation) <= 0.5*tolerance {
			break
		}
	}
	if !compared {
		for i := range cut {
			cut[i] = 1
		}
	}
	return best.distributions(times, cut)
}

// cost returns the number of nodes times steps of a solution.
func (r *refinement) cost(g grid, pace float64) float64 {
	count := 0
	walk(r.times, pace, func(float64, bool) { count++ })
	return float64(count) * float64(g.nodes)
}

// solve returns the solution on a grid, with steps so short that twice as long ones change
// little, as far as there is work left for it.
func (r *refinement) solve(g grid, tolerance float64) solution {
	c := newChain(r.d, g, r.scheme)
	solve := func() [][]float64 {
		r.left -= r.cost(g, r.pace)
		return laws(c, r.from, r.times, r.pace)
	}
	fine := r.pace
	r.pace *= 2
	long := solve()
	r.pace = fine
	for {
		short := solve()
		deviation := differences(short, long)
		if g.greatest(deviation) <= 0.1*tolerance || r.left < 20*r.cost(g, 0.5*r.pace) {
			return solution{g, short, deviation}
		}
		r.pace *= 0.5
		long = short
	}
}

// cut returns the largest difference of each law of a solution and that on a wide grid of
// the same cells.
func (r *refinement) cut(s solution, wide grid) []float64 {
	wider := laws(newChain(r.d, wide, r.scheme), r.from, r.times, r.pace)
	shift := wide.middle - s.grid.middle
	result := make([]float64, len(wider))
	for i, law := range wider {
		for j, v := range s.laws[i] {
			if k := j + shift; k >= 0 && k < len(law) && math.Abs(s.grid.edge(j)) <= inner {
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

// greatest returns the greatest of the deviations of some laws.
func (g grid) greatest(deviation [][]float64) float64 {
	worst := 0.0
	for _, law := range deviation {
		worst = max(worst, newDistribution(g).greatest(law))
	}
	return worst
}
