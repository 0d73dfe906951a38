// Package products multiplies matrices. Every entry of a matrix product is one chain of fused multiply-adds
// in the order of the inner index. So the bits of a matrix product do not depend on the machine, on the
// blocking or on the number of workers.
package products

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/team"
)

// Multiplier multiplies row-major matrices. A Multiplier reuses its working memory, so it must not be used
// concurrently.
type Multiplier struct {
	division *division
}

// New returns a Multiplier that divides a matrix product among up to workers goroutines, the caller's
// included; workers < 1 count as 1.
func New(workers int) *Multiplier { return For(team.New(workers)) }

// For returns a Multiplier that divides a matrix product among the goroutines of a team. Between products the
// team may do other work.
func For(t *team.Team) *Multiplier { return &Multiplier{newDivision(t)} }

// Multiply computes C ← α op(A) op(B) + βC, where op(A) is m×k, op(B) k×n and C m×n. The entry (i, j) starts
// from βC_ij or, if β = 0, from 0 even if C_ij is not finite. To this start, fused multiply-adds add (α a_il)
// b_lj for l = 1, …, k, where α a_il is rounded. So if α = 0, an infinity or NaN in A or B gives NaN.
// Multiply panics if the shapes do not fit, or if C shares memory with A or B.
func (m *Multiplier) Multiply(
	transposeA, transposeB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General,
) {
	p := product{alpha: alpha, beta: beta}
	p.a.of("A", transposeA, &a)
	p.b.of("B", transposeB, &b)
	p.c.of("C", blas.NoTrans, &c)
	if p.a.rows != c.Rows || p.b.columns != c.Cols || p.a.columns != p.b.rows {
		panic(fmt.Sprintf("products: op(A) is %d×%d, op(B) %d×%d and C %d×%d",
			p.a.rows, p.a.columns, p.b.rows, p.b.columns, c.Rows, c.Cols))
	}
	refuseShared("A", &a, &c)
	refuseShared("B", &b, &c)
	m.division.run(&p)
}

// Gram computes C ← α op(A) op(A)ᵀ + βC, where op(A) is n×k, and C is symmetric, n×n. Gram reads only the
// lower triangle of C, computes the entries of the lower triangle as Multiply does, and writes both
// triangles. Gram panics in the same cases as Multiply.
func (m *Multiplier) Gram(
	transpose blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.General,
) {
	m.gram(transpose, alpha, a, beta, c, false)
}

// few is the largest number of rows of a Gram matrix whose upper triangle is computed and not copied from the
// lower triangle. The upper triangle is computed only for α = 1 and β = 0, for which both triangles get the
// same bits.
const few = 16

func (m *Multiplier) gram(
	transpose blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.General, lower bool,
) {
	p := product{alpha: alpha, beta: beta, lower: lower}
	p.a.of("A", transpose, &a)
	p.b.ofTransposed(&p.a)
	p.c.of("C", blas.NoTrans, &c)
	if p.a.rows != c.Rows || p.a.rows != c.Cols {
		panic(fmt.Sprintf("products: op(A) is %d×%d and C %d×%d", p.a.rows, p.a.columns, c.Rows, c.Cols))
	}
	refuseShared("A", &a, &c)
	p.symmetric = lower || alpha != 1 || beta != 0 || c.Rows > few
	m.division.run(&p)
}
