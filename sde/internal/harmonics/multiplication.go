package harmonics

import "sort"

// term is a part of a harmonic times a coordinate: factor times the harmonic of number to, of one degree
// more. As multiplication is symmetric in an orthonormal basis, the harmonic of number to times the
// coordinate has the part factor times that of number from.
type term struct {
	from, to int32
	factor   float64
}

// raise returns the terms of harmonics times each coordinate, by rows of the solid, from those in one
// coordinate less. With ω and z as in the package's comment, and p of the degree l of S,
//
//	z p_k S = β_{k+1} p_{k+1} S + …,   ω_c p_k S = p_k (Σ S⁺ + |ω|² Σ S⁻),
//
// S⁺ and S⁻ of degrees l+1 and l-1. Of p_k and of (1-z²)p_k in polynomials of these l the first coefficient
// is the ratio of leading ones; the others belong to harmonics of one degree less.
func (s *solid) raise(before *solid, below [][]term) [][]term {
	if s.n == 1 {
		return [][]term{{{0, 1, 1}}}
	}
	terms := make([][]term, s.n)
	last, degree := s.n-1, len(s.first)-2
	row := func(l, k int, q int32) int32 { return int32(s.first[l+k]) + q }
	for l, p := range s.polynomials {
		for q := before.first[l]; q < before.first[l+1]; q++ {
			for k, rise := range p.rise {
				terms[last] = append(terms[last], term{row(l, k, int32(q)), row(l, k+1, int32(q)), 1 / rise})
			}
		}
	}
	for c, of := range below {
		for _, t := range of {
			l := before.degreeOf(t.from)
			less, more := s.polynomials[l].leading(), s.polynomials[l+1].leading()
			for k := range degree - l {
				terms[c] = append(terms[c],
					term{row(l, k, t.from), row(l+1, k, t.to), t.factor * less[k] / more[k]})
			}
			for k := range degree - l - 1 {
				terms[c] = append(terms[c],
					term{row(l+1, k, t.to), row(l, k+2, t.from), -t.factor * more[k] / less[k+2]})
			}
		}
	}
	return terms
}

// degreeOf is the degree of a row.
func (s *solid) degreeOf(row int32) int {
	return sort.Search(len(s.first)-1, func(degree int) bool { return s.first[degree+1] > int(row) })
}

// leading are the leading coefficients.
func (p polynomials) leading() []float64 {
	leading := []float64{p.first}
	for k, rise := range p.rise {
		leading = append(leading, leading[k]*rise)
	}
	return leading
}
