package line

import (
	"math"

	"antipode/sphere/elementary"
)

// Atanh returns the u with tanh u = z for -1 ≤ z ≤ 1, which is ±Inf for z = ±1. As float64 computes small
// 1-|z| exactly, u is accurate to a few units in the last place up to the last float64 z below 1, for which u
// = 18.7.
func Atanh(z float64) float64 {
	if z < 0 {
		return -Atanh(-z)
	}
	return 0.5 * elementary.Log1p(2*z/(1-z))
}

// Edge returns atanh(1-tolerance), for a tolerance in (0, 2). The overlap 1-tolerance itself has an absolute
// rounding error, which matters if the tolerance is small.
func Edge(tolerance float64) float64 { return float64(-0.5 * elementary.Log(tolerance/(2-tolerance))) }

// Arccosh returns the inverse hyperbolic cosine log(x + √(x²-1)) for x ≥ 1. The rounding errors of the square
// root and of the sum are computed and added, so that Arccosh is as accurate as elementary.Log.
func Arccosh(x float64) float64 {
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
