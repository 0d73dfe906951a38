package spectrum

import (
	"math"

	"antipode/sphere/elementary"
)

// Circle is the circular law: the uniform law on a disc of positive radius in the complex plane. With radius
// σ_A it is the limit law of √T times the eigenvalues of a Markov matrix, except for the one outlier
// (Bordenave, Caputo and Chafaï 2012).
type Circle struct{ Radius float64 }

// Density returns the density at z with respect to area.
func (c Circle) Density(z complex128) float64 {
	if float64(real(z)*real(z))+float64(imag(z)*imag(z)) > float64(c.Radius*c.Radius) {
		return 0
	}
	return 1 / float64(math.Pi*c.Radius*c.Radius)
}

// Distribution returns the probability that the absolute value is at most r.
func (c Circle) Distribution(r float64) float64 {
	share := max(0, min(r/c.Radius, 1))
	return float64(share * share)
}

// QuarterCircle is the law of |x|, where x follows a semicircle law of standard deviation Sigma > 0. With
// Sigma = σ_A it is the limit law of √T times the singular values of a Markov matrix (Lemma 3).
type QuarterCircle struct{ Sigma float64 }

// Edge returns the upper end of the support, 2σ; the lower end is 0.
func (q QuarterCircle) Edge() float64 { return 2 * q.Sigma }

// Density returns the density at x.
func (q QuarterCircle) Density(x float64) float64 {
	if !(x >= 0 && x < q.Edge()) {
		return 0
	}
	return math.Sqrt(float64((q.Edge()-x)*(q.Edge()+x))) / float64(math.Pi*q.Sigma*q.Sigma)
}

// Distribution returns the probability of a value at most x. With x = 2σ sin φ this is (2φ + sin 2φ)/π.
func (q QuarterCircle) Distribution(x float64) float64 {
	sin := max(0, min(x/q.Edge(), 1))
	cos := math.Sqrt(float64((1 - sin) * (1 + sin)))
	return 2 * (elementary.Atan2(sin, cos) + float64(sin*cos)) / math.Pi
}

// EdgeMean returns, up to O(1/T), the mean of the largest singular value of √T A without the gap. With the
// gap it is the mean of the second largest singular value. It is 2σ_A + 2^(-2/3) μ σ_A T^(-2/3). Here μ is
// the mean of the Tracy-Widom law for real symmetric matrices.
func EdgeMean(sigma float64, tokens int) float64 {
	const mu = -1.2065335745820
	root := elementary.Exp(-elementary.Log(float64(tokens)) / 3)
	return float64(sigma * (2 + float64(mu*0.6299605249474366*root*root)))
}

// OutlierMean returns the largest singular value of A with the gap, up to O(1/T²): 1+σ_A²/(2T).
func OutlierMean(sigma float64, tokens int) float64 {
	return 1 + float64(sigma*sigma)/float64(2*tokens)
}
