package overlap

import "math"

// Solutions are the laws at the same times on grids that divide the cells of the first,
// each into its number of divisions.
type solutions struct {
	laws      [][]Distribution
	divisions []int
}

func (s *solutions) add(laws []Distribution, divisions int) {
	s.laws, s.divisions = append(s.laws, laws), append(s.divisions, divisions)
}

// extrapolate returns the limit of vanishing cells: at the common edges from even powers
// of the width, with the weights Π_(j≠k) m_k²/(m_k²-m_j²); between them the finest
// solution is moved by what it needs at the common edges. Error is that of this
// interpolation alone, over |u| ≤ inner.
func (s *solutions) extrapolate() []Distribution {
	last := len(s.laws) - 1
	result := make([]Distribution, len(s.laws[last]))
	for i, f := range s.laws[last] {
		correction := s.laws[0][i]
		correction.cumulative = make([]float64, len(correction.cumulative))
		for k, m := range s.divisions {
			weight := s.weight(k)
			if k == last {
				weight--
			}
			for j := range correction.cumulative {
				correction.cumulative[j] += float64(weight * s.laws[k][i].cumulative[m*j+m-1])
			}
		}
		values := make([]float64, len(f.cumulative))
		highest := 0.0
		for j, v := range f.cumulative {
			highest = max(highest, min(1, v+correction.interpolate(f.edge(j))))
			values[j] = highest
		}
		values[len(values)-1] = 1
		f.cumulative, f.Error = values, correction.roughness()
		result[i] = f
	}
	return result
}

func (s *solutions) weight(k int) float64 {
	weight, m := 1.0, s.divisions[k]
	for j, other := range s.divisions {
		if j != k {
			weight *= float64(m*m) / float64(m*m-other*other)
		}
	}
	return weight
}

// distance returns the largest difference of two sequences of laws at the edges of g,
// whose cells they divide by m and n, over |u| ≤ inner. The mass that a wall of the
// domain has caught lies further out; it depends on the cells.
func distance(a, b []Distribution, g grid, m, n int) float64 {
	worst := 0.0
	for i := range a {
		for j := range g.nodes {
			if u := g.first + float64((float64(j)+0.5)*g.width); math.Abs(u) <= inner {
				worst = max(worst, math.Abs(a[i].cumulative[m*j+m-1]-b[i].cumulative[n*j+n-1]))
			}
		}
	}
	return worst
}
