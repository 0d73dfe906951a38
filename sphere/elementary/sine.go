package elementary

import "math"

const (
	twoOverPi = 0x1.45f306dc9c883p-1
	// π/2 in three parts of 53 bits.
	halfPi1 = 0x1.921fb54442d18p+0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110

	// largestReduced is the |x| up to which the three parts of π/2 suffice for an accurate remainder of x.
	largestReduced = 0x1p20
)

// SinCos returns sin x and cos x for x in radians. The error of SinCos is within 1 ulp for |x| ≤ π/4, and
// within 1.5 ulp up to |x| = 2^20. For |x| above 2^20, the absolute error is within |x|·2^-53, which is the
// effect of the rounding of x. The sine of ±0 is +0; SinCos(±Inf) and SinCos(NaN) are NaN.
func SinCos(x float64) (sin, cos float64) {
	if math.Abs(x) <= math.Pi/4 {
		return sinNearZero(x), cosNearZero(x)
	}
	if math.Abs(x) > largestReduced {
		x = math.Mod(x, 2*math.Pi) // exact for the rounded 2π; NaN for ±Inf
	}
	t := math.FMA(x, twoOverPi, roundToInteger)
	n := t - roundToInteger
	r := math.FMA(-n, halfPi1, x)
	r = math.FMA(-n, halfPi2, r)
	r = math.FMA(-n, halfPi3, r)
	return quarter(math.Float64bits(t), sinNearZero(r), cosNearZero(r))
}

// quarter returns, exactly, the sine and cosine of an angle increased by quarters·π/2, given the sine and
// cosine of the angle. Only quarters mod 4 matters.
func quarter(quarters uint64, sin, cos float64) (float64, float64) {
	s, c := math.Float64bits(sin), math.Float64bits(cos)
	swap := (s ^ c) & -(quarters & 1)
	s ^= swap ^ quarters&2<<62
	c ^= swap ^ (quarters+1)&2<<62
	return math.Float64frombits(s), math.Float64frombits(c)
}

// sinNearZero returns sin r for |r| ≤ π/4 (and a little beyond).
func sinNearZero(r float64) float64 {
	const (
		c1 = -0x1.5555555555555p-3
		c2 = 0x1.1111111111110p-7
		c3 = -0x1.a01a01a019933p-13
		c4 = 0x1.71de3a54600cap-19
		c5 = -0x1.ae645411d76a9p-26
		c6 = 0x1.61217e4ef55f8p-33
		c7 = -0x1.ab1764e7b2047p-41
	)
	z := r * r
	z2 := z * z
	low := math.FMA(math.FMA(c4, z, c3), z2, math.FMA(c2, z, c1))
	high := math.FMA(c7, z2, math.FMA(c6, z, c5))
	return math.FMA(float64(z*r), math.FMA(high, float64(z2*z2), low), r)
}

// cosNearZero returns cos r for |r| ≤ π/4 (and a little beyond).
func cosNearZero(r float64) float64 {
	const (
		c2 = 0x1.5555555555555p-5
		c3 = -0x1.6c16c16c16965p-10
		c4 = 0x1.a01a019f4e480p-16
		c5 = -0x1.27e4fa17532cap-22
		c6 = 0x1.1eeb685cba14cp-29
		c7 = -0x1.907d3e3374a42p-37
	)
	z := r * r
	z2 := z * z
	low := math.FMA(math.FMA(c3, z, c2), z, -0.5)
	high := math.FMA(math.FMA(c7, z, c6), z2, math.FMA(c5, z, c4))
	return math.FMA(z, math.FMA(high, float64(z2*z), low), 1)
}
