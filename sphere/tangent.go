package sphere

import (
	"math"

	"antipode/sphere/elementary"
)

// Project writes y - <x,y> x to dst, the projection of y onto the tangent space of the unit sphere at the
// unit vector x. Up to rounding the projection is zero for y = ±x, and in dimension 1 for every y.
func Project(dst, x, y []float64) {
	overlap := Dot(x, y)
	for k, v := range y {
		dst[k] = math.FMA(-overlap, x[k], v)
	}
}

// Exponential writes exp_x(v) = cos|v| x + sin|v| v/|v| to dst: the point reached after unit time by the
// geodesic that starts at the unit vector x with velocity v, a tangent at x. Exponential normalises this
// point, so the norm of dst is as close to 1 as after Normalize, and errors do not accumulate over many
// steps. For v = 0 Exponential writes x, normalised. A non-finite v fills dst with NaN.
func Exponential(dst, x, v []float64) {
	square := Dot(v, v)
	length := math.Sqrt(square)
	sin, cos := elementary.SinCos(length)
	ratio := 1.0
	if square >= smallestSquare { // for smaller |v|, sin|v| = |v| up to rounding
		ratio = sin / length
	}
	for k := range dst {
		dst[k] = math.FMA(ratio, v[k], float64(cos*x[k]))
	}
	Normalize(dst, dst)
}
