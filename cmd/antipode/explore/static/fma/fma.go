// Package fma is the fused multiply-add for WebAssembly, which has no instruction for it. The exported page
// has this in place of the standard library's, which works on integers; its bits are the same, and it takes
// half the time.
package fma

import "math"

// FMA is the number nearest to x·y+z, by the algorithm of Boldo and Melquiond (IEEE Trans. Comput. 57 (2008)
// 462): x·y and the sums are pairs of numbers without error, and what is lost in the end is rounded to odd,
// so that rounding twice is as good as once. Where an intermediate number could be too large or too small for
// that, it is the standard library's. It is one function, as calls cost more than what they would compute.
func FMA(x, y, z float64) float64 {
	const (
		far, near                 = 0x1p900, 0x1p-900 // of |x·y| and |z|: nothing is lost between
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
	// x and y as sums of numbers of 26 bits (Veltkamp), and the error of their product (Dekker).
	split := float64(halves * x)
	xHigh := split - (split - x)
	split = float64(halves * y)
	yHigh := split - (split - y)
	xLow, yLow := x-xHigh, y-yHigh
	lost := float64(xHigh*yHigh) - product
	lost += float64(xHigh * yLow)
	lost += float64(xLow * yHigh)
	lost += float64(xLow * yLow)
	// Sums and their errors (Knuth).
	t := z + lost
	other := t - z
	tError := (z - (t - other)) + (lost - other)
	v := product + t
	other = v - product
	vError := (product - (v - other)) + (t - other)
	sum := tError + vError
	other = sum - tError
	lost = (tError - (sum - other)) + (vError - other)
	// What is not exact becomes that of the two numbers beside it whose last bit is 1.
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
