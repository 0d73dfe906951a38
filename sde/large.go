package sde

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"
)

// large computes what steppers do with many tokens, or of many dimensions, by products of matrices.
type large struct {
	field    *fields.Field
	products *products.Multiplier
	d        int
	x, sums  kernels.Matrix
	factors  []float64
}

// isLarge reports whether steppers are faster with the products of matrices of large than with loops.
func (c Cell) isLarge() bool {
	const fewDimensions, mostTokens, mostNumbers = 8, 1 << 12, 1 << 16
	n, d := float64(c.Tokens), float64(c.Dim)
	switch {
	case c.Tokens > mostTokens || n*d > mostNumbers:
		return true
	case c.Tokens <= 2 || c.Dim <= fewDimensions:
		return false
	}
	return n*d >= 450+2*d
}

func newLarge(c Cell) *large {
	return &large{
		field: fields.New(fields.Attention{
			Beta: c.Beta, Softmax: c.Attention == Softmax, Interaction: c.Interaction, Count: c.Tokens, Dim: c.Dim,
		}, 1),
		products: products.New(1), d: c.Dim,
		x: kernels.NewMatrix(c.Tokens, c.Dim), sums: kernels.NewMatrix(c.Tokens, c.Dim),
	}
}

// attend writes the attention field of the tokens x to dst.
func (l *large) attend(dst, x, masses []float64) {
	for i := range masses {
		copy(l.x.Numbers(i), x[i*l.d:(i+1)*l.d])
	}
	l.field.Forget()
	l.factors = l.field.Sum(&l.sums, &l.x, masses)
	for i, factor := range l.factors {
		scale(dst[i*l.d:(i+1)*l.d], factor, l.sums.Numbers(i))
	}
}

// weights writes the weights of the tokens in the last field of token i, with all masses 1, to dst.
func (l *large) weights(dst []float64, i int) { scale(dst, l.factors[i], l.field.Weights(i)) }

// multiply writes the product of a square matrix (row-major) and each of the rows of a to dst.
func (l *large) multiply(dst, matrix, a []float64) {
	rows := func(data []float64) blas64.General {
		return blas64.General{Rows: len(a) / l.d, Cols: l.d, Stride: l.d, Data: data}
	}
	square := blas64.General{Rows: l.d, Cols: l.d, Stride: l.d, Data: matrix}
	l.products.Multiply(blas.NoTrans, blas.Trans, 1, rows(a), square, 0, rows(dst))
}
