package network

import (
	"antipode/sde/internal/rowwise"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// matrix is a row-major matrix. If its stride is greater than its number of columns, it is a block of columns
// of another matrix.
type matrix = blas64.General

func newMatrix(rows, columns int) matrix {
	return matrixOf(rows, columns, make([]float64, rows*columns))
}

func matrixOf(rows, columns int, data []float64) matrix {
	return matrix{Rows: rows, Cols: columns, Stride: max(columns, 1), Data: data}
}

// columns returns the block of count columns of a matrix that begins with column first.
func columns(m matrix, first, count int) matrix {
	return matrix{Rows: m.Rows, Cols: count, Stride: m.Stride, Data: m.Data[first:]}
}

func row(m matrix, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

const (
	plain      = blas.NoTrans
	transposed = blas.Trans
)

// addMultiple adds factor times the vector x to the vector y.
func addMultiple(y []float64, factor float64, x []float64) {
	rowwise.Mix(y[:len(x)], factor, x, 1, y)
}
