package harmonics

import "math"

// count returns the number N_n of spherical harmonics of degree n on S^{d-1}, d ≥ 2.
func count(dim, degree int) float64 {
	if degree == 0 {
		return 1
	}
	total := float64(2*degree+dim-2) / float64(degree)
	for k := 1; k <= dim-2; k++ {
		total *= float64(degree-1+k) / float64(k)
	}
	return math.Round(total)
}

// largestTail is the largest fraction of e^β to which the truncated terms of the series of harmonics may add
// up. Rounding errors of sums are about fifty times as large.
const largestTail = 1e-17

// eigenvalues returns the coefficients e^-β a_n of the series of e^{β(t-1)} for the degrees n = 0, 1, … at
// which it is not truncated, and the sum of all truncated terms, which is at most largestTail. As P_n(1) = 1,
// the numbers e^-β a_n N_n are positive and sum to 1.
func eigenvalues(dim int, beta float64) (values []float64, tail float64) {
	ratios := besselRatios(dim, beta)
	a, shares, total := 1.0, make([]float64, len(ratios)), 0.0
	values = make([]float64, len(ratios))
	for n, ratio := range ratios {
		a = float64(a * ratio)
		values[n], shares[n] = a, float64(a*count(dim, n))
	}
	for n := len(shares) - 1; n >= 0; n-- {
		total += shares[n]
	}
	last := len(shares)
	for ; last > 1 && tail+shares[last-1] <= float64(largestTail*total); last-- {
		tail += shares[last-1]
	}
	values = values[:last]
	for n := range values {
		values[n] /= total
	}
	return values, tail / total
}

// besselRatios returns the ratios a_n/a_{n-1} = I_{n+ν}(β)/I_{n+ν-1}(β) of the coefficients of the series,
// where ν = d/2-1, up to a degree n after which all terms are negligible; entry 0 is 1. The recurrence of the
// Bessel functions I gives a continued fraction for these ratios. The fraction is evaluated from its far end,
// where the choice of the initial value has no effect.
func besselRatios(dim int, beta float64) []float64 {
	ratios := make([]float64, 60+int(beta+float64(12*math.Sqrt(beta))))
	ratio := 0.0
	for n := len(ratios) - 1; n > 0; n-- {
		ratio = beta / (float64(2*n+dim-2) + float64(beta*ratio))
		ratios[n] = ratio
	}
	ratios[0] = 1
	return ratios
}
