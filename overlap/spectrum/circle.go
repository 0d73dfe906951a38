package spectrum

import (
	"math"

	"antipode/sphere/elementary"
)

// Circle is the circular law: the uniform law on the disc of a radius above 0 in the
// complex plane. √T times the eigenvalues of a Markov matrix have it in the limit, with
// radius σ_A, all but one of them (Bordenave, Caputo and Chafaï 2012).
type Circle struct{ Radius float64 }

// Density is that at a complex number, per area.
func (c Circle) Density(z complex128) float64 {
	if float64(real(z)*real(z))+float64(imag(z)*imag(z)) > float64(c.Radius*c.Radius) {
		return 0
	}
	return 1 / float64(math.Pi*c.Radius*c.Radius)
}

// Distribution is the probability of an absolute value up to r.
func (c Circle) Distribution(r float64) float64 {
	share := max(0, min(r/c.Radius, 1))
	return float64(share * share)
}

// QuarterCircle is the law of |x| for x of a semicircle law of standard deviation Sigma
// above 0. √T times the singular values of a Markov matrix have it in the limit, with
// Sigma = σ_A (Lemma 3).
type QuarterCircle struct{ Sigma float64 }

// Edge is the upper end of the support, 2σ; the lower one is 0.
func (q QuarterCircle) Edge() float64 { return 2 * q.Sigma }

// Density is that at x.
func (q QuarterCircle) Density(x float64) float64 {
	if !(x >= 0 && x < q.Edge()) {
		return 0
	}
	return math.Sqrt(float64((q.Edge()-x)*(q.Edge()+x))) / float64(math.Pi*q.Sigma*q.Sigma)
}

// Distribution is the probability of values up to x. With x = 2σ sin φ it is
// (2φ + sin 2φ)/π.
func (q QuarterCircle) Distribution(x float64) float64 {
	sin := max(0, min(x/q.Edge(), 1))
	cos := math.Sqrt(float64((1 - sin) * (1 + sin)))
	return 2 * (elementary.Atan2(sin, cos) + float64(sin*cos)) / math.Pi
}

// EdgeMean is the mean of the largest singular value of √T A without the gap, or of the
// second one with it, up to O(1/T): 2σ_A + 2^(-2/3) μ σ_A T^(-2/3), where μ is the mean of
// the law of Tracy and Widom for real symmetric matrices.
func EdgeMean(sigma float64, tokens int) float64 {
	const mu = -1.2065335745820
	root := elementary.Exp(-elementary.Log(float64(tokens)) / 3)
	return float64(sigma * (2 + float64(mu*0.6299605249474366*root*root)))
}

// OutlierMean is the largest singular value of A with the gap up to O(1/T²), 1+σ_A²/(2T).
func OutlierMean(sigma float64, tokens int) float64 {
	return 1 + float64(sigma*sigma)/float64(2*tokens)
}
