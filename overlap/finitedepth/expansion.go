package finitedepth

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

// ExpandedCriticalBeta returns CriticalBeta to the order 1/L² in the depth L, in closed form: for softmax
//
//	cosh 2βc = d-2 + (d-3)(d²-3d+4)/(2(d-1)) h - (d-3)(3d⁵-51d⁴+257d³-665d²+880d-448)/(12(d-1)³) h²,
//
// and for unnormalized attention d-2 + (d-3)(d²-3d+4)/4 h + (d-2)(d-3)(3d²-10d+19)/6 h², with h = σ²/L. The
// difference from CriticalBeta is of order 1/L³, and is small only for L well above σ²d, or σ²d²/2 for
// unnormalized attention. For dim = 3 ExpandedCriticalBeta is 0, which differs from CriticalBeta by less than
// any power of 1/L. The second result of ExpandedCriticalBeta is false for dim = 2, and if L is so small that
// the series for cosh 2βc is below 1. The errors of ExpandedCriticalBeta are those of Antipodal.
func ExpandedCriticalBeta(
	dim int, attention overlap.Attention, sigma float64, depth int,
) (float64, bool, error) {
	if _, err := Antipodal(dim, 0, attention, sigma, depth); err != nil || dim < 3 {
		return 0, false, err
	}
	linear, quadratic := boundaryTerms(float64(dim), attention)
	h := float64(sigma*sigma) / float64(depth)
	// cosh 2β - 1 is 2 sinh² β.
	square := float64(0.5 * (float64(dim-3) + float64(h*(linear+float64(h*quadratic)))))
	if !(square >= 0) {
		return 0, false, nil
	}
	root := math.Sqrt(square)
	return elementary.Log1p(root + float64(square/(1+math.Sqrt(1+square)))), true, nil
}

// boundaryTerms returns the coefficients of σ²/L and of (σ²/L)² in the series of ExpandedCriticalBeta for
// cosh 2βc.
func boundaryTerms(d float64, attention overlap.Attention) (linear, quadratic float64) {
	linear = (d - 3) * (float64(d*(d-3)) + 4)
	if attention == overlap.Unnormalized {
		return linear / 4, (d - 2) * (d - 3) * (float64(d*(float64(3*d)-10)) + 19) / 6
	}
	polynomial := 0.0
	for _, coefficient := range []float64{3, -51, 257, -665, 880, -448} {
		polynomial = float64(polynomial*d) + coefficient
	}
	size := d - 1
	return linear / (2 * size), -(d - 3) * polynomial / (12 * size * size * size)
}

// LimitDepth returns the depth L from which the relative difference of CriticalBeta from its limit βc,
// overlap.CriticalBeta, is at most a tolerance in (0, 0.1]:
//
//	σ² (d²-3d+4) √(d-3) / (4 (d-1)^(3/2) βc tolerance)
//
// layers per unit of time, and (d-1)/2 times as many for unnormalized attention. The formula for LimitDepth
// is of first order in 1/L: at LimitDepth, for d up to 1000, the actual difference equals tolerance up to a
// relative deviation of 12 times tolerance. The second result of LimitDepth is false for dim ≤ 3, where the
// limit βc is 0 or does not exist. LimitDepth returns an error if tolerance is not in (0, 0.1]; the other
// errors of LimitDepth are those of Antipodal.
func LimitDepth(dim int, attention overlap.Attention, sigma, tolerance float64) (float64, bool, error) {
	if !(tolerance > 0 && tolerance <= 0.1) {
		return 0, false, fmt.Errorf("finitedepth: tolerance %v is not allowed: "+
			"it must be above 0 and at most 0.1", tolerance)
	}
	if _, err := Antipodal(dim, 0, attention, sigma, 1); err != nil || dim <= 3 {
		return 0, false, err
	}
	limit, _ := overlap.CriticalBeta(dim)
	linear, _ := boundaryTerms(float64(dim), attention)
	// d(cosh 2β) = 2 sinh 2β dβ.
	slope := linear / (2 * math.Sqrt(float64(dim-1)*float64(dim-3)))
	return float64(sigma*sigma) * slope / (limit * tolerance), true, nil
}
