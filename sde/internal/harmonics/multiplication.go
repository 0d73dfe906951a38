package harmonics

import "sort"

// term is one term of the expansion of (coordinate)·(harmonic number from) in harmonics: factor times
// harmonic number to, which is of one degree more. Multiplication by a coordinate is a symmetric operator, so
// in an orthonormal basis (coordinate)·(harmonic number to) has the term factor times harmonic number from.
type term struct {
	from, to int32
	factor   float64
}

// raise returns the terms of the products of the harmonics of s with each coordinate. The argument before is
// the harmonics in one coordinate less, and the argument below is the terms of their products. In the
// returned terms, from and to are rows of s. With ω and z as in the package comment, and S a harmonic of
// degree l,
//
//	z p_k S = β_{k+1} p_{k+1} S + …,   ω_c p_k S = p_k (Σ S⁺ + |ω|² Σ S⁻),
//
// where S⁺ and S⁻ have degrees l+1 and l-1. To write these products as harmonics, p_k is expanded in the
// polynomials that belong to l+1, and (1-z²)p_k in those that belong to l-1. The coefficient of the highest
// degree is the ratio of the leading coefficients. The coefficients of lower degrees belong to harmonics of
// one degree less, and follow by symmetry.
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

// degreeOf returns the degree of the harmonic in the given row.
func (s *solid) degreeOf(row int32) int {
	return sort.Search(len(s.first)-1, func(degree int) bool { return s.first[degree+1] > int(row) })
}

// leading returns the leading coefficients of the polynomials p_0, p_1, ….
func (p polynomials) leading() []float64 {
	leading := []float64{p.first}
	for k, rise := range p.rise {
		leading = append(leading, leading[k]*rise)
	}
	return leading
}
