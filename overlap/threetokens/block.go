package threetokens

import (
	"math"
	"runtime"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
)

// A banded is a block matrix with square blocks of the given size; block row j has blocks in the block
// columns j-2 … j+2.
type banded struct {
	rows, size int
	block      [][5][]float64 // indexed by row and by column - row + 2; each block is row-major
}

func newBanded(rows, size int) *banded {
	b := &banded{rows, size, make([][5][]float64, rows)}
	for j := range b.block {
		for o := range b.block[j] {
			if c := j + o - 2; c >= 0 && c < rows {
				b.block[j][o] = make([]float64, size*size)
			}
		}
	}
	return b
}

// A factored solves linear systems with a banded block matrix. A factored holds the factors L and U of the
// matrix by blocks, and the inverses of the blocks on the diagonal of U. The factorisation exchanges no
// blocks.
type factored struct {
	banded
	products *products.Multiplier
}

// shifted returns the factors of the matrix I - step·b. Unless f is nil, the factors are stored in the memory
// of f, which must hold factors of another matrix of the same shape.
func (b *banded) shifted(step float64, f *factored) *factored {
	if f == nil {
		f = &factored{*newBanded(b.rows, b.size), products.New(runtime.GOMAXPROCS(0))}
	}
	n := b.size
	for j := range b.block {
		for o, from := range b.block[j] {
			into := f.block[j][o]
			for k, v := range from {
				into[k] = -step * v
			}
		}
		for k := range n {
			f.block[j][2][k*n+k]++
		}
	}
	for j := range f.block {
		pivot := square(f.block[j][2], n)
		f.invert(pivot)
		for below := 1; below <= 2 && j+below < f.rows; below++ {
			row := &f.block[j+below]
			left := square(row[2-below], n)
			left.set(f.product(left, pivot, 1))
			for right := 1; right <= 2 && j+right < f.rows; right++ {
				f.multiplyAdd(square(row[2-below+right], n), left, square(f.block[j][2+right], n), -1)
			}
		}
	}
	return f
}

// solve replaces the right-hand side x of the linear system by the solution.
func (f *factored) solve(x []float64) {
	n := f.size
	for j := range f.block {
		for o := range 2 {
			if c := j + o - 2; c >= 0 {
				apply(x[j*n:(j+1)*n], f.block[j][o], x[c*n:(c+1)*n], -1)
			}
		}
	}
	scratch := make([]float64, n)
	for j := f.rows - 1; j >= 0; j-- {
		for o := 3; o < 5; o++ {
			if c := j + o - 2; c < f.rows {
				apply(x[j*n:(j+1)*n], f.block[j][o], x[c*n:(c+1)*n], -1)
			}
		}
		clear(scratch)
		apply(scratch, f.block[j][2], x[j*n:(j+1)*n], 1)
		copy(x[j*n:], scratch)
	}
}

// apply adds factor·a·x to y.
func apply(y, a, x []float64, factor float64) {
	n := len(x)
	for i := range y {
		row := a[i*n : (i+1)*n]
		s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
		k := 0
		for ; k+4 <= n; k += 4 {
			s0 += float64(row[k] * x[k])
			s1 += float64(row[k+1] * x[k+1])
			s2 += float64(row[k+2] * x[k+2])
			s3 += float64(row[k+3] * x[k+3])
		}
		for ; k < n; k++ {
			s0 += float64(row[k] * x[k])
		}
		y[i] += float64(factor * ((s0 + s1) + (s2 + s3)))
	}
}

// A view is a rectangular part of a row-major matrix; rows of the view begin stride entries apart.
type view struct {
	of                    []float64
	rows, columns, stride int
}

func square(of []float64, n int) view { return view{of, n, n, n} }

func (v view) row(i int) []float64 { return v.of[i*v.stride : i*v.stride+v.columns] }

// part returns the part of the view with rows top to bottom-1 and columns left to right-1.
func (v view) part(top, bottom, left, right int) view {
	return view{v.of[top*v.stride+left:], bottom - top, right - left, v.stride}
}

func (v view) general() blas64.General {
	return blas64.General{Rows: v.rows, Cols: v.columns, Stride: v.stride, Data: v.of}
}

// multiplyAdd adds the matrix product factor·a·b to the matrix c.
func (f *factored) multiplyAdd(c, a, b view, factor float64) {
	f.products.Multiply(blas.NoTrans, blas.NoTrans, factor, a.general(), b.general(), 1, c.general())
}

// product returns the matrix product factor·a·b.
func (f *factored) product(a, b view, factor float64) view {
	c := view{make([]float64, a.rows*b.columns), a.rows, b.columns, b.columns}
	f.products.Multiply(blas.NoTrans, blas.NoTrans, factor, a.general(), b.general(), 0, c.general())
	return c
}

func (v view) set(from view) {
	for i := range v.rows {
		copy(v.row(i), from.row(i))
	}
}

// invert replaces a square matrix by its inverse. The matrix is divided into four quarters, A and B above C
// and D. With S = D - C·A⁻¹·B, the lower right quarter of the inverse is S⁻¹.
func (f *factored) invert(v view) {
	const small = 12
	n := v.rows
	if n <= small {
		eliminate(v)
		return
	}
	h := n / 2
	a, b, c, d := v.part(0, h, 0, h), v.part(0, h, h, n), v.part(h, n, 0, h), v.part(h, n, h, n)
	f.invert(a)
	left := f.product(c, a, 1)   // C·A⁻¹
	right := f.product(a, b, -1) // -A⁻¹·B
	f.multiplyAdd(d, left, b, -1)
	f.invert(d)
	b.set(f.product(right, d, 1))
	c.set(f.product(d, left, -1))
	f.multiplyAdd(a, b, left, -1)
}

// eliminate replaces a square matrix by its inverse, by Gauss-Jordan elimination with row pivoting.
func eliminate(v view) {
	n := v.rows
	order := make([]int, n)
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(v.row(i)[k]) > math.Abs(v.row(p)[k]) {
				p = i
			}
		}
		order[k] = p
		row := v.row(k)
		if p != k {
			for l, x := range v.row(p) {
				row[l], v.row(p)[l] = x, row[l]
			}
		}
		pivot := 1 / row[k]
		row[k] = 1
		for l := range row {
			row[l] *= pivot
		}
		for i := range n {
			if i == k {
				continue
			}
			other := v.row(i)
			factor := other[k]
			other[k] = 0
			for l, x := range row {
				other[l] -= float64(factor * x)
			}
		}
	}
	for k := n - 1; k >= 0; k-- {
		if p := order[k]; p != k {
			for i := range n {
				row := v.row(i)
				row[k], row[p] = row[p], row[k]
			}
		}
	}
}
