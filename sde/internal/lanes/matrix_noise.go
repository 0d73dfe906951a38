package lanes

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"
	"antipode/sde/internal/team"
)

// matrixNoise multiplies the attention of all tokens by the random matrix V of a layer. Where there
// are fewer tokens than dimensions and the law of V is invariant under rotations, it draws V on the
// span of the tokens' attention alone: V A_i has the law of C_i Z for any C with C Cᵀ = A Aᵀ, Z being
// as many normal rows of dimension d as C has columns.
type matrixNoise struct {
	of       Recursion
	numbers  *kernels.Lanes
	products *products.Multiplier
	team     team.Team
	draws    []kernels.Vector // V or Z
	drawn    []kernels.Vector // those of the layer at hand
	parts    []*kernels.Lanes // of the draws, for a goroutine each
	part     func(k int)
	change   kernels.Matrix
	span     *span // nil if V is always drawn in full
}

func newMatrixNoise(r Recursion, workers int) *matrixNoise {
	v := &matrixNoise{
		of: r, numbers: kernels.NewLanes(r.Stream, 1),
		products: products.New(workers), team: team.Team(workers),
		draws: make([]kernels.Vector, kernels.Width(r.Dim*r.Dim)), change: kernels.NewMatrix(r.Count, r.Dim),
	}
	for from := 0; from < len(v.draws); from += drawnTogether {
		v.parts = append(v.parts, v.numbers.After(from))
	}
	v.part = v.drawPart
	if most := largestSpan(r); most > 0 {
		v.span = newSpan(most, r.Dim, v.products, v.team)
	}
	return v
}

// largestSpan is the largest number of tokens for which V is drawn on their span; 0 if it never is.
func largestSpan(r Recursion) int {
	if !r.OnSpan {
		return 0
	}
	return min(r.Count, 2*r.Dim/3)
}

// multiply returns V times each of the first n rows.
func (v *matrixNoise) multiply(field *kernels.Matrix, n int, at *Lane) *kernels.Matrix {
	d := v.of.Dim
	v.numbers.SetAll(kernels.Increments, at.Trajectory, at.Layer)
	change := v.change.General(n, d)
	if v.span != nil && n <= v.span.most && v.span.factorise(field, n) {
		v.span.multiply(v.draw(n), change, n)
		return &v.change
	}
	v.products.Multiply(blas.NoTrans, blas.Trans, 1, field.General(n, d), v.draw(d), 0, change)
	return &v.change
}

// draw returns some random rows of dimension d.
func (v *matrixNoise) draw(rows int) blas64.General {
	d := v.of.Dim
	v.drawn = v.draws[:kernels.Width(rows*d)]
	v.team.Each((len(v.drawn)+drawnTogether-1)/drawnTogether, v.part)
	return blas64.General{Rows: rows, Cols: d, Stride: d, Data: kernels.Numbers(v.drawn)}
}

// drawnTogether is the number of Vectors that a goroutine draws at a time.
const drawnTogether = 2048

func (v *matrixNoise) drawPart(k int) {
	from := k * drawnTogether
	v.of.Draw(v.drawn[from:min(from+drawnTogether, len(v.drawn))], v.parts[k])
}

// span finds coefficients C of the rows of a matrix A in an orthonormal basis of their span, C Cᵀ =
// A Aᵀ, by Cholesky's method.
type span struct {
	most        int // rows
	dim         int
	products    *products.Multiplier
	team        team.Team
	gram        kernels.Matrix // then the lower triangle of C
	inverse     []float64      // of the pivots of the block of columns at hand
	diagonal    []float64
	first, last int
	panel       func(k int)
	n           int
}

const (
	spanBlock = 32
	panelRows = 4
	// leastPivot is the least part of a row's square that counts as a direction of its own: below it
	// rounding errors of the squares could be seen in the difference of two rows.
	leastPivot = 0x1p-24
)

func newSpan(most, dim int, p *products.Multiplier, t team.Team) *span {
	s := &span{
		most: most, dim: dim, products: p, team: t, gram: kernels.NewSquare(most),
		inverse: make([]float64, most), diagonal: make([]float64, most),
	}
	s.panel = s.solveRows
	return s
}

// factorise finds the coefficients of the first n rows, and reports whether they are sound: the rows
// are far enough from being linearly dependent.
func (s *span) factorise(a *kernels.Matrix, n int) bool {
	s.n = n
	gram := s.gram.General(n, n)
	s.products.Lower(blas.NoTrans, 1, a.General(n, s.dim), 0, gram)
	for i := range n {
		s.diagonal[i] = s.gram.Row(i)[i/8][i%8]
	}
	for s.first = 0; s.first < n; s.first = s.last {
		s.last = min(s.first+spanBlock, n)
		if !s.factoriseBlock() {
			return false
		}
		rest := n - s.last
		if rest == 0 {
			break
		}
		s.team.Each((rest+panelRows-1)/panelRows, s.panel)
		below := part(gram, s.last, s.first, rest, s.last-s.first)
		s.products.Lower(blas.NoTrans, -1, below, 1, part(gram, s.last, s.last, rest, rest))
	}
	return true
}

// part is a part of a matrix.
func part(m blas64.General, row, column, rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: m.Stride, Data: m.Data[row*m.Stride+column:]}
}

// factoriseBlock factorises the block on the diagonal, and clears what is above the diagonal.
func (s *span) factoriseBlock() bool {
	for i := s.first; i < s.last; i++ {
		c := s.gram.Numbers(i)
		for j := s.first; j < i; j++ {
			c[j] = float64(subtract(c[j], c[s.first:j], s.gram.Numbers(j)[s.first:j]) * s.inverse[j])
		}
		pivot := subtract(c[i], c[s.first:i], c[s.first:i])
		if !(pivot > float64(leastPivot*s.diagonal[i]) && pivot >= 0x1p-900) {
			return false
		}
		root := math.Sqrt(pivot)
		c[i], s.inverse[i] = root, 1/root
		clear(c[i+1 : s.last])
	}
	return true
}

// subtract is value less the inner product of two vectors.
func subtract(value float64, x, y []float64) float64 {
	y = y[:len(x)]
	for k, v := range x {
		value = math.FMA(-v, y[k], value)
	}
	return value
}

// solveRows finds the coefficients of some rows in the directions of a block; together, as each
// waits for its own last one.
func (s *span) solveRows(k int) {
	row := s.last + panelRows*k
	if row+panelRows > s.n {
		for i := row; i < s.n; i++ {
			c := s.gram.Numbers(i)[s.first:s.last]
			for j := range c {
				c[j] = float64(subtract(c[j], c[:j], s.gram.Numbers(s.first + j)[s.first:s.first+j]) * s.inverse[s.first+j])
			}
		}
		return
	}
	width := s.last - s.first
	c0, c1 := s.gram.Numbers(row)[s.first:s.last], s.gram.Numbers(row + 1)[s.first:s.last]
	c2, c3 := s.gram.Numbers(row + 2)[s.first:s.last], s.gram.Numbers(row + 3)[s.first:s.last]
	for j := range width {
		v0, v1, v2, v3 := c0[j], c1[j], c2[j], c3[j]
		direction := s.gram.Numbers(s.first + j)[s.first : s.first+j]
		a0, a1, a2, a3 := c0[:len(direction)], c1[:len(direction)], c2[:len(direction)], c3[:len(direction)]
		for l, d := range direction {
			v0 = math.FMA(-a0[l], d, v0)
			v1 = math.FMA(-a1[l], d, v1)
			v2 = math.FMA(-a2[l], d, v2)
			v3 = math.FMA(-a3[l], d, v3)
		}
		inverse := s.inverse[s.first+j]
		c0[j], c1[j] = float64(v0*inverse), float64(v1*inverse)
		c2[j], c3[j] = float64(v2*inverse), float64(v3*inverse)
	}
}

// multiply writes the coefficients of the first n rows times the normal rows z to change.
func (s *span) multiply(z, change blas64.General, n int) {
	const together = 4 * spanBlock // rows; the triangle behind them is 0
	c := s.gram.General(n, n)
	for i := 0; i < n; i += together {
		rows := min(together, n-i)
		for k := i; k < i+rows; k++ {
			clear(s.gram.Numbers(k)[k+1 : i+rows])
		}
		s.products.Multiply(blas.NoTrans, blas.NoTrans, 1, part(c, i, 0, rows, i+rows),
			part(z, 0, 0, i+rows, z.Cols), 0, part(change, i, 0, rows, change.Cols))
	}
}
