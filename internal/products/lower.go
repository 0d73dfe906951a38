package products

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Lower computes the lower triangle of the matrix that Gram computes. Lower leaves unspecified values above
// the diagonal.
func (m *Multiplier) Lower(
	transpose blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.General,
) {
	m.gram(transpose, alpha, a, beta, c, true)
}

// Mirror copies the entries left of the diagonal in rows first ≤ i < last of a square matrix to their mirror
// images above the diagonal. Several goroutines may mirror different rows at the same time.
func Mirror(c blas64.General, first, last int) {
	var v view
	v.of("the matrix", blas.NoTrans, &c)
	active().mirror(&v, part{top: first, bottom: last})
}
