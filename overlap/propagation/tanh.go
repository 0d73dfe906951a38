package propagation

import (
	"math"

	"antipode/sphere/elementary"
)

// The logistic distribution is a mixture of centred normal ones: if K has
// Kolmogorov's distribution and N is normal, 2KN is logistic (Andrews and Mallows 1974).
// So tanh y = 2P(KN < y) - 1 is the mean of 2Φ(y/K) - 1, and the kernel of tanh the
// mean over independent K, K' of an arcsine kernel:
//
//	E tanh x tanh y = 2/π E arcsin(p / √((q+K²)(q+K'²))).
//
// Both means are sums over the same few values of K, whatever q and p are.

// squaredScale are values of K² and weight their probabilities: the trapezoidal rule in
// log K, which converges like e^(-π²/2h) in its step h.
var squaredScale, weight = kolmogorov()

func kolmogorov() (squares, weights []float64) {
	const step, low, high = 0.13, -14, 12 // beyond, the density is below 1e-18
	total := 0.0
	for k := low; k <= high; k++ {
		x := elementary.Exp(step * float64(k))
		w := float64(step * x * kolmogorovDensity(x))
		squares, weights = append(squares, float64(x*x)), append(weights, w)
		total += w
	}
	for k := range weights {
		weights[k] /= total
	}
	return squares, weights
}

// kolmogorovDensity is the derivative of 1 - 2Σ (-1)^(k-1) e^(-2k²x²), in the form of
// the two that converges fast.
func kolmogorovDensity(x float64) float64 {
	sum := 0.0
	if x > 1 {
		sign := 8 * x
		for k := 1.0; k < 9; k++ {
			sum += float64(sign * k * k * elementary.Exp(-2*k*k*x*x))
			sign = -sign
		}
		return sum
	}
	for k := 1.0; k < 18; k += 2 {
		a := float64(k * k * math.Pi * math.Pi / (8 * x * x))
		sum += float64((2*a - 1) * elementary.Exp(-a))
	}
	return math.Sqrt(2*math.Pi) * sum / float64(x*x)
}

// pairOfScales are the sum and the product of two values of K², and the probability of
// the two in either order.
type pairOfScales struct{ sum, product, weight float64 }

// pairsOfScales are all but those that are too rare to matter.
var pairsOfScales = func() (pairs []pairOfScales) {
	const negligible = 1e-17
	for i, v := range squaredScale {
		for j, u := range squaredScale[:i+1] {
			w := float64(weight[i] * weight[j])
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

// overScales is the mean of f((q+K²)(q+K'²) - p²).
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
