package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// sech returns 1/cosh y for y ≥ 0; it underflows to 0, and nothing in it overflows.
func sech(y float64) float64 {
	e := elementary.Exp(-y)
	return 2 * e / (1 + float64(e*e))
}

// atanh returns the u with tanh u = z for -1 ≤ z ≤ 1, ±Inf at the ends. The difference 1-|z| is
// exact where it is small, so u is right to a few units in the last place up to
// the last float64 below 1, where u = 18.7.
func atanh(z float64) float64 {
	if z < 0 {
		return -atanh(-z)
	}
	return 0.5 * elementary.Log1p(2*z/(1-z))
}

// arccosh returns log(x + √(x²-1)) for x ≥ 1. What the square root and the sum round
// off is added back, so that the result is as good as Log.
func arccosh(x float64) float64 {
	square := math.FMA(x, x, -1)
	root := math.Sqrt(square)
	if root == 0 {
		return 0
	}
	lost := math.FMA(-root, root, square) / (2 * root)
	sum := x + root
	lost += root - (sum - x)
	return elementary.Log(sum) + lost/sum
}
