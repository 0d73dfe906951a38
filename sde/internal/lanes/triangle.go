package lanes

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
)

// triangle is the lower triangle of a symmetric matrix and, after factorise, the Cholesky factor of this
// matrix.
type triangle struct {
	kernels.Matrix
	products *products.Multiplier
	team     *team.Team
	inverse  []float64 // inverses of the diagonal of the factor; 0 for a column of zeros
	// The field n is the number of rows of the matrix. The current block has the columns first (included) to
	// last (excluded).
	n, first, last int
	panel          func(k int)
}

const (
	triangleBlock = 32 // number of columns that are factorised together
	panelRows     = 4  // number of rows that a goroutine solves together
)

func newTriangle(most int, p *products.Multiplier, t *team.Team) triangle {
	return triangle{
		Matrix: kernels.NewSquare(most), products: p, team: t, inverse: make([]float64, most),
	}
}

// factorise replaces the matrix of n rows by its Cholesky factor. Column j becomes 0 if its pivot is not
// above the bound least(j). The function least is called for all rows before the matrix changes. The function
// chosen is called for every row in order. The argument above of chosen tells whether the pivot is above the
// bound, and the argument nothing tells whether the bound is infinite.
func (t *triangle) factorise(n int, least func(j int) float64, chosen func(j int, above, nothing bool)) {
	if t.panel == nil {
		t.panel = t.solvePanel
	}
	t.n = n
	for j := range n {
		t.inverse[j] = least(j)
	}
	all := t.General(n, n)
	for t.first = 0; t.first < n; t.first = t.last {
		t.last = min(t.first+triangleBlock, n)
		for i := t.first; i < t.last; i++ {
			bound := t.inverse[i]
			chosen(i, t.factoriseRow(i, bound), bound > math.MaxFloat64)
		}
		rest := n - t.last
		t.team.Each((rest+panelRows-1)/panelRows, t.panel)
		if rest > 0 {
			t.products.Lower(blas.NoTrans, -1, part(all, t.last, t.first, rest, t.last-t.first), 1,
				part(all, t.last, t.last, rest, rest))
		}
	}
}

// part returns the part of the matrix m with the given numbers of rows and columns that begins at the given
// row and column.
func part(m blas64.General, row, column, rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: m.Stride, Data: m.Data[row*m.Stride+column:]}
}

// factoriseRow factorises row i, which is in the diagonal block, and reports whether its pivot is above the
// bound. The pivot is scaled like the entries below the pivot, so that equal rows stay equal.
func (t *triangle) factoriseRow(i int, bound float64) bool {
	c := t.Numbers(i)
	t.solveFrom(c, t.first, i)
	pivot := subtract(c[i], c[t.first:i], c[t.first:i])
	above := pivot > bound
	if t.inverse[i] = 0; above {
		t.inverse[i] = 1 / math.Sqrt(pivot)
	}
	c[i] = float64(pivot * t.inverse[i])
	return above
}

// solveFrom computes the entries of a row c of the Cholesky factor from column first to end (excluded).
// solveFrom computes four entries at a time: each addition to a sum has to wait for the previous addition,
// and in the meantime the other three sums advance.
func (t *triangle) solveFrom(c []float64, first, end int) {
	all, stride := t.All(), t.Stride()
	j := first
	for ; j+4 <= end; j += 4 {
		if [4]float64(t.inverse[j:]) == [4]float64{} { // columns of zeros
			clear(c[j : j+4])
			continue
		}
		solveFour(c[first:j+4], all[j*stride+first:], stride, t.inverse[j:j+4])
	}
	for ; j < end; j++ {
		c[j] = float64(subtract(c[j], c[first:j], all[j*stride+first:]) * t.inverse[j])
	}
}

// solveFour computes the last four entries of the row c of the Cholesky factor. The argument rows begins with
// the four rows of the factor whose diagonal entries are in the columns of these entries.
func solveFour(c, rows []float64, stride int, inverse []float64) {
	n := len(c) - 4
	r0, r1, r2, r3 := rows[:n], rows[stride:][:n+1], rows[2*stride:][:n+2], rows[3*stride:][:n+3]
	v0, v1, v2, v3 := c[n], c[n+1], c[n+2], c[n+3]
	for k, v := range c[:n] {
		v0 = math.FMA(-v, r0[k], v0)
		v1 = math.FMA(-v, r1[k], v1)
		v2 = math.FMA(-v, r2[k], v2)
		v3 = math.FMA(-v, r3[k], v3)
	}
	v0 = float64(v0 * inverse[0])
	v1 = float64(math.FMA(-v0, r1[n], v1) * inverse[1])
	v2 = float64(math.FMA(-v1, r2[n+1], math.FMA(-v0, r2[n], v2)) * inverse[2])
	v3 = math.FMA(-v2, r3[n+2], math.FMA(-v1, r3[n+1], math.FMA(-v0, r3[n], v3)))
	c[n], c[n+1], c[n+2], c[n+3] = v0, v1, v2, float64(v3*inverse[3])
}

// solve replaces c by the solution x of x Lᵀ = c, where L is the Cholesky factor.
func (t *triangle) solve(c []float64) { t.solveFrom(c, 0, len(c)) }

// solveTransposed replaces c by the solution x of x L = c, where L is the Cholesky factor.
func (t *triangle) solveTransposed(c []float64) {
	for j := len(c) - 1; j >= 0; j-- {
		c[j] = float64(c[j] * t.inverse[j])
		x := c[j]
		row := t.Numbers(j)[:j]
		for k, v := range row {
			c[k] = math.FMA(-x, v, c[k])
		}
	}
}

// subtract returns value minus the inner product of x and y.
func subtract(value float64, x, y []float64) float64 {
	y = y[:len(x)]
	for k, v := range x {
		value = math.FMA(-v, y[k], value)
	}
	return value
}

// solvePanel computes the entries of the Cholesky factor in the columns of the current block, for panel k of
// the rows below the block. solvePanel computes four rows together: each entry of a row has to wait for the
// previous entry, and in the meantime the other three rows advance.
func (t *triangle) solvePanel(k int) {
	row, width := t.last+panelRows*k, t.last-t.first
	if row+panelRows > t.n {
		for i := row; i < t.n; i++ {
			t.solveFrom(t.Numbers(i), t.first, t.last)
		}
		return
	}
	entries := func(i int) []float64 { return t.Numbers(row + i)[t.first:t.last] }
	c0, c1, c2, c3 := entries(0), entries(1), entries(2), entries(3)
	for j := range width {
		v0, v1, v2, v3 := c0[j], c1[j], c2[j], c3[j]
		direction := t.Numbers(t.first + j)[t.first : t.first+j]
		a0, a1, a2, a3 := c0[:len(direction)], c1[:len(direction)], c2[:len(direction)], c3[:len(direction)]
		for l, d := range direction {
			v0 = math.FMA(-a0[l], d, v0)
			v1 = math.FMA(-a1[l], d, v1)
			v2 = math.FMA(-a2[l], d, v2)
			v3 = math.FMA(-a3[l], d, v3)
		}
		inverse := t.inverse[t.first+j]
		c0[j], c1[j] = float64(v0*inverse), float64(v1*inverse)
		c2[j], c3[j] = float64(v2*inverse), float64(v3*inverse)
	}
}

// copyRow sets a row of the triangle to the given columns of the row from.
func (t *triangle) copyRow(row int, from []float64, columns []int32) {
	to := t.Numbers(row)
	for k, j := range columns {
		to[k] = from[j]
	}
	t.inverse[row] = 1 / to[row]
}

// multiply writes the product of the Cholesky factor and the matrix z to product.
func (t *triangle) multiply(product, z blas64.General) {
	const together = 4 * triangleBlock // number of rows at a time; entries right of the diagonal are set to 0
	c := t.General(t.n, t.n)
	for i := 0; i < t.n; i += together {
		rows := min(together, t.n-i)
		for k := i; k < i+rows; k++ {
			clear(t.Numbers(k)[k+1 : i+rows])
		}
		t.products.Multiply(blas.NoTrans, blas.NoTrans, 1, part(c, i, 0, rows, i+rows),
			part(z, 0, 0, i+rows, z.Cols), 0, part(product, i, 0, rows, product.Cols))
	}
}
