package elementary

import "math"

const (
	log2OfE = 0x1.71547652b82fep+0
	// ln 2 in two parts; the first has 32 bits, so that k·ln2High is exact for every exponent k of a
	// float64.
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
	// Adding and subtracting roundToInteger = 1.5·2^52 rounds to the nearest integer, which occupies the low
	// bits of the sum.
	roundToInteger = 0x1.8p52

	largestExponent  = 0x1.62e42fefa39efp+9  // natural logarithm of the largest float64
	smallestExponent = -0x1.74910d52d3052p+9 // for x below smallestExponent, e^x rounds to 0
)

// Exp returns e^x within 1 ulp, which is one unit in the last place also for a subnormal result. Exp(+Inf) =
// +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN. Exp(x) is +Inf for x above 709.78 and 0 for x below -745.14.
func Exp(x float64) float64 {
	switch {
	case x > largestExponent:
		return math.Inf(1)
	case x < smallestExponent:
		return 0
	case x != x:
		return x
	}
	k, r := reduceByLn2(x)
	return scaleByPowerOfTwo(1+expMinusOneNearZero(r), k)
}

// Expm1 returns e^x - 1, within 2 ulp, also for x near 0.
// Expm1(±0) = ±0, Expm1(+Inf) = +Inf, Expm1(-Inf) = -1, Expm1(NaN) = NaN.
func Expm1(x float64) float64 {
	switch {
	case x == 0 || x != x:
		return x
	case x > 60: // subtracting 1 changes e^x by less than half an ulp
		return Exp(x)
	case x < -40:
		return -1
	}
	k, r := reduceByLn2(x)
	p := expMinusOneNearZero(r)
	if k == 0 {
		return p
	}
	power := math.Float64frombits(uint64(k+1023) << 52)
	if k < 53 {
		return math.FMA(power, p, power-1) // power - 1 is exact
	}
	return float64(power*p) - 1 + power
}

// reduceByLn2 returns k and r with x = k·ln 2 + r, |r| ≤ 0.3466, for |x| below 746.
func reduceByLn2(x float64) (k int64, r float64) {
	t := math.FMA(x, log2OfE, roundToInteger)
	k = int64(math.Float64bits(t)<<13) >> 13 // the integer k, in two's complement
	n := t - roundToInteger
	r = math.FMA(-n, ln2High, x)
	return k, math.FMA(-n, ln2Low, r)
}

// expMinusOneNearZero returns e^r - 1 for |r| ≤ 0.3466.
func expMinusOneNearZero(r float64) float64 {
	const (
		c2  = 0x1p-1
		c3  = 0x1.5555555555557p-3
		c4  = 0x1.5555555555556p-5
		c5  = 0x1.11111111100dcp-7
		c6  = 0x1.6c16c16c162d4p-10
		c7  = 0x1.a01a01abe7fe1p-13
		c8  = 0x1.a01a01a6d889cp-16
		c9  = 0x1.71de0231960ebp-19
		c10 = 0x1.27e4db646b17ep-22
		c11 = 0x1.af4de97ca4194p-26
		c12 = 0x1.1f730349868cep-29
	)
	// The polynomial is evaluated in Estrin's order, with short chains of dependent operations.
	r2 := r * r
	r4 := r2 * r2
	low := math.FMA(math.FMA(c5, r, c4), r2, math.FMA(c3, r, c2))
	middle := math.FMA(math.FMA(c9, r, c8), r2, math.FMA(c7, r, c6))
	high := math.FMA(c12, r2, math.FMA(c11, r, c10))
	q := math.FMA(math.FMA(high, r4, middle), r4, low)
	return math.FMA(r2, q, r)
}

// scaleByPowerOfTwo returns y·2^k for y in [0.7, 1.5] and |k| ≤ 1075; an
// overflow or a subnormal result is rounded once.
func scaleByPowerOfTwo(y float64, k int64) float64 {
	if -1021 <= k && k <= 1022 {
		return float64(y * math.Float64frombits(uint64(k+1023)<<52))
	}
	half := k / 2
	y *= math.Float64frombits(uint64(half+1023) << 52)
	return float64(y * math.Float64frombits(uint64(k-half+1023)<<52))
}
