package fokkerplanck

import (
	"math"

	"antipode/sphere/elementary"
)

// A grid of package fokkerplanck has nodes at equal distances in a coordinate x. sinhScale is the |u| up to
// which cells of equal width in x have about equal width in u = atanh z = sinhScale·sinh(x/sinhScale); beyond
// sinhScale, the width of cells in u grows in proportion to u.
const sinhScale = 8

// sinhMap returns u = sinhScale·sinh(x/sinhScale), or ±Inf if u exceeds float64.
func sinhMap(x float64) float64 {
	y := elementary.Expm1(math.Abs(x) / sinhScale)
	return math.Copysign(0.5*sinhScale*(y+y/(1+y)), x)
}

// inverseSinhMap returns the x for which sinhMap(x) = u.
func inverseSinhMap(u float64) float64 {
	y := float64(math.Abs(u) / sinhScale)
	if y > 1e10 { // the square root of 1+y² is y
		return math.Copysign(sinhScale*(elementary.Log(y)+math.Ln2), u)
	}
	return math.Copysign(sinhScale*elementary.Log1p(y+float64(y*y)/(1+math.Sqrt(1+float64(y*y)))), u)
}

// sinhMapSlope returns the derivative of sinhMap at x.
func sinhMapSlope(x float64) float64 {
	y := elementary.Exp(math.Abs(x) / sinhScale)
	return 0.5 * (y + 1/y)
}
