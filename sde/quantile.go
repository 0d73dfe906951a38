package sde

import (
	"math"

	"antipode/sphere/elementary"
)

// quantile returns F⁻¹(Φ(g)), F the distribution function of the law with mean 0
// and standard deviation 1: for standard normal g an entry of that law, and a
// non-decreasing function of g, the coupling of the two laws with the smallest mean
// square distance. It is odd but for Rademacher at 0, which is 1. Uniform is within
// 2 ulp and TruncatedNormal within 8 ulp, in the law's own rounded parameters.
func (l Law) quantile(g float64) float64 {
	switch l {
	case Gaussian:
		return g
	case Uniform: // √3 (2Φ(g) - 1)
		return float64(math.Sqrt(3) * elementary.Erf(float64(g*(math.Sqrt2/2))))
	case TruncatedNormal: // Φ(x) - ½ is (2Φ(2) - 1)(Φ(g) - ½)
		return float64(truncatedQuantile(elementary.Erf(float64(g*(math.Sqrt2/2)))) / truncatedDeviation)
	case Rademacher:
		if g < 0 {
			return -1
		}
		return 1
	}
	panic("sde: unknown law " + l.String())
}

// truncatedQuantile returns the x for which a standard normal number conditioned
// to [-2, 2] is below x with probability (1+p)/2, for p in [-1, 1].
func truncatedQuantile(p float64) float64 {
	const mass = 0x1.e8b4307d3627ap-1 // 2Φ(2) - 1 = erf √2
	x := float64(math.Sqrt2 * inverseErf(float64(mass*p)))
	return max(-truncation, min(truncation, x))
}

// inverseErf returns the x with erf x = y, for |y| ≤ erf √2 and a little beyond: y
// times a polynomial in -ln(1-y²), which interpolates at Chebyshev nodes.
func inverseErf(y float64) float64 {
	const (
		c0  = 0x1.c5bf891b4ef6bp-1
		c1  = 0x1.db29fb2fee5e4p-3
		c2  = 0x1.7a72e72c1ed49p-7
		c3  = -0x1.3211025df9c71p-9
		c4  = -0x1.0c86b85d1138bp-13
		c5  = 0x1.87014e5d22b3cp-15
		c6  = 0x1.0f1e4ae7c0e61p-19
		c7  = -0x1.0fce4520c99e7p-20
		c8  = -0x1.40569b568c05bp-25
		c9  = 0x1.877cd36f858ebp-26
		c10 = 0x1.a35acc834e5b0p-31
		c11 = -0x1.24f715e299d1ap-31
		c12 = -0x1.5216c8052f0fap-37
		c13 = 0x1.29548ca1324afp-37
		c14 = 0x1.19876d3bb0630p-39
		c15 = -0x1.c18d8267cb1a3p-41
		c16 = 0x1.b289b1f9f744cp-44
		c17 = -0x1.39dfd931675cdp-48
	)
	w := -elementary.Log1p(-float64(y * y))
	p := math.FMA(math.FMA(c17, w, c16), w, c15)
	p = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(p, w, c14), w, c13), w, c12), w, c11), w, c10)
	p = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(p, w, c9), w, c8), w, c7), w, c6), w, c5)
	p = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(p, w, c4), w, c3), w, c2), w, c1), w, c0)
	return float64(y * p)
}
