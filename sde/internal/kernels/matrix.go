package kernels

import (
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"
)

// Vector holds one number for each of eight lanes. Kernels apply the same operations to all lanes. Unless
// stated otherwise, each lane belongs to a trajectory, and a token is a row of Vectors, one for each
// coordinate.
type Vector = [8]float64

// Matrix is a matrix whose rows are whole Vectors: numbers after the last column are 0.
type Matrix struct {
	vectors []Vector
	columns int
	width   int // number of Vectors of a row
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, columns int) Matrix { return newMatrix(rows, columns, Width(columns)) }

// NewSquare returns a square matrix of zeros. The stride of a square matrix is such that the entries of a
// column do not all fall into the same few sets of a cache.
func NewSquare(rows int) Matrix {
	const together = 8 // number of Vectors
	width := Width(rows)
	if width%together == 0 {
		width++
	}
	return newMatrix(rows, rows, width)
}

func newMatrix(rows, columns, width int) Matrix {
	return Matrix{make([]Vector, rows*width), columns, width}
}

// Width returns how many Vectors are needed to hold the given number of numbers.
func Width(numbers int) int { return (numbers + 7) / 8 }

// Row returns row i of the matrix, with the zeros after its last column.
func (m *Matrix) Row(i int) []Vector { return m.vectors[i*m.width : (i+1)*m.width] }

// Numbers returns the entries of row i of the matrix.
func (m *Matrix) Numbers(i int) []float64 { return Numbers(m.Row(i))[:m.columns] }

// Stride returns the distance, in numbers, between consecutive entries of a column of the matrix.
func (m *Matrix) Stride() int { return 8 * m.width }

// All returns all rows of the matrix, one after the other, with the zeros after their last columns.
func (m *Matrix) All() []float64 { return Numbers(m.vectors) }

// General returns the first rows and columns, as many as given, as a matrix for matrix products.
func (m *Matrix) General(rows, columns int) blas64.General { return m.Part(0, rows, columns) }

// Part returns rows first to last (excluded), cut to the given number of columns, as a matrix for matrix
// products.
func (m *Matrix) Part(first, last, columns int) blas64.General {
	return blas64.General{Rows: last - first, Cols: columns, Stride: m.Stride(), Data: Numbers(m.from(first))}
}

// Numbers returns the numbers of the Vectors, in the same memory.
func Numbers(v []Vector) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v))
}
