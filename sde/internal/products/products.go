// Package products multiplies matrices. Every entry of a product is one chain of fused
// multiply-adds in the order of the inner index, so its bits do not depend on the machine,
// the blocking or the number of workers.
package products

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Multiplier multiplies matrices, which are stored by rows. It reuses its memory, so each
// goroutine needs its own.
type Multiplier struct {
	workers int
}

// New returns a Multiplier that divides a product among up to that many goroutines, at least 1.
func New(workers int) *Multiplier { return &Multiplier{workers: max(workers, 1)} }

// Multiply computes C ← α op(A) op(B) + βC, where op(A) is m×k, op(B) k×n and C m×n. With β = 0 what C
// held does not matter. It panics if the shapes do not fit, or if C shares memory with A or B.
func (m *Multiplier) Multiply(
	transposeA, transposeB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General,
) {
	inner := a.Cols
	if transposeA != blas.NoTrans {
		inner = a.Rows
	}
	for i := range c.Rows {
		for j := range c.Cols {
			sum := start(beta, c.Data[i*c.Stride+j])
			for k := range inner {
				sum = math.FMA(alpha*entry(transposeA, a, i, k), entry(transposeB, b, k, j), sum)
			}
			c.Data[i*c.Stride+j] = sum
		}
	}
}

// Gram computes C ← α op(A) op(A)ᵀ + βC, both triangles of it, where op(A) is n×k and C a
// symmetric n×n matrix of which only the lower triangle is read. It panics as Multiply does.
func (m *Multiplier) Gram(transpose blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.General) {
	inner := a.Cols
	if transpose != blas.NoTrans {
		inner = a.Rows
	}
	for i := range c.Rows {
		for j := range i + 1 {
			sum := start(beta, c.Data[i*c.Stride+j])
			for k := range inner {
				sum = math.FMA(alpha*entry(transpose, a, i, k), entry(transpose, a, j, k), sum)
			}
			c.Data[i*c.Stride+j], c.Data[j*c.Stride+i] = sum, sum
		}
	}
}

func start(beta, c float64) float64 {
	if beta == 0 {
		return 0
	}
	return beta * c
}

func entry(transpose blas.Transpose, a blas64.General, i, k int) float64 {
	if transpose == blas.NoTrans {
		return a.Data[i*a.Stride+k]
	}
	return a.Data[k*a.Stride+i]
}
