package harmonics

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"
)

// Together is the largest number of points that a Block processes at once.
const Together = 256

const vectors = Together / 8 // largest number of Vectors in a row

// row holds one number for each point of a Block.
type row = []kernels.Vector

// Block computes the moments Σ_j m_j Y(x_j) of up to Together points x_j with masses m_j for all harmonics Y,
// or evaluates the sums over all points at up to Together points. The points of a Block are rows of a
// kernels.Matrix. A Block reuses its working memory, so it must not be used concurrently.
type Block struct {
	of          *Expansion
	products    *products.Multiplier
	width       int            // number of Vectors in a row for the current points
	coordinates kernels.Matrix // coordinates of the points, in wholeColumns rows
	ones        row
	square      row              // squared norm of the coordinates that take has processed so far
	solids      []kernels.Matrix // harmonics of all degrees in the first coordinate, in the first two, …
	values      kernels.Matrix   // values of the polynomials in the last coordinate
	masses      row
	mixed       kernels.Matrix // factors of the polynomials, or their products
	sums        kernels.Matrix // the sums of masses, then one row for each coordinate; 0 after these rows
}

// wholeColumns returns the number of coordinates of a point rounded up to a multiple of four. The
// transposition of matrices works on blocks of four columns.
func wholeColumns(dim int) int { return (dim + 3) / 4 * 4 }

// NewBlock returns a Block that evaluates the expansion e.
func NewBlock(e *Expansion) *Block {
	most := 0
	for l := range e.degree + 2 {
		most = max(most, e.sums(l))
	}
	rows := func(n int) kernels.Matrix { return kernels.NewMatrix(n, Together) }
	b := &Block{
		of: e, products: products.New(1), coordinates: rows(wholeColumns(e.dim)), ones: make(row, vectors),
		square: make(row, vectors), values: rows(e.degree + 2), masses: make(row, vectors),
		mixed: rows(most), sums: rows(1 + wholeColumns(e.dim)),
	}
	for k := range e.solids {
		b.solids = append(b.solids, rows(e.solids[k].rows()))
	}
	for v := range b.ones {
		b.ones[v] = kernels.Vector{1, 1, 1, 1, 1, 1, 1, 1}
	}
	return b
}

// AddMoments adds the moments of the points that are the rows of x, with the given masses, to moments. A call
// of AddMoments takes at most Together points.
func (b *Block) AddMoments(moments []float64, x blas64.General, masses []kernels.Vector) {
	b.take(x)
	copy(b.masses, masses[:b.width])
	others, points := b.of.others(), 8*b.width
	b.each(b.of.degree+1, func(l, columns int) {
		count := others.count(l)
		for s := range count {
			b.multiply(b.row(&b.mixed, s), b.masses, b.other(l, s))
		}
		b.products.Multiply(blas.NoTrans, blas.Trans, 1, b.mixed.General(count, points),
			b.values.General(columns, points), 1, matrix(moments[b.of.moments[l]:], count, columns))
	})
}

// Sums evaluates sums over points x_j with masses m_j at up to Together points, which are the rows of x,
// given the weights of the harmonics (see Expansion.Weigh). For each row x, Sums writes Σ_j m_j
// e^{β(⟨x,x_j⟩-1)} x_j to a row of dst, which is also a part of a kernels.Matrix. Sums returns the number Σ_j
// m_j e^{β(⟨x,x_j⟩-1)} for each row; these totals are valid until the next call of Sums.
func (b *Block) Sums(dst blas64.General, weights []float64, x blas64.General) (totals []float64) {
	b.take(x)
	for e := range b.of.dim + 1 {
		clear(b.row(&b.sums, e))
	}
	others, points := b.of.others(), 8*b.width
	b.each(b.of.degree, func(l, columns int) {
		count, sums := others.count(l), b.of.sums(l)
		b.products.Multiply(blas.NoTrans, blas.NoTrans, 1, matrix(weights[b.of.first[l]:], sums, columns),
			b.values.General(columns, points), 0, b.mixed.General(sums, points))
		for k := range sums {
			sum := b.row(&b.sums, k/count)
			kernels.Combine(sum, 1, b.mixed.Row(k), b.other(l, k%count), -1, sum, b.ones)
		}
	})
	dst.Cols = wholeColumns(b.of.dim)
	products.Transpose(dst, b.sums.Part(1, 1+dst.Cols, x.Rows))
	return b.sums.Numbers(0)[:x.Rows]
}

// matrix returns the first rows·columns numbers as a row-major matrix.
func matrix(numbers []float64, rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: numbers[:rows*columns]}
}

// take sets the points of the Block, and evaluates the harmonics in all coordinates of the points but the
// last.
func (b *Block) take(x blas64.General) {
	b.width = kernels.Width(x.Rows)
	for c := range b.of.dim {
		b.coordinates.Row(c)[b.width-1] = kernels.Vector{}
	}
	x.Cols = wholeColumns(b.of.dim)
	products.Transpose(b.coordinates.General(x.Cols, x.Rows), x)
	line, first, square := &b.solids[0], b.row(&b.coordinates, 0), b.square[:b.width]
	copy(line.Row(0), b.ones)
	copy(line.Row(1), first)
	b.multiply(square, first, first)
	for k := 1; k < len(b.solids); k++ {
		z := b.row(&b.coordinates, k)
		kernels.Combine(square, 1, z, z, -1, square, b.ones)
		b.of.solids[k].evaluate(&b.solids[k], &b.of.solids[k-1], &b.solids[k-1], z, square)
	}
}

// row returns row i of the matrix m, without the Vectors after those of the current points.
func (b *Block) row(m *kernels.Matrix, i int) row { return m.Row(i)[:b.width] }

// each calls do for every degree l ≤ degree of the harmonics in all coordinates but the last. Before each
// call it evaluates the polynomials in the last coordinate by which harmonics of degree l are multiplied,
// such that the total degree is at most degree. The argument columns of do is the number of these
// polynomials.
func (b *Block) each(degree int, do func(l, columns int)) {
	z := b.row(&b.coordinates, b.of.dim-1)
	at := func(k int) row { return b.row(&b.values, k) }
	for l, p := range b.of.polynomials[:degree+1] {
		if b.of.sums(l) == 0 {
			continue
		}
		scale(at(0), p.first, b.ones)
		p.recur(degree-l, z, b.ones, at)
		do(l, degree-l+1)
	}
}

// other returns harmonic number s of degree l in all coordinates but the last, at the current points.
func (b *Block) other(l, s int) row {
	return b.solids[len(b.solids)-1].Row(b.of.others().first[l] + s)
}

// multiply writes the entrywise product x∘y of two rows to the row to.
func (b *Block) multiply(to, x, y row) { kernels.Combine(to, 1, x, y, 0, b.ones, b.ones) }
