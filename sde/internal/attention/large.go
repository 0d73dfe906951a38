package attention

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/linear"
)

// large computes the attention of more than a few tokens, or of tokens of many dimensions, by vector
// instructions and matrix products.
type large struct {
	field    *fields.Field
	products *products.Multiplier
	d        int
	x, sums  kernels.Matrix
	factors  []float64
}

func newLarge(s Settings) *large {
	alone := team.New(1)
	return &large{
		field:    fields.New(s.Attention, alone),
		products: products.For(alone), d: s.Dim,
		x: kernels.NewMatrix(s.Count, s.Dim), sums: kernels.NewMatrix(s.Count, s.Dim),
	}
}

// attend writes the attention field of the tokens x to dst.
func (l *large) attend(dst, x, masses []float64) {
	for i := range masses {
		copy(l.x.Numbers(i), x[i*l.d:(i+1)*l.d])
	}
	l.factors = l.field.Sum(&l.sums, &l.x, masses)
	for i, factor := range l.factors {
		linear.Scale(dst[i*l.d:(i+1)*l.d], factor, l.sums.Numbers(i))
	}
}

// multiply writes the products of a square matrix (row-major) with each of the rows of a to the rows of dst.
func (l *large) multiply(dst, matrix, a []float64) {
	rows := func(data []float64) blas64.General {
		return blas64.General{Rows: len(a) / l.d, Cols: l.d, Stride: l.d, Data: data}
	}
	square := blas64.General{Rows: l.d, Cols: l.d, Stride: l.d, Data: matrix}
	l.products.Multiply(blas.NoTrans, blas.Trans, 1, rows(a), square, 0, rows(dst))
}
