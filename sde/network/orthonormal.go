package network

import (
	"math"

	"antipode/internal/products"
	"antipode/sde/internal/rowwise"

	"gonum.org/v1/gonum/blas/blas64"
)

// Orthonormalize makes the rows of a matrix orthonormal by the Gram-Schmidt method. The matrix must have at
// most as many rows as columns. Orthonormalize turns independent standard normal entries into uniformly
// distributed orthonormal rows. Linearly dependent rows become NaN. Blocks of rows are made orthogonal to all
// earlier rows by matrix products. Each block is made orthogonal twice, so that rounding errors do not
// accumulate.
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
						addMultiple(row(part, i), -rowwise.Dot(row(part, i), row(part, j)), row(part, j))
					}
				}
				scaleTo(row(part, i), 1)
			}
		}
	}
}

// scaleTo scales a non-zero vector to the given length.
func scaleTo(x []float64, length float64) {
	factor := length / math.Sqrt(rowwise.Dot(x, x))
	for k := range x {
		x[k] *= factor
	}
}
