package matrices

import (
	"math"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
)

// tolerance is the tolerance of Lanczos' method for large matrices. Neighbouring singular values of a T×T
// matrix at the edge of the bulk have a relative distance of about T^(-2/3). With this tolerance the largest
// singular values are accurate to 9 digits or more.
const tolerance = 1e-6

// AttentionValues returns the count largest singular values of the attention matrix of a layer, in
// descending order. Layers are counted from 1.
func (g *Large) AttentionValues(layer, count int) ([]float64, error) {
	m := g.attention[layer-1]
	squares, _, err := largest(func(dst, src []float64) { copy(dst, g.gram(m, src)) }, m.Cols, count,
		tolerance)
	for k, s := range squares {
		squares[k] = math.Sqrt(max(0, s))
	}
	return squares, err
}

// Excess estimates sr(Σ_ℓ)-1, where sr is the stable rank and Σ_ℓ is the covariance of the signal X_ℓ after
// layer ℓ, counted from 1. The result standardError is the standard error of this estimate. The largest
// singular value of X_ℓ is computed by Lanczos' method. The trace of Σ'² for the remainder Σ' of Σ_ℓ is
// estimated by Hutchinson's method, as the mean of |Σ'u|² over vectors u of independent random signs.
func (g *Large) Excess(layer int) (excess, standardError float64, err error) {
	const probes = 16
	width := g.source.Dim
	squares, right, err := largest(func(dst, src []float64) { copy(dst, g.covariance(layer, src)) }, width, 1,
		tolerance)
	if err != nil {
		return 0, 0, err
	}
	u := make([]float64, width)
	var sum, sumOfSquares float64
	for k := range probes {
		g.source.stream.Signs(u, 1, kernels.Starts, g.source.sample, int64(k))
		project(u, right)
		w := g.covariance(layer, u)
		project(w, right)
		norm := blas64.Nrm2(dense(w)) / squares[0]
		estimate := float64(norm * norm)
		sum += estimate
		sumOfSquares += float64(estimate * estimate)
	}
	mean := float64(sum / probes)
	variance := max(0, float64(sumOfSquares/probes)-float64(mean*mean))
	return mean, math.Sqrt(variance / (probes - 1)), nil
}

// project subtracts from the vector v its component along a unit vector.
func project(v, unit []float64) {
	blas64.Axpy(-blas64.Dot(dense(v), dense(unit)), dense(unit), dense(v))
}

// covariance returns the product XᵀX v with a vector v, for the signal X = A_ℓ…A₁ X₀W₁…W_ℓ after layer ℓ,
// divided by a power of D that prevents overflow.
func (g *Large) covariance(layer int, v []float64) []float64 {
	for l := layer - 1; l >= 0; l-- {
		v = g.times(g.value[l], v)
	}
	for l := range layer - 1 {
		v = g.times(g.attention[l], v)
	}
	v = g.gram(g.attention[layer-1], v)
	for l := layer - 2; l >= 0; l-- {
		v = g.transposed(g.attention[l], v)
	}
	for l := range layer {
		v = g.transposed(g.value[l], v)
		blas64.Scal(1/float64(g.source.Dim), dense(v))
	}
	return v
}
