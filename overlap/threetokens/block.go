package threetokens

import "math"

// A banded matrix has square blocks of the given size, arranged in rows; row j has blocks in the columns
// j-2 … j+2.
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

// A factored matrix is a block LU decomposition without pivoting between blocks, for solving systems.
// Diagonal blocks are stored as their inverses.
type factored struct{ banded }

// shifted returns the factors of I - step·b.
func (b *banded) shifted(step float64) *factored {
	f := &factored{*newBanded(b.rows, b.size)}
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
		invert(pivot)
		for below := 1; below <= 2 && j+below < f.rows; below++ {
			row := &f.block[j+below]
			left := square(row[2-below], n)
			left.set(product(left, pivot, 1))
			for right := 1; right <= 2 && j+right < f.rows; right++ {
				multiplyAdd(square(row[2-below+right], n), left, square(f.block[j][2+right], n), -1)
			}
		}
	}
	return f
}

// solve replaces the right-hand side x by the solution of the system.
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

// A view is a rectangular block of a matrix whose rows are stride apart.
type view struct {
	of                    []float64
	rows, columns, stride int
}

func square(of []float64, n int) view { return view{of, n, n, n} }

func (v view) row(i int) []float64 { return v.of[i*v.stride : i*v.stride+v.columns] }

// part returns the block of rows top to bottom and columns left to right, the last excluded.
func (v view) part(top, bottom, left, right int) view {
	return view{v.of[top*v.stride+left:], bottom - top, right - left, v.stride}
}

// multiplyAdd adds factor·a·b to c, processing four columns and two rows of a at a time.
func multiplyAdd(c, a, b view, factor float64) {
	i := 0
	for ; i+2 <= c.rows; i += 2 {
		to, second := c.row(i), c.row(i+1)
		from, below := a.row(i), a.row(i+1)
		second = second[:len(to)]
		k := 0
		for ; k+4 <= b.rows; k += 4 {
			a0, a1, a2, a3 := factor*from[k], factor*from[k+1], factor*from[k+2], factor*from[k+3]
			e0, e1, e2, e3 := factor*below[k], factor*below[k+1], factor*below[k+2], factor*below[k+3]
			b0, b1 := b.row(k)[:len(to)], b.row(k + 1)[:len(to)]
			b2, b3 := b.row(k + 2)[:len(to)], b.row(k + 3)[:len(to)]
			for l := range to {
				x0, x1, x2, x3 := b0[l], b1[l], b2[l], b3[l]
				to[l] += (float64(a0*x0) + float64(a1*x1)) + (float64(a2*x2) + float64(a3*x3))
				second[l] += (float64(e0*x0) + float64(e1*x1)) + (float64(e2*x2) + float64(e3*x3))
			}
		}
		for ; k < b.rows; k++ {
			a0, e0, b0 := factor*from[k], factor*below[k], b.row(k)[:len(to)]
			for l := range to {
				to[l] += float64(a0 * b0[l])
				second[l] += float64(e0 * b0[l])
			}
		}
	}
	if i < c.rows {
		to, from := c.row(i), a.row(i)
		for k := range b.rows {
			a0, b0 := factor*from[k], b.row(k)[:len(to)]
			for l := range to {
				to[l] += float64(a0 * b0[l])
			}
		}
	}
}

// product returns factor·a·b.
func product(a, b view, factor float64) view {
	c := view{make([]float64, a.rows*b.columns), a.rows, b.columns, b.columns}
	multiplyAdd(c, a, b, factor)
	return c
}

func (v view) set(from view) {
	for i := range v.rows {
		copy(v.row(i), from.row(i))
	}
}

// invert replaces a square matrix by its inverse, recursively on halves. With A the upper left quarter
// and S = D - C·A⁻¹·B, the lower right quarter of the inverse is S⁻¹.
func invert(v view) {
	const small = 12
	n := v.rows
	if n <= small {
		eliminate(v)
		return
	}
	h := n / 2
	a, b, c, d := v.part(0, h, 0, h), v.part(0, h, h, n), v.part(h, n, 0, h), v.part(h, n, h, n)
	invert(a)
	left := product(c, a, 1)   // C·A⁻¹
	right := product(a, b, -1) // -A⁻¹·B
	multiplyAdd(d, left, b, -1)
	invert(d)
	b.set(product(right, d, 1))
	c.set(product(d, left, -1))
	multiplyAdd(a, b, left, -1)
}

// eliminate replaces a square matrix by its inverse, by elimination with row pivoting.
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
