package tasks

import (
	"math"

	"antipode/sphere/elementary"
)

// The sufficient statistics for the class of an image of a TextureLaw are the inner products y of the image
// with the textures. The inner products y are independent and normal with variance 1; the mean is ±Strength
// for the texture of the class of the image, and 0 for other textures. The likelihood of a class, and so its
// posterior, is proportional to e^evidence(y).

// evidence returns the logarithm log((1-r) e^{sy} + r e^{-sy}) of the likelihood of a class, up to a
// constant, given the inner product y of the image with the texture of the class; r is the probability of
// negatives and s the strength.
func (l TextureLaw) evidence(y float64) float64 {
	up, down := float64(l.Strength*y), -float64(l.Strength*y)
	if l.Negative == 0 {
		return up
	}
	up += elementary.Log1p(-l.Negative)
	down += elementary.Log(l.Negative)
	high, low := max(up, down), min(up, down)
	return high + elementary.Log1p(elementary.Exp(low-high))
}

// density returns the density, at y, of the inner product of an image with the texture of its own class.
func (l TextureLaw) density(y float64) float64 {
	return float64((1-l.Negative)*normalDensity(y-l.Strength)) +
		float64(l.Negative*normalDensity(y+l.Strength))
}

// least returns the y at which the evidence is least; the evidence is symmetric about this y. If textures
// have no negative sign, least returns -Inf.
func (l TextureLaw) least() float64 {
	return elementary.Log(l.Negative/(1-l.Negative)) / (2 * l.Strength)
}

// farthest is the distance from its mean at which a normal variable is truncated.
const farthest = 12

// largestAccuracy returns the probability that the class of largest evidence is the correct class. The inner
// product of an image with the texture of its own class determines the evidence of this class and the
// probability that all other classes have less evidence; largestAccuracy returns the mean of this
// probability.
func (l TextureLaw) largestAccuracy() float64 {
	least := l.least()
	correct := func(y float64) float64 {
		below := normalBelow(y)
		if l.Negative > 0 {
			other := float64(2*least) - y
			below = math.Abs(below - normalBelow(other))
		}
		others := 1.0
		for range l.Classes - 1 {
			others *= below
		}
		return l.density(y) * others
	}
	low, high := -l.Strength-farthest, l.Strength+farthest
	if l.Negative == 0 {
		return integral(correct, low, high)
	}
	return integral(correct, min(low, least), least) + integral(correct, least, max(high, least))
}

// leastLoss returns the mean of log Σ e^evidence minus the evidence of the correct class. The mean of the
// logarithm of a sum S of independent random variables is ∫ (e^-t - E e^-tS) dt/t.
func (l TextureLaw) leastLoss() float64 {
	low, high := -l.Strength-farthest, l.Strength+farthest
	own := integral(func(y float64) float64 { return l.density(y) * l.evidence(y) }, low, high)
	nodes, weights := rule(low, high)
	evidence := make([]float64, len(nodes))
	right, wrong := make([]float64, len(nodes)), make([]float64, len(nodes))
	for k, y := range nodes {
		evidence[k] = l.evidence(y)
		right[k], wrong[k] = weights[k]*l.density(y), weights[k]*normalDensity(y)
	}
	// 1 - E e^-tS is computed without cancellation for small t. As a function of u = log t, the integrand
	// falls exponentially at both ends.
	sum := func(u float64) float64 {
		notRight, notWrong := 0.0, 0.0
		for k, e := range evidence {
			missed := 1.0 // to rounding, if e^-tS is below e^-50
			if u+e < 4 {
				missed = -elementary.Expm1(-elementary.Exp(u + e))
			}
			notRight = math.FMA(right[k], missed, notRight)
			notWrong = math.FMA(wrong[k], missed, notWrong)
		}
		notAll := notRight
		for range l.Classes - 1 {
			notAll += float64((1 - notAll) * notWrong)
		}
		return notAll + elementary.Expm1(-elementary.Exp(min(u, 700)))
	}
	const step = 1. / 8
	// At either end of the integral, the fraction e^-40 of a term is omitted.
	first, last := -40-evidenceRange(evidence), 40+evidenceRange(evidence)
	total := 0.0
	for u := first; u <= last; u += step {
		total = math.FMA(step, sum(u), total)
	}
	return total - own
}

func evidenceRange(evidence []float64) float64 {
	largest := 0.0
	for _, e := range evidence {
		largest = max(largest, math.Abs(e))
	}
	return largest
}

func normalDensity(y float64) float64 {
	return elementary.Exp(-float64(y*y)/2) / math.Sqrt(2*math.Pi)
}

// normalBelow returns the probability that a standard normal variable is below y.
func normalBelow(y float64) float64 { return float64((1 + elementary.Erf(y/math.Sqrt2)) / 2) }

// rule returns nodes and weights of the double exponential quadrature rule of Takahasi and Mori on an
// interval. For functions that are smooth inside the interval and vary over lengths of about 1, the rule is
// exact up to rounding on intervals of length up to 50.
func rule(low, high float64) (nodes, weights []float64) {
	const step, end = 1. / 128, 400
	half := float64((high - low) / 2)
	for k := -end; k <= end; k++ {
		t := step * float64(k)
		up, down := elementary.Exp(t), elementary.Exp(-t)
		x := float64(math.Pi / 4 * (up - down))
		cosh := (elementary.Exp(x) + elementary.Exp(-x)) / 2
		expm1 := elementary.Expm1(float64(2 * x))
		tanh := expm1 / (expm1 + 2)
		nodes = append(nodes, math.FMA(half, tanh, low+half))
		weights = append(weights, half*step*math.Pi/4*(up+down)/float64(cosh*cosh))
	}
	return nodes, weights
}

func integral(f func(float64) float64, low, high float64) float64 {
	nodes, weights := rule(low, high)
	sum := 0.0
	for k, y := range nodes {
		sum = math.FMA(weights[k], f(y), sum)
	}
	return sum
}
