package overlap

import (
	"math"

	"antipode/sphere/activation"
)

// An expansion is φ̂ from its definition: the squared coefficients of φ(√w g) in normalised Hermite
// polynomials, from degree 0, divided by their sum.
type expansion []float64

// activations contains the functions themselves, from package math.
var activations = map[activation.Activation]func(y float64) float64{
	activation.Linear: func(y float64) float64 { return y },
	activation.Tanh:   math.Tanh, activation.Erf: math.Erf, activation.Sin: math.Sin,
	activation.Hermite3: func(y float64) float64 { return y*y*y - 3*y },
}

// expand computes the coefficients by the trapezoidal rule. A Hermite function, the polynomial times
// exp(-g²/4), is below 1.1, so that values beyond |g| = 13 are negligible. The squared coefficients fall
// like (2w/(1+2w))^k for erf, and like exp(-π√(k/w)) for tanh, whose poles are closer to the real axis.
func expand(a activation.Activation, w float64) expansion {
	const step, reach = 0.02, 13.0
	degrees := int(80 + 160*w)
	sums, total := make(expansion, degrees), 0.0
	for g := -reach; g <= reach; g += step {
		weight := step * activations[a](math.Sqrt(w)*g) * math.Exp(-g*g/4)
		before, h := 0.0, math.Exp(-g*g/4)/math.Sqrt(2*math.Pi)
		for k := range sums {
			sums[k] += weight * h
			before, h = h, (g*h-math.Sqrt(float64(k))*before)/math.Sqrt(float64(k+1))
		}
	}
	for k, c := range sums {
		sums[k] = c * c
		total += c * c
	}
	for k := range sums {
		sums[k] /= total
	}
	return sums
}

// at returns φ̂(z).
func (e expansion) at(z float64) (sum float64) {
	for k := len(e) - 1; k >= 0; k-- {
		sum = sum*z + e[k]
	}
	return sum
}

// slope returns φ̂'(1).
func (e expansion) slope() (sum float64) {
	for k, share := range e {
		sum += float64(k) * share
	}
	return sum
}

// shares returns (1-zφ̂)/(1-z²) and (φ̂-z)/(1-z²) for an odd activation at z = tanh u, without
// cancellation.
func (e expansion) shares(u float64) (own, shared float64) {
	z, below := math.Tanh(math.Abs(u)), 2/(1+math.Exp(2*math.Abs(u)))
	fall := e.slope()
	if below > 0 {
		fall = 0
		for k, share := range e {
			if share > 1e-17 {
				fall -= share * math.Expm1(float64(k)*math.Log1p(-below)) / below
			}
		}
	}
	return (1 + z*fall) / (1 + z), math.Copysign(1, u) * (1 - fall) / (1 + z)
}
