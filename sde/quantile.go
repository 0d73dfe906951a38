package sde

import (
	"math"

	"antipode/sde/internal/kernels"
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
		return float64(kernels.TruncatedQuantile(elementary.Erf(float64(g*(math.Sqrt2/2)))) / truncatedDeviation)
	case Rademacher:
		if g < 0 {
			return -1
		}
		return 1
	}
	panic("sde: unknown law " + l.String())
}
