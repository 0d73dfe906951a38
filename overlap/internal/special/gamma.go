// Package special computes the logarithm of the gamma function, the digamma function, and products and
// reciprocals of complex numbers, with the same bits on every machine.
package special

import "antipode/sphere/elementary"

// far is the argument above which the asymptotic series of LogGamma and Digamma have 16 accurate digits.
const far = 12

// LogGamma returns the logarithm log Γ(x) of the gamma function for x > 0.
func LogGamma(x float64) float64 {
	product := 1.0
	for ; x < far; x++ {
		product *= x
	}
	y := 1 / (x * x)
	// Bernoulli numbers divided by 2n(2n-1).
	series := float64(y*(1.0/1188)) - 1.0/1680
	series = float64(y*series) + 1.0/1260
	series = float64(y*series) - 1.0/360
	series = float64(y*series) + 1.0/12
	if product != 1 {
		series -= float64(x * elementary.Log(product))
	}
	const halfLogTwoPi = 0.91893853320467274178
	return float64((x-0.5)*elementary.Log(x)) - x + halfLogTwoPi + series/x
}

// Digamma returns the digamma function, the derivative of LogGamma, for x > 0.
func Digamma(x float64) float64 {
	sum := 0.0
	for ; x < far; x++ {
		sum += 1 / x
	}
	y := 1 / (x * x)
	// Bernoulli numbers divided by 2n.
	series := 1.0/132 - float64(y*(691.0/32760))
	series = float64(y*series) - 1.0/240
	series = float64(y*series) + 1.0/252
	series = float64(y*series) - 1.0/120
	series = float64(y*series) + 1.0/12
	return elementary.Log(x) - 0.5/x - float64(y*series) - sum
}
