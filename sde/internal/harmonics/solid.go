package harmonics

import "antipode/sde/internal/kernels"

// solid is the harmonic polynomials in the first n coordinates, homogeneous of degrees 0 to K and orthonormal
// on S^{n-1}. Its rows are in the order of the degrees.
type solid struct {
	n           int
	first       []int         // row of each degree; after the last, the number of rows
	polynomials []polynomials // of each degree l of the coordinates before the last; nil for one coordinate
}

// newSolids returns those in one, two, … coordinates, up to the given number, and the terms of the last ones
// times each coordinate.
func newSolids(coordinates, degree int) (solids []solid, terms [][]term) {
	solids = make([]solid, coordinates)
	for k := range solids {
		s := solid{n: k + 1, first: make([]int, degree+2)}
		for l := range degree + 1 {
			s.first[l+1] = s.first[l] + s.count(l)
		}
		if s.n > 1 {
			for l := range degree + 1 {
				s.polynomials = append(s.polynomials, newPolynomials(s.n, l, degree-l))
			}
		}
		solids[k] = s
		terms = s.raise(&solids[max(k-1, 0)], terms)
	}
	return solids, terms
}

// count is how many there are of a degree.
func (s *solid) count(degree int) int {
	if s.n == 1 {
		return max(0, min(1, 2-degree))
	}
	return int(count(s.n, degree))
}

func (s *solid) rows() int { return s.first[len(s.first)-1] }

// evaluate finds them from those in one coordinate less, at the last coordinate z; square is that of the
// norm.
func (s *solid) evaluate(to *kernels.Matrix, before *solid, values *kernels.Matrix, z, square row) {
	for l, p := range s.polynomials {
		for k := before.first[l]; k < before.first[l+1]; k++ {
			at := func(degree int) row { return to.Row(s.first[l+degree] + k)[:len(z)] }
			scale(at(0), p.first, values.Row(k))
			p.recur(len(p.rise), z, square, at)
		}
	}
}

// scale is to ← factor·from.
func scale(to row, factor float64, from row) {
	for v := range to {
		for lane, x := range from[v] {
			to[v][lane] = float64(factor * x)
		}
	}
}
