package elementary

import "math"

// Log returns the natural logarithm of x, within 1.25 ulp.
// Log(+Inf) = +Inf, Log(0) = -Inf, Log(x < 0) = NaN, Log(NaN) = NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	e, m := mantissaNearOne(x)
	return addExponent(e, m-1, 0)
}

// Log1p returns ln(1+x), within 1.25 ulp, also for x near 0.
// Log1p(±0) = ±0, Log1p(+Inf) = +Inf, Log1p(-1) = -Inf, Log1p(x < -1) = NaN,
// Log1p(NaN) = NaN.
func Log1p(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64 || x == 0:
		return x
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	}
	u := 1 + x
	if math.Sqrt2/2 < u && u < math.Sqrt2 {
		return logNearOne(x)
	}
	// lost is the rounding error of the sum u = 1+x: ln(1+x) = ln u + lost/u.
	lost := x - (u - 1)
	if x > 1 {
		lost = 1 - (u - x)
	}
	e, m := mantissaNearOne(u)
	return addExponent(e, m-1, lost/u)
}

// mantissaNearOne returns e and m with x = m·2^e and m in [√½, √2), for finite x > 0.
func mantissaNearOne(x float64) (e int64, m float64) {
	const sqrtHalf = 0x3fe6a09e667f3bcd // bits of √½ rounded up
	bits := math.Float64bits(x)
	if bits < 1<<52 { // x is subnormal
		bits = math.Float64bits(x * 0x1p54)
		e = -54
	}
	shifted := bits - sqrtHalf
	e += int64(shifted) >> 52
	return e, math.Float64frombits(shifted&(1<<52-1) + sqrtHalf)
}

// addExponent returns the sum e·ln 2 + ln(1+f) + small.
func addExponent(e int64, f, small float64) float64 {
	n := float64(e)
	return math.FMA(n, ln2High, logNearOne(f)+math.FMA(n, ln2Low, small))
}

// logNearOne returns ln(1+f) for 1+f in [√½, √2]. With s = f/(2+f) the logarithm ln(1+f) is 2 artanh s = 2s +
// s·R(s²) with a polynomial R, and 2s = f - s·f preserves the accuracy of f.
func logNearOne(f float64) float64 {
	const (
		c1 = 0x1.5555555555558p-1
		c2 = 0x1.99999999952abp-2
		c3 = 0x1.2492492df7663p-2
		c4 = 0x1.c71c62ddb431bp-3
		c5 = 0x1.7462b6e311a89p-3
		c6 = 0x1.39fe16ad885a7p-3
		c7 = 0x1.2b5bd9a316a24p-3
	)
	s := f / (2 + f)
	z := s * s
	z2 := z * z
	low := math.FMA(math.FMA(c4, z, c3), z2, math.FMA(c2, z, c1))
	high := math.FMA(c7, z2, math.FMA(c6, z, c5))
	r := float64(z * math.FMA(high, float64(z2*z2), low))
	return math.FMA(-s, f-r, f)
}
