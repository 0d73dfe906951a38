package finitedepth

import (
	"antipode/overlap"
	"antipode/overlap/internal/quadrature"
)

// CriticalBeta returns the inverse temperature above which two tokens can become antipodal at finite depth:
// the zero of the Lyapunov exponent of Antipodal. The recursion has depth layers per unit of time, and the
// entries of value matrices have standard deviation sigma. The second result of CriticalBeta is false for dim
// = 2, where two tokens can become antipodal at any temperature. The errors of CriticalBeta are those of
// Antipodal.
func CriticalBeta(dim int, attention overlap.Attention, sigma float64, depth int) (float64, bool, error) {
	cold, err := Antipodal(dim, 0, attention, sigma, depth)
	if err != nil || dim < 3 {
		return 0, false, err
	}
	if !(cold.Lyapunov() > 0) { // for dim = 3 the zero is below exp(-L/4)
		return 0, true, nil
	}
	lyapunov := func(beta float64) float64 {
		var l Layer
		if err == nil {
			l, err = Antipodal(dim, beta, attention, sigma, depth)
		}
		if err != nil {
			return -1
		}
		return l.Lyapunov()
	}
	low, _ := overlap.CriticalBeta(dim) // the limit of infinite depth is below the zero
	high := low + 0.125
	for ; lyapunov(high) > 0; high += 0.5 {
		low = high
	}
	zero := quadrature.Root(lyapunov, low, high)
	return zero, err == nil, err
}
