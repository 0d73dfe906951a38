package kernels

import (
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"
)

// Vector is a number in each of eight lanes. Kernels do the same to all of them. Lanes are
// trajectories unless something else is said; a token in lanes is a row of Vectors, one a coordinate.
type Vector = [8]float64

// Matrix is a matrix whose rows are whole Vectors: what lies beyond the last column is 0.
type Matrix struct {
	vectors []Vector
	columns int
	width   int // Vectors of a row
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, columns int) Matrix { return newMatrix(rows, columns, Width(columns)) }

// NewSquare returns a square matrix of zeros, such that the entries of a column are not in the same few
// places of a cache.
func NewSquare(rows int) Matrix {
	const together = 8 // Vectors
	width := Width(rows)
	if width%together == 0 {
		width++
	}
	return newMatrix(rows, rows, width)
}

func newMatrix(rows, columns, width int) Matrix {
	return Matrix{make([]Vector, rows*width), columns, width}
}

// Width is the number of Vectors that hold that many numbers.
func Width(numbers int) int { return (numbers + 7) / 8 }

// Row is a row, and what lies beyond its last column.
func (m *Matrix) Row(i int) []Vector { return m.vectors[i*m.width : (i+1)*m.width] }

// Numbers is the entries of a row.
func (m *Matrix) Numbers(i int) []float64 { return Numbers(m.Row(i))[:m.columns] }

// Stride is the distance of two entries of a column.
func (m *Matrix) Stride() int { return 8 * m.width }

// All is all rows, one after the other.
func (m *Matrix) All() []float64 { return Numbers(m.vectors) }

// General is the first rows and columns for products.
func (m *Matrix) General(rows, columns int) blas64.General { return m.Part(0, rows, columns) }

// Part is the rows from first to last (excluded) and the first columns for products.
func (m *Matrix) Part(first, last, columns int) blas64.General {
	return blas64.General{Rows: last - first, Cols: columns, Stride: m.Stride(), Data: Numbers(m.from(first))}
}

// Numbers is the numbers of Vectors, in the same memory.
func Numbers(v []Vector) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v))
}
