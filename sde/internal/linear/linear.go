// Package linear has the linear algebra of single tokens: vectors and square matrices of some tens of
// dimensions. Sums are taken in the order of the entries, and no multiplication is fused with an addition. So
// results have the same bits on every machine. For opposite vectors the results are opposite.
package linear

import "antipode/sphere"

// Scale writes factor·v to dst, which may be v.
func Scale(dst []float64, factor float64, v []float64) {
	for k := range dst {
		dst[k] = float64(factor * v[k])
	}
}

// AddScaled adds factor·v to dst.
func AddScaled(dst []float64, factor float64, v []float64) {
	for k := range dst {
		dst[k] += float64(factor * v[k])
	}
}

// Multiply writes the product of a square matrix (row-major) and x to dst, which may not overlap x.
func Multiply(dst, matrix, x []float64) {
	d := len(x)
	for r := range dst {
		dst[r] = sphere.Dot(matrix[r*d:(r+1)*d], x)
	}
}

// MultiplyTransposed writes the product of the transpose of a square matrix (row-major) and x to dst, which
// may not overlap x.
func MultiplyTransposed(dst, matrix, x []float64) {
	d := len(x)
	clear(dst)
	for r, v := range x {
		AddScaled(dst, v, matrix[r*d:(r+1)*d])
	}
}
