package matrices

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Whether a factor of a product is transposed.
const (
	plain      = blas.NoTrans
	transposed = blas.Trans
)

// product is op(A) op(B).
func (s *Signal) product(opA blas.Transpose, a *mat.Dense, opB blas.Transpose, b *mat.Dense) *mat.Dense {
	rows, columns := a.Dims()
	if opA == transposed {
		rows = columns
	}
	bRows, columns := b.Dims()
	if opB == transposed {
		columns = bRows
	}
	c := s.memory.take(rows, columns)
	s.multiplier.Multiply(opA, opB, 1, a.RawMatrix(), b.RawMatrix(), 0, c.RawMatrix())
	return c
}

// addProduct adds A op(B) to a sum.
func (s *Signal) addProduct(sum, a *mat.Dense, opB blas.Transpose, b *mat.Dense) {
	s.multiplier.Multiply(plain, opB, 1, a.RawMatrix(), b.RawMatrix(), 1, sum.RawMatrix())
}
