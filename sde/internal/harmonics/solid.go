package harmonics

import "antipode/sde/internal/kernels"

// solid describes the solid harmonics in the first n coordinates: harmonic polynomials, homogeneous of
// degrees 0 to K, orthonormal on S^{n-1}. Harmonics are numbered as rows of a matrix, in the order of their
// degrees.
type solid struct {
	n           int
	first       []int         // first row of each degree; the last entry is the number of rows
	polynomials []polynomials // polynomials in coordinate n, for each degree l in those before; nil if n = 1
}

// newSolids returns the solid harmonics up to a degree in one coordinate, in two, …, in the given number of
// coordinates. For the harmonics in all coordinates, newSolids also returns the terms of their products with
// each coordinate; see raise.
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

// count returns the number of solid harmonics of the given degree.
func (s *solid) count(degree int) int {
	if s.n == 1 {
		return max(0, min(1, 2-degree))
	}
	return int(count(s.n, degree))
}

func (s *solid) rows() int { return s.first[len(s.first)-1] }

// evaluate writes the values of the solid harmonics to the rows of to, given the values of the harmonics
// before in one coordinate less. The row z holds the last coordinate, and the row square the squared norm of
// all n coordinates.
func (s *solid) evaluate(to *kernels.Matrix, before *solid, values *kernels.Matrix, z, square row) {
	for l, p := range s.polynomials {
		for k := before.first[l]; k < before.first[l+1]; k++ {
			at := func(degree int) row { return to.Row(s.first[l+degree] + k)[:len(z)] }
			scale(at(0), p.first, values.Row(k))
			p.recur(len(p.rise), z, square, at)
		}
	}
}

// scale writes factor times the row from to the row to.
func scale(to row, factor float64, from row) {
	for v := range to {
		for lane, x := range from[v] {
			to[v][lane] = float64(factor * x)
		}
	}
}
