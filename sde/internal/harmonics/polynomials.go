package harmonics

import (
	"math"

	"antipode/sde/internal/kernels"
)

// polynomials holds the recurrence coefficients of the polynomials p_0, p_1, … in the last coordinate z:
// p_{k+1} = rise[k] z p_k - fall[k] p_{k-1}. The p_k are orthonormal with respect to (1-z²)^l times the
// uniform probability measure of S^{d-1}. A harmonic of degree k+l is p_k(z) times a harmonic of degree l in
// the other coordinates.
type polynomials struct {
	first      float64 // the constant polynomial p_0
	rise, fall []float64
}

// newPolynomials returns the polynomials of degrees 0 to degree, for S^{dim-1} and the weight (1-z²)^l.
func newPolynomials(dim, l, degree int) polynomials {
	p := polynomials{rise: make([]float64, degree), fall: make([]float64, degree)}
	integral := 1.0 // integral of (1-z²)^l over the uniform probability measure
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

// squaredBeta returns the coefficient β_k² of the recurrence of the polynomials, see the package comment,
// given 2λ. For k = 1 the factor λ of β_k², which may be 0, cancels.
func squaredBeta(k, lambda2 int) float64 {
	if k == 1 {
		return 1 / float64(2+lambda2)
	}
	return float64(k*(k+lambda2-1)) / float64((2*k+lambda2)*(2*k+lambda2-2))
}

// recur evaluates the polynomials up to the given degree at z, made homogeneous by powers of square, the
// squared norm of the point. The row of p_k is at(k); the row at(0) must already hold p_0.
func (p polynomials) recur(degree int, z, square row, at func(k int) row) {
	for k, rise := range p.rise[:degree] {
		kernels.Combine(at(k+1), rise, z, at(k), p.fall[k], square, at(max(k-1, 0)))
	}
}
