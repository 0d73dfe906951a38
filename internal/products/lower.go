package products

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Lower is Gram without the copy of the lower triangle of C to the upper one, in which it leaves no
// particular values.
func (m *Multiplier) Lower(
	transpose blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.General,
) {
	m.gram(transpose, alpha, a, beta, c, true)
}

// Mirror copies what rows first to last (excluded) of a square matrix have before the diagonal to its
// place right of the diagonal. Goroutines may do so for different rows.
func Mirror(c blas64.General, first, last int) {
	var v view
	v.of("the matrix", blas.NoTrans, &c)
	active().mirror(&v, part{top: first, bottom: last})
}
