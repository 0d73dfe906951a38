package products

import (
	"gonum.org/v1/gonum/blas/blas64"
)

// product is C ← αAB + βC, or if symmetric the same with B = Aᵀ for the lower triangle, which is
// then copied to the upper one.
type product struct {
	a, b        view
	c           blas64.General
	alpha, beta float64
	symmetric   bool
}

// part is the rows and columns of C, from and to, that one goroutine computes.
type part struct {
	top, bottom, left, right int
}

// packer is a goroutine's memory: a strip of A and a block of B, in the order in which they are read.
type packer struct {
	a, b []float64
}

// compute computes a part of a product. For a block of B at a time it passes over all rows of the part, so
// that the block stays in the cache.
func (w *packer) compute(set *instructions, p *product, in part) {
	depth := p.a.columns
	if depth == 0 {
		scale(p, in)
	}
	for left := in.left; left < in.right; left += set.columns {
		columns := min(set.columns, in.right-left)
		for first := 0; first < depth; first += set.depth {
			beta := p.beta
			if first > 0 {
				beta = 1
			}
			steps := min(set.depth, depth-first)
			w.block(set, p, beta, first, steps, in, left, columns)
		}
	}
	if p.symmetric {
		mirror(p.c, in)
	}
}

// scale is compute where the inner dimension is 0.
func scale(p *product, in part) {
	for i := in.top; i < in.bottom; i++ {
		row := p.c.Data[i*p.c.Stride:]
		for j := in.left; j < in.right; j++ {
			row[j] = start(p.beta, row[j])
		}
	}
}

// block adds what a block of B contributes to a part of C.
func (w *packer) block(set *instructions, p *product, beta float64, first, steps int, in part, left, columns int) {
	top := in.top
	if p.symmetric {
		top = max(top, left)
	}
	b, bStep, bPanel := w.rightBlock(set, p, first, steps, left, columns)
	for _, rows := range set.heights {
		for ; in.bottom-top >= rows; top += rows {
			a, aRow, aStep := w.leftStrip(set, p, top, rows, first, steps)
			across := columns
			if p.symmetric {
				across = min(columns, top+rows-left)
			}
			set.strip(p.c.Data[top*p.c.Stride+left:], p.c.Stride, a, aRow, aStep,
				b, bStep, bPanel, steps, rows, across, beta)
		}
	}
}

// leftStrip is a copy of some rows of αA, the columns of a block from first on.
func (w *packer) leftStrip(set *instructions, p *product, top, rows, first, steps int) (
	a []float64, aRow, aStep int,
) {
	from := p.a.data[top*p.a.down+first*p.a.right:]
	row := set.depth + 8 // not a power of 2, so that rows do not compete for places in the cache
	w.a = grown(w.a, set.heights[0]*row)
	if p.a.right == 1 {
		for i := range rows {
			scaled(w.a[i*row:][:steps], from[i*p.a.down:], p.alpha)
		}
		return w.a, row, 1
	}
	for l := range steps {
		scaled(w.a[l*rows:][:rows], from[l*p.a.right:], p.alpha)
	}
	return w.a, 1, rows
}

func scaled(dst, src []float64, alpha float64) {
	if alpha == 1 {
		copy(dst, src)
		return
	}
	src = src[:len(dst)]
	for k, x := range src {
		dst[k] = alpha * x
	}
}

// rightBlock is a block of B in panels.
func (w *packer) rightBlock(set *instructions, p *product, first, steps, left, columns int) (
	b []float64, bStep, bPanel int,
) {
	from := p.b.data[first*p.b.down+left*p.b.right:]
	w.b = grown(w.b, set.depth*set.columns)
	panel := steps * set.width
	for j := 0; j < columns; j += set.width {
		to := w.b[j/set.width*panel:][:panel]
		width := min(set.width, columns-j)
		if p.b.right == 1 {
			for l := range steps {
				copy(to[l*set.width:][:width], from[l*p.b.down+j:])
			}
		} else {
			transpose(to, set.width, from[j*p.b.right:], p.b.right, width, steps)
		}
	}
	return w.b, set.width, panel
}

func grown(s []float64, n int) []float64 {
	if len(s) < n {
		return make([]float64, n)
	}
	return s
}

// transpose copies a matrix to its transpose.
func transpose(to []float64, toRow int, from []float64, fromRow, rows, columns int) {
	for i := range rows {
		row := from[i*fromRow:][:columns]
		for j, x := range row {
			to[j*toRow+i] = x
		}
	}
}

// mirror copies the lower triangle of some rows of C to the upper one.
func mirror(c blas64.General, in part) {
	for i := in.top; i < in.bottom; i++ {
		for j, x := range c.Data[i*c.Stride:][:i] {
			c.Data[j*c.Stride+i] = x
		}
	}
}
