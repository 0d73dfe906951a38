package propagation

import (
	"math"

	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// As package activation explains, tanh y is the mean of 2Φ(y/K) - 1 over a random variable K with
// Kolmogorov's distribution, where Φ is the normal distribution function. So the kernel of tanh is the mean
// of an arcsine kernel over independent copies K and K':
//
//	E tanh x tanh y = 2/π E arcsin(p / √((q+K²)(q+K'²))).
//
// The means over K and K' are sums over the same few values for all variances q and covariances p.

// pairOfScales holds the sum and the product of two values of K², and the probability that K² and K'² take
// these two values in either order.
type pairOfScales struct{ sum, product, weight float64 }

// pairsOfScales holds all pairs of values of K² but those of negligible probability.
var pairsOfScales = func() (pairs []pairOfScales) {
	const negligible = 1e-17
	for i, v := range activation.Scales {
		for j, u := range activation.Scales[:i+1] {
			w := float64(activation.Probabilities[i] * activation.Probabilities[j])
			if j < i {
				w *= 2
			}
			if w > negligible {
				pairs = append(pairs, pairOfScales{u + v, float64(u * v), w})
			}
		}
	}
	return pairs
}()

// overScales returns the mean of f((q+K²)(q+K'²) - p²) over independent K and K' with Kolmogorov's
// distribution.
func overScales(q, p float64, f func(determinant float64) float64) float64 {
	area := float64((q - p) * (q + p))
	sum := 0.0
	for _, k := range pairsOfScales {
		sum += float64(k.weight * f(area+float64(q*k.sum)+k.product))
	}
	return sum
}

func tanhKernel(q, p float64) float64 {
	return 2 / math.Pi * overScales(q, p, func(determinant float64) float64 {
		return elementary.Atan2(p, math.Sqrt(determinant))
	})
}

func tanhSlope(q, p float64) float64 {
	inverse := func(determinant float64) float64 { return 1 / math.Sqrt(determinant) }
	return 2 / math.Pi * overScales(q, p, inverse)
}
