package spectrum

import (
	"math"

	"antipode/sphere/elementary"
)

// Circle is the circular law: the uniform law on a disc of positive radius in the complex plane. The circular
// law of radius σ_A is the limit law of √T times the eigenvalues of a T×T Markov matrix, except for one
// outlier (Bordenave, Caputo and Chafaï 2012).
type Circle struct{ Radius float64 }

// Density returns the density of the circular law at z with respect to area.
func (c Circle) Density(z complex128) float64 {
	if float64(real(z)*real(z))+float64(imag(z)*imag(z)) > float64(c.Radius*c.Radius) {
		return 0
	}
	return 1 / float64(math.Pi*c.Radius*c.Radius)
}

// Distribution returns the probability that the absolute value of an eigenvalue with the circular law is at
// most r.
func (c Circle) Distribution(r float64) float64 {
	share := max(0, min(r/c.Radius, 1))
	return float64(share * share)
}

// QuarterCircle is the law of |x|, where x follows a semicircle law of standard deviation Sigma > 0. The
// quarter-circle law with Sigma = σ_A is the limit law of √T times the singular values of a T×T Markov matrix
// (Lemma 3).
type QuarterCircle struct{ Sigma float64 }

// Edge returns the upper end 2σ of the support [0, 2σ] of the quarter-circle law.
func (q QuarterCircle) Edge() float64 { return 2 * q.Sigma }

// Density returns the density of the quarter-circle law at x.
func (q QuarterCircle) Density(x float64) float64 {
	if !(x >= 0 && x < q.Edge()) {
		return 0
	}
	return math.Sqrt(float64((q.Edge()-x)*(q.Edge()+x))) / float64(math.Pi*q.Sigma*q.Sigma)
}

// Distribution returns the probability that a value with the quarter-circle law is at most x: (2φ + sin 2φ)/π
// with x = 2σ sin φ.
func (q QuarterCircle) Distribution(x float64) float64 {
	sin := max(0, min(x/q.Edge(), 1))
	cos := math.Sqrt(float64((1 - sin) * (1 + sin)))
	return 2 * (elementary.Atan2(sin, cos) + float64(sin*cos)) / math.Pi
}

// EdgeMean returns, up to O(1/T), the mean 2σ_A + 2^(-2/3) μ σ_A T^(-2/3) of the largest singular value of √T
// A for a Markov matrix A without its spectral gap, where μ is the mean of the Tracy-Widom law for real
// symmetric matrices. With the gap, EdgeMean is the mean of the second largest singular value of √T A.
func EdgeMean(sigma float64, tokens int) float64 {
	const mu = -1.2065335745820
	root := elementary.Exp(-elementary.Log(float64(tokens)) / 3)
	return float64(sigma * (2 + float64(mu*0.6299605249474366*root*root)))
}

// OutlierMean returns the largest singular value of a Markov matrix A with the spectral gap, up to O(1/T²):
// 1+σ_A²/(2T).
func OutlierMean(sigma float64, tokens int) float64 {
	return 1 + float64(sigma*sigma)/float64(2*tokens)
}
