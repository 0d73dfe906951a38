package network

import (
	"math"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
)

// Orthonormalize makes the rows of a matrix, at most as many as columns, orthonormal by Gram and Schmidt's
// method, which turns independent normal numbers to uniformly distributed orthonormal rows. They become NaN
// where they are linearly dependent. Blocks of rows are made orthogonal to those before them by products,
// twice, so that rounding errors do not build up.
func Orthonormalize(m blas64.General) {
	const together = 32
	p := products.New(1)
	coefficients := newMatrix(together, m.Rows)
	for first := 0; first < m.Rows; first += together {
		part := rowsOf(m, first, min(together, m.Rows-first))
		for range 2 {
			if first > 0 {
				before, c := rowsOf(m, 0, first), matrixOf(part.Rows, first, coefficients.Data)
				p.Multiply(plain, transposed, 1, part, before, 0, c)
				p.Multiply(plain, plain, -1, c, before, 1, part)
			}
			for i := range part.Rows {
				for range 2 {
					for j := range i {
						addMultiple(row(part, i), -kernels.Dot(row(part, i), row(part, j)), row(part, j))
					}
				}
				scaleTo(row(part, i), 1)
			}
		}
	}
}

// scaleTo gives a vector that is not 0 the length.
func scaleTo(x []float64, length float64) {
	factor := length / math.Sqrt(kernels.Dot(x, x))
	for k := range x {
		x[k] *= factor
	}
}
