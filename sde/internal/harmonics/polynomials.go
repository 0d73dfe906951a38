package harmonics

import (
	"math"

	"antipode/sde/internal/kernels"
)

// polynomials are p_0, p_1, … in z, orthonormal in the uniform probability measure of S^{d-1} with the weight
// (1-z²)^l: p_{k+1} = rise[k] z p_k - fall[k] p_{k-1}. Harmonics of degree k+l are p_k(z) times those of
// degree l in the other coordinates.
type polynomials struct {
	first      float64 // p_0
	rise, fall []float64
}

// newPolynomials returns those of degrees 0 to the given one.
func newPolynomials(dim, l, degree int) polynomials {
	p := polynomials{rise: make([]float64, degree), fall: make([]float64, degree)}
	integral := 1.0 // of (1-z²)^l
	for i := range l {
		integral *= float64(2*i+dim-1) / float64(2*i+dim)
	}
	p.first = 1 / math.Sqrt(integral)
	before := 0.0
	for k := range degree {
		beta := math.Sqrt(squaredBeta(k+1, 2*l+dim-2))
		p.rise[k], p.fall[k] = 1/beta, before/beta
		before = beta
	}
	return p
}

// squaredBeta is β_k² of the recurrence, from 2λ; where k = 1, a factor λ, which may be 0, is cancelled.
func squaredBeta(k, lambda2 int) float64 {
	if k == 1 {
		return 1 / float64(2+lambda2)
	}
	return float64(k*(k+lambda2-1)) / float64((2*k+lambda2)*(2*k+lambda2-2))
}

// recur evaluates the first of them, to a degree, at z, made homogeneous by the square of the norm, in rows
// of which the first is there.
func (p polynomials) recur(degree int, z, square row, at func(k int) row) {
	for k, rise := range p.rise[:degree] {
		kernels.Combine(at(k+1), rise, z, at(k), p.fall[k], square, at(max(k-1, 0)))
	}
}
