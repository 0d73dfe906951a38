package finitedepth

import (
	"math"

	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// logChi returns Δ_k(ν) = E log(χ²/ν), where χ² is noncentral with k ≥ 1 degrees of freedom and
// noncentrality ν > 0.
func logChi(k int, nu float64) float64 {
	degrees := float64(k)
	if seriesFrom(degrees, 1) < nu {
		return sumSeries((degrees-2)/nu, func(n float64) float64 {
			return -n * (degrees - 2 - float64(2*n)) / ((n + 1) * nu)
		})
	}
	half := float64(0.5 * degrees)
	first, weights := poisson(float64(0.5 * nu))
	x := half + first
	value, sum, total := special.Digamma(x), 0.0, 0.0
	for weight := range weights {
		sum += float64(weight * value)
		total += weight
		value += 1 / x
		x++
	}
	return sum/total - elementary.Log(0.5*nu)
}

// chiPower returns E(χ²/ν)^μ, where χ² is noncentral with k ≥ 1 degrees of freedom and noncentrality ν > 0;
// 2μ must exceed -k.
func chiPower(k int, nu, mu float64) float64 {
	degrees := float64(k)
	if seriesFrom(degrees, mu) < nu {
		return 1 + sumSeries(mu*(float64(2*mu)+degrees-2)/nu, func(n float64) float64 {
			return (mu - n) * (float64(2*(mu-n)) + degrees - 2) / ((n + 1) * nu)
		})
	}
	half := float64(0.5 * degrees)
	first, weights := poisson(float64(0.5 * nu))
	x := half + first
	value := elementary.Exp(special.LogGamma(x+mu) - special.LogGamma(x) - float64(mu*elementary.Log(0.5*nu)))
	sum, total := 0.0, 0.0
	for weight := range weights {
		sum += float64(weight * value)
		total += weight
		value = float64(value * ((x + mu) / x))
		x++
	}
	return sum / total
}

// seriesFrom returns the noncentrality ν above which the series of the heat equation for logChi and chiPower
// has 16 accurate digits: the ratio of term n+1 of the series to term n is about (n+|μ|)(k+2|μ|+2n)/(nν).
func seriesFrom(degrees, mu float64) float64 {
	size := 1 + math.Abs(mu)
	return 120 + float64(8*size*(degrees+float64(2*size)))
}

// sumSeries returns the sum of a series, given the first term and the ratio of term n+1 to term n, up to
// where terms are negligible or no longer fall.
func sumSeries(first float64, ratio func(n float64) float64) float64 {
	sum, term := 0.0, first
	for n := 1.0; math.Abs(term) > 1e-18*math.Abs(sum) && n < 60; n++ {
		sum += term
		r := ratio(n)
		if math.Abs(r) > 0.9 {
			break
		}
		term *= r
	}
	return sum
}

// poisson returns the weights of the Poisson law of mean y, up to a common factor. The function weights
// yields the weights of first, first+1 and so on, up to where weights are negligible.
func poisson(y float64) (first float64, weights func(yield func(float64) bool)) {
	width := float64(9*math.Sqrt(y)) + 30
	first = max(0, math.Floor(y-width))
	return first, func(yield func(float64) bool) {
		weight := 1.0
		for j := first; j <= y+width && yield(weight); j++ {
			weight = float64(weight * (y / (j + 1)))
		}
	}
}
