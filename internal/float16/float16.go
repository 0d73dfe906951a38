// Package float16 decodes floating-point numbers of 16 bits (IEEE 754 binary16), of which files of hidden
// states and weights consist.
//
//	x := float16.Float64(0x3C00) // 1
package float16

import "math"

// Float64 returns the number with the given bits: 1 bit of sign, 5 of exponent and 10 of mantissa. The result
// is exact, also for subnormal numbers, which are below 2^-14 in absolute value. NaN has many bit patterns;
// each of them gives math.NaN().
func Float64(bits uint16) float64 {
	exponent, mantissa := int(bits>>10&0x1f), float64(bits&0x3ff)
	var x float64
	switch exponent {
	case 0: // zero and subnormal numbers
		x = math.Ldexp(mantissa, -24)
	case 0x1f:
		if mantissa != 0 {
			return math.NaN()
		}
		x = math.Inf(1)
	default:
		x = math.Ldexp(1024+mantissa, exponent-25)
	}
	if bits>>15 != 0 {
		return -x
	}
	return x
}
