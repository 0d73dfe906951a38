package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// sphereMean returns, up to a constant, the logarithm of the mean of exp(κ(<e,x>-1) + f(1-<e,x>)) over x on
// the unit sphere of R^k, k ≥ 2. The mean is computed by the trapezoidal rule in v, where <e,x> = tanh v for
// a unit vector e and the density of v is proportional to (cosh v)^(1-k).
func sphereMean(k int, kappa float64, f func(below float64) float64) float64 {
	power := float64(k - 1)
	root := math.Sqrt(float64(power*power) + float64(4*kappa*kappa))
	z := 2 * kappa / (power + root) // tanh v at the maximum of the integrand for constant f
	below := (power + float64(power*power)/(root+float64(2*kappa))) / (power + root)
	middle := float64(0.5 * elementary.Log1p(2*z/below))
	bend := 2 / math.Sqrt(power)
	return logTrapezoid(0, 0.06*bend, func(s float64) float64 {
		e := elementary.Exp(s / bend)
		v := middle + float64(0.5*bend*(e-1/e))
		square := elementary.Exp(2 * v)
		below := 2 / (1 + square) // 1 - tanh v
		sech := below * math.Sqrt(square)
		return f(below) - float64(kappa*below) + float64(power*elementary.Log(sech)) +
			elementary.Log(0.5*(e+1/e))
	})
}

// logTrapezoid returns the logarithm of the integral of exp(f) over the real line, by the trapezoidal rule.
// The function f must have a single maximum, which is searched from the point from on.
func logTrapezoid(from, step float64, f func(x float64) float64) float64 {
	top := f(from)
	for _, side := range []float64{step, -step} {
		for next := f(from + side); next > top; next = f(from + side) {
			from, top = from+side, next
		}
	}
	sum := 1.0
	for _, side := range []float64{step, -step} {
		for k, term := 1, 1.0; term > 1e-14*sum; k++ {
			term = elementary.Exp(f(from+float64(side*float64(k))) - top)
			sum += term
		}
	}
	return top + elementary.Log(sum*step)
}
