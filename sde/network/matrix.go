package network

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// matrix is a rectangle of numbers, row by row; a block of columns of another if its
// stride is longer than a row.
type matrix = blas64.General

func newMatrix(rows, columns int) matrix {
	return matrix{Rows: rows, Cols: columns, Stride: max(columns, 1), Data: make([]float64, rows*columns)}
}

// columns returns the block of count columns from first on.
func columns(m matrix, first, count int) matrix {
	return matrix{Rows: m.Rows, Cols: count, Stride: m.Stride, Data: m.Data[first:]}
}

func row(m matrix, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

const (
	plain      = blas.NoTrans
	transposed = blas.Trans
)

// library is gonum's own implementation, whatever blas64 is set to: it splits products
// into the same blocks for any number of processors, so that bits do not depend on it.
var library gonum.Implementation

// multiply sets c to factor·a·b + keep·c, with a and b transposed or not.
func multiply(ta, tb blas.Transpose, factor float64, a, b matrix, keep float64, c matrix) {
	inner := a.Cols
	if ta == transposed {
		inner = a.Rows
	}
	library.Dgemm(ta, tb, c.Rows, c.Cols, inner, factor, a.Data, a.Stride, b.Data, b.Stride, keep, c.Data,
		c.Stride)
}

// dot is the inner product of two rows.
func dot(x, y []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += float64(v * y[k])
	}
	return sum
}

// squaredNorm is the sum of the squares of all entries of a matrix without gaps.
func squaredNorm(m matrix) float64 { return dot(m.Data, m.Data) }

// addMultiple adds factor·x to y.
func addMultiple(y []float64, factor float64, x []float64) {
	for k, v := range x {
		y[k] += float64(factor * v)
	}
}
