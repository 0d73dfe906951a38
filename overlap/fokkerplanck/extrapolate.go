package fokkerplanck

import (
	"math"
)

// extrapolate returns the solution in the limit of vanishing cell width, given solutions on several grids.
// Each grid divides every cell of the previous grid into three cells. At the cell edges common to all grids,
// extrapolate eliminates even powers of the cell width from the error. Between these edges, extrapolate
// interpolates the correction to the finest solution. The uncertainty of the extrapolated solution is that of
// the finest solution plus the error of interpolation.
func extrapolate(solutions []solution) solution {
	last := len(solutions) - 1
	finest := solutions[last]
	result := solution{grid: finest.grid}
	for i, law := range finest.laws {
		correction := newDistribution(solutions[0].grid)
		for k, s := range solutions {
			weight := richardson(k, last)
			if k == last {
				weight--
			}
			m := s.grid.nodes / solutions[0].grid.nodes
			for j := range correction.cumulative {
				correction.cumulative[j] += float64(weight * s.laws[i][m*j+m-1])
			}
		}
		rough := correction.interpolationError()
		values, uncertainty := make([]float64, len(law)), make([]float64, len(law))
		for j, v := range law {
			x := finest.grid.node(j) + float64(0.5*finest.grid.width)
			values[j] = v + correction.interpolate(x)
			uncertainty[j] = finest.uncertainty[i][j] + correction.greaterNeighbour(rough, x)
		}
		result.laws, result.uncertainty = append(result.laws, values), append(result.uncertainty, uncertainty)
	}
	return result
}

// richardson returns the weight of solution k in Richardson's extrapolation from solutions 0 to last, whose
// cells have width proportional to 1/m_j with m_j = 3^j: the product of m_k²/(m_k²-m_j²) over j ≠ k.
func richardson(k, last int) float64 {
	weight := 1.0
	for j := range last + 1 {
		if j != k {
			weight /= 1 - math.Pow(9, float64(j-k))
		}
	}
	return weight
}

// addDifference adds to the uncertainty of a solution the difference from the solution coarse, whose cells
// are three times as wide.
func (s *solution) addDifference(coarse solution) {
	for i, law := range s.laws {
		f := newDistribution(coarse.grid)
		moved := make([]float64, len(f.cumulative))
		for j, v := range coarse.laws[i] {
			moved[j] = math.Abs(v - law[3*j+2])
		}
		for j := range law {
			s.uncertainty[i][j] += f.greaterNeighbour(moved, s.grid.node(j)+float64(0.5*s.grid.width))
		}
	}
}

// distributions returns the laws of a solution as non-decreasing distribution functions: means of the least
// non-decreasing function above the solution and the greatest non-decreasing function below the solution.
func (s *solution) distributions(times, truncation []float64) []Distribution {
	result := make([]Distribution, len(times))
	for i, law := range s.laws[:len(times)] {
		f := newDistribution(s.grid)
		f.Time, f.uncertainty = times[i], s.uncertainty[i]
		above, below := 0.0, 1.0
		for j, v := range law {
			above = max(above, min(1, v))
			f.cumulative[j] = above
		}
		for j := len(law) - 1; j >= 0; j-- {
			below = min(below, max(0, law[j]))
			f.uncertainty[j] += float64(0.5 * (f.cumulative[j] - below))
			f.cumulative[j] = 0.5 * (f.cumulative[j] + below)
		}
		for j, r := range f.interpolationError() {
			f.uncertainty[j] = min(1, f.uncertainty[j]+truncation[i]+r+roundingError)
		}
		f.Error = f.greatest(f.uncertainty)
		result[i] = f
	}
	return result
}
