package fokkerplanck

import (
	"math"

	"antipode/sphere/elementary"
)

// stretching is the |u| up to which cells of equal width in x have about equal width in
// u = stretching·sinh(x/stretching); beyond it, their width grows in proportion to u.
const stretching = 8

// stretched returns u at x; it is ±Inf beyond float64.
func stretched(x float64) float64 {
	y := elementary.Expm1(math.Abs(x) / stretching)
	return math.Copysign(0.5*stretching*(y+y/(1+y)), x)
}

// unstretched returns x at u.
func unstretched(u float64) float64 {
	y := float64(math.Abs(u) / stretching)
	if y > 1e10 { // the square root of 1+y² is y
		return math.Copysign(stretching*(elementary.Log(y)+math.Ln2), u)
	}
	return math.Copysign(stretching*elementary.Log1p(y+float64(y*y)/(1+math.Sqrt(1+float64(y*y)))), u)
}

// stretchSlope returns du/dx at x.
func stretchSlope(x float64) float64 {
	y := elementary.Exp(math.Abs(x) / stretching)
	return 0.5 * (y + 1/y)
}
