package network

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// matrix is a rectangle of numbers, row by row; a block of columns of another if its
// stride is longer than a row.
type matrix = blas64.General

func newMatrix(rows, columns int) matrix {
	return matrixOf(rows, columns, make([]float64, rows*columns))
}

func matrixOf(rows, columns int, data []float64) matrix {
	return matrix{Rows: rows, Cols: columns, Stride: max(columns, 1), Data: data}
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

// dot is the inner product of two rows, in four sums.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, d float64
	k := 0
	for ; k+3 < len(x); k += 4 {
		a = math.FMA(x[k], y[k], a)
		b = math.FMA(x[k+1], y[k+1], b)
		c = math.FMA(x[k+2], y[k+2], c)
		d = math.FMA(x[k+3], y[k+3], d)
	}
	for ; k < len(x); k++ {
		a = math.FMA(x[k], y[k], a)
	}
	return (a + b) + (c + d)
}

// sum is that of a row, in four sums.
func sum(x []float64) float64 {
	var a, b, c, d float64
	k := 0
	for ; k+3 < len(x); k += 4 {
		a += x[k]
		b += x[k+1]
		c += x[k+2]
		d += x[k+3]
	}
	for ; k < len(x); k++ {
		a += x[k]
	}
	return (a + b) + (c + d)
}

// addMultiple adds factor·x to y.
func addMultiple(y []float64, factor float64, x []float64) {
	y = y[:len(x)]
	for k, v := range x {
		y[k] = math.FMA(factor, v, y[k])
	}
}

// addRows adds the sum of all rows of m to total.
func addRows(total []float64, m matrix) {
	for t := range m.Rows {
		addMultiple(total, 1, row(m, t))
	}
}
