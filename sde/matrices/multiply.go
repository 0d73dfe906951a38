package matrices

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// The constants plain and transposed say whether a factor of a matrix product is transposed.
const (
	plain      = blas.NoTrans
	transposed = blas.Trans
)

// product returns the matrix product op(A) op(B), where op transposes a factor or does not.
func (s *Signal) product(
	opA blas.Transpose, a blas64.General, opB blas.Transpose, b blas64.General,
) *mat.Dense {
	rows, columns := a.Rows, b.Cols
	if opA == transposed {
		rows = a.Cols
	}
	if opB == transposed {
		columns = b.Rows
	}
	c := s.work.memory.take(rows, columns)
	s.multiply(opA, a, opB, b, 0, c.RawMatrix())
	return c
}

// multiply computes C ← op(A) op(B) + keep·C for matrices, where op transposes a factor or does not.
func (s *Signal) multiply(
	opA blas.Transpose, a blas64.General, opB blas.Transpose, b blas64.General, keep float64,
	c blas64.General,
) {
	s.work.multiplier.Multiply(opA, opB, 1, a, b, keep, c)
}

// columns returns the columns of a matrix that belong to a head, as a view.
func columns(m *mat.Dense, head, width int) blas64.General {
	part := m.RawMatrix()
	part.Data, part.Cols = part.Data[head*width:], width
	return part
}
