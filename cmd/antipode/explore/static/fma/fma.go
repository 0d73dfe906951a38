// Package fma computes the fused multiply-add x·y+z for WebAssembly, which has no instruction for this
// operation. In the exported page, package fma replaces the function of the standard library, which works on
// integers. Package fma gives the same bits in half the time.
package fma

import "math"

// FMA returns the number nearest to x·y+z, by the algorithm of Boldo and Melquiond (IEEE Trans. Comput. 57
// (2008) 462). The product x·y and the sums are stored exactly, as pairs of numbers. The last rounding error
// is rounded to odd; two roundings then give the result of a single rounding. If an intermediate number could
// overflow or underflow, FMA uses the function of the standard library. FMA is a single function, because
// calls would take more time than the computations.
func FMA(x, y, z float64) float64 {
	const (
		// bounds of |x·y| and |z|, within which every step is exact
		far, near                 = 0x1p900, 0x1p-900
		farthest, nearest, halves = 0x1p950, 0x1p-950, 1<<27 + 1
	)
	product := float64(x * y)
	p, a, b, c := math.Abs(product), math.Abs(x), math.Abs(y), math.Abs(z)
	if !(p < far && p > near && a < farthest && a > nearest && b < farthest && b > nearest && c < far) {
		return exactly(x, y, z)
	}
	if c <= near {
		if z == 0 {
			return product
		}
		return exactly(x, y, z)
	}
	// The factors x and y are split into sums of numbers of 26 bits (Veltkamp), from which the rounding error
	// of their product is computed (Dekker).
	split := float64(halves * x)
	xHigh := split - (split - x)
	split = float64(halves * y)
	yHigh := split - (split - y)
	xLow, yLow := x-xHigh, y-yHigh
	lost := float64(xHigh*yHigh) - product
	lost += float64(xHigh * yLow)
	lost += float64(xLow * yHigh)
	lost += float64(xLow * yLow)
	// The sums of the product and z, and the rounding errors of these sums, are computed by the method of
	// Knuth.
	t := z + lost
	other := t - z
	tError := (z - (t - other)) + (lost - other)
	v := product + t
	other = v - product
	vError := (product - (v - other)) + (t - other)
	sum := tError + vError
	other = sum - tError
	lost = (tError - (sum - other)) + (vError - other)
	// Round to odd: if the sum is not exact, it lies between two neighbouring numbers. Take the neighbour
	// whose last bit is 1.
	if lost == 0 {
		return v + sum
	}
	bits := math.Float64bits(sum)
	switch {
	case bits&1 == 1:
	case (lost > 0) == (sum > 0):
		bits++
	default:
		bits--
	}
	return v + math.Float64frombits(bits)
}
