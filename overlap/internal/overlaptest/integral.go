package overlaptest

import "gonum.org/v1/gonum/integrate/quad"

// Legendre returns the integral of f by the 16-point Gauss-Legendre rule; from may be greater than to.
func Legendre(f func(float64) float64, from, to float64) float64 {
	if from > to {
		return -Legendre(f, to, from)
	}
	return quad.Fixed(f, from, to, 16, nil, 0)
}

// Composite returns the integral of f by the 16-point Gauss-Legendre rule on each of 60 equal parts of the
// interval.
func Composite(f func(float64) float64, from, to float64) float64 {
	const parts = 60
	sum := 0.0
	for i := range parts {
		sum += Legendre(f, from+(to-from)*float64(i)/parts, from+(to-from)*float64(i+1)/parts)
	}
	return sum
}
