package harmonics

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"
)

// Together is the number of points of a block.
const Together = 256

const vectors = Together / 8 // of a row

// row is a number of each point of a block.
type row = []kernels.Vector

// Block finds moments of some points and sums at some points. It keeps its memory, so it must not be used
// concurrently.
type Block struct {
	of          *Expansion
	products    *products.Multiplier
	coordinates kernels.Matrix // d rows
	ones        row
	square      row              // of the norm of the first coordinates
	solids      []kernels.Matrix // harmonics in one coordinate, two, … of all degrees
	values      kernels.Matrix   // of the polynomials in the last coordinate
	weighted    kernels.Matrix   // masses, then coordinates times masses: d+1 rows
	mixed       kernels.Matrix   // what is multiplied by the polynomials, or was
	sums        kernels.Matrix   // d+1 rows
}

// NewBlock returns a block for an expansion.
func NewBlock(e *Expansion) *Block {
	most := 0
	for l := range e.degree + 1 {
		most = max(most, e.sums(l))
	}
	rows := func(n int) kernels.Matrix { return kernels.NewMatrix(n, Together) }
	b := &Block{
		of: e, products: products.New(1), coordinates: rows(e.dim), ones: make(row, vectors),
		square: make(row, vectors), values: rows(e.degree + 1), weighted: rows(e.dim + 1),
		mixed: rows(most), sums: rows(e.dim + 1),
	}
	for k := range e.solids {
		b.solids = append(b.solids, rows(e.solids[k].rows()))
	}
	for v := range b.ones {
		b.ones[v] = kernels.Vector{1, 1, 1, 1, 1, 1, 1, 1}
	}
	return b
}

// AddMoments adds the moments of up to Together points, the rows of x, with their masses.
func (b *Block) AddMoments(moments []float64, x blas64.General, masses []kernels.Vector) {
	b.take(x)
	clear(b.weighted.Row(0))
	copy(b.weighted.Row(0), masses)
	for c := range b.of.dim {
		b.multiply(b.weighted.Row(c+1), b.weighted.Row(0), b.coordinates.Row(c))
	}
	b.each(func(l int) {
		b.eachMixed(l, &b.weighted, func(mixed, weighted, other row) { b.multiply(mixed, weighted, other) })
		columns := b.of.degree - l + 1
		b.products.Multiply(blas.NoTrans, blas.Trans, 1, b.mixed.General(b.of.sums(l), Together),
			b.values.General(columns, Together), 1, b.of.matrix(moments, l))
	})
}

// Sums finds the sums at up to Together points, the rows of x, from moments times eigenvalues: a row of the
// sums Σ_j m_j e^{β(⟨x,x_j⟩-1)}, then one of those of each coordinate of x_j with these weights.
// They are valid until the next call.
func (b *Block) Sums(moments []float64, x blas64.General) blas64.General {
	b.take(x)
	for e := range b.of.dim + 1 {
		clear(b.sums.Row(e))
	}
	b.each(func(l int) {
		b.products.Multiply(blas.NoTrans, blas.NoTrans, 1, b.of.matrix(moments, l),
			b.values.General(b.of.degree-l+1, Together), 0, b.mixed.General(b.of.sums(l), Together))
		b.eachMixed(l, &b.sums, func(mixed, sum, other row) {
			kernels.Combine(sum, 1, mixed, other, -1, sum, b.ones)
		})
	})
	return b.sums.General(b.of.dim+1, x.Rows)
}

// matrix is the moments with the harmonics of degree l in the first coordinates: a column a polynomial.
func (e *Expansion) matrix(moments []float64, l int) blas64.General {
	columns := e.degree - l + 1
	return blas64.General{Rows: e.sums(l), Cols: columns, Stride: columns,
		Data: moments[e.first[l]:e.first[l+1]]}
}

// take takes points, and finds the harmonics in their first coordinates.
func (b *Block) take(x blas64.General) {
	for c := range b.of.dim {
		clear(b.coordinates.Row(c))
	}
	products.Transpose(b.coordinates.General(b.of.dim, x.Rows), x)
	line := &b.solids[0]
	copy(line.Row(0), b.ones)
	if b.of.degree > 0 {
		copy(line.Row(1), b.coordinates.Row(0))
	}
	b.multiply(b.square, b.coordinates.Row(0), b.coordinates.Row(0))
	for k := 1; k < len(b.solids); k++ {
		z := b.coordinates.Row(k)
		kernels.Combine(b.square, 1, z, z, -1, b.square, b.ones)
		b.of.solids[k].evaluate(&b.solids[k], &b.of.solids[k-1], &b.solids[k-1], z, b.square)
	}
}

// each finds the polynomials in the last coordinate for one degree l of harmonics in the first after the other.
func (b *Block) each(do func(l int)) {
	z := b.coordinates.Row(b.of.dim - 1)
	for l, p := range b.of.polynomials {
		if b.of.sums(l) == 0 {
			continue
		}
		scale(b.values.Row(0), p.first, b.ones)
		p.recur(z, b.ones, b.values.Row)
		do(l)
	}
}

// eachMixed calls f with the rows of mixed, of a matrix of d+1 rows and of harmonics of degree l that belong
// together.
func (b *Block) eachMixed(l int, of *kernels.Matrix, f func(mixed, one, other row)) {
	others, count := b.of.others(), b.of.others().count(l)
	for e := range b.of.dim + 1 {
		for s := range count {
			f(b.mixed.Row(e*count+s), of.Row(e), b.solids[len(b.solids)-1].Row(others.first[l]+s))
		}
	}
}

// multiply is to ← x∘y.
func (b *Block) multiply(to, x, y row) { kernels.Combine(to, 1, x, y, 0, b.ones, b.ones) }
