// Package linear has the linear algebra of single tokens: vectors and square matrices of some tens of
// dimensions. Sums are taken in the order of the entries, and no multiplication is fused with an addition, so
// that sums have the same bits on every machine, and opposite vectors give opposite sums.
package linear

import "antipode/sphere"

// Scale writes the vector factor·v to dst, which may be the slice v.
func Scale(dst []float64, factor float64, v []float64) {
	for k := range dst {
		dst[k] = float64(factor * v[k])
	}
}

// AddScaled adds the vector factor·v to the vector dst.
func AddScaled(dst []float64, factor float64, v []float64) {
	for k := range dst {
		dst[k] += float64(factor * v[k])
	}
}

// Multiply writes the product of a square matrix (row-major) and x to dst. The slices dst and x must not
// overlap.
func Multiply(dst, matrix, x []float64) {
	d := len(x)
	for r := range dst {
		dst[r] = sphere.Dot(matrix[r*d:(r+1)*d], x)
	}
}

// MultiplyTransposed writes the product of the transpose of a square matrix (row-major) and x to dst. The
// slices dst and x must not overlap.
func MultiplyTransposed(dst, matrix, x []float64) {
	d := len(x)
	clear(dst)
	for r, v := range x {
		AddScaled(dst, v, matrix[r*d:(r+1)*d])
	}
}
