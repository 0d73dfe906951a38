package overlap

import "math"

// CriticalBeta returns the inverse temperature β = arccosh(dim-2)/2 above which,
// and only above which, two tokens of dimension dim can become antipodal (Theorem
// 2), to within one unit in the last place. It is 0 for dim = 3. For dim = 2 there
// is no threshold, every β ≥ 0 allows both outcomes, and the second result is
// false, as it is for dim < 2, where there is no diffusion.
func CriticalBeta(dim int) (float64, bool) {
	if dim < 3 {
		return 0, false
	}
	return float64(0.5 * arccosh(float64(dim-2))), true
}

// CriticalBetaDepth returns the inverse temperature above which the recursion (4) of
// depth layers per unit of time, with Gaussian value matrices of standard deviation
// sigma, can make two tokens antipodal: the zero of AntipodalDepth's Lyapunov
// exponent. For dim = 2 there is none and the second result is false. Errors are
// those of AntipodalDepth.
func CriticalBetaDepth(dim int, attention Attention, sigma float64, depth int) (float64, bool, error) {
	cold, err := AntipodalDepth(dim, 0, attention, sigma, depth)
	if err != nil || dim < 3 {
		return 0, false, err
	}
	if !(cold.Lyapunov() > 0) { // dim = 3: below exp(-L/4)
		return 0, true, nil
	}
	lyapunov := func(beta float64) float64 {
		var l Depth
		if err == nil {
			l, err = AntipodalDepth(dim, beta, attention, sigma, depth)
		}
		if err != nil {
			return -1
		}
		return l.Lyapunov()
	}
	low, _ := CriticalBeta(dim) // which is below the zero at any depth
	high := low + 0.125
	for ; lyapunov(high) > 0; high += 0.5 {
		low = high
	}
	zero := root(lyapunov, low, high)
	return zero, err == nil, err
}

// CriticalBetaSlope returns c, the limit of L (CriticalBetaDepth - CriticalBeta) as the
// depth L grows, for dim ≥ 3. With t = tanh²βc = (d-3)/(d-1) it is
//
//	c = σ²/(4√t) · (t² (d²-4d+1)/2 + (d-3)t - (d-3)(d-5)/2)
//
// for softmax and (d-1)/2 times that for unnormalized attention. It is the second
// order of 2λ in 1/L, from the two first terms of every Δ in Depth.Lyapunov and
// E 1/(1-B) = 1+c². For dim = 3 it is 0.
func CriticalBetaSlope(dim int, attention Attention, sigma float64) float64 {
	if dim <= 3 {
		return 0
	}
	d := float64(dim)
	t := (d - 3) / (d - 1)
	second := float64(0.5*t*t*(float64(d*(d-4))+1)) + float64((d-3)*t) - float64(0.5*(d-3)*(d-5))
	slope := sigma * sigma * second / (4 * math.Sqrt(t))
	if attention == Unnormalized {
		slope *= 0.5 * (d - 1)
	}
	return slope
}
