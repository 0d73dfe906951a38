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
	lower       bool // symmetric, without the copy
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
	if p.symmetric && !p.lower {
		set.mirror(p.c, in)
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
	b, bStep, bPanel := w.rightBlock(set, p, first, steps, left, columns, in.bottom-top)
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
	if p.alpha == 1 {
		return from, p.a.down, p.a.right
	}
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
func (w *packer) rightBlock(set *instructions, p *product, first, steps, left, columns, rows int) (
	b []float64, bStep, bPanel int,
) {
	from := p.b.data[first*p.b.down+left*p.b.right:]
	if p.b.right == 1 && (rows < set.direct || steps*p.b.down <= 512*set.direct) {
		return from, p.b.down, set.width
	}
	panel := (steps + 1) * set.width // not a power of 2 either
	w.b = grown(w.b, (columns+set.width-1)/set.width*panel)
	if p.b.right == 1 {
		for l := range steps {
			set.copyPanels(w.b[l*set.width:], panel, from[l*p.b.down:][:columns])
		}
		return w.b, set.width, panel
	}
	for j := 0; j < columns; j += set.width {
		width := min(set.width, columns-j)
		set.transposed(w.b[j/set.width*panel:], set.width, from[j*p.b.right:], p.b.right, width, steps)
	}
	return w.b, set.width, panel
}

// copyPanels copies a row to panels that are some distance apart.
func (set *instructions) copyPanels(to []float64, panel int, row []float64) {
	whole := len(row) / set.width
	if whole > 0 {
		set.spread(to, panel, row, whole)
	}
	if rest := row[whole*set.width:]; len(rest) > 0 {
		copy(to[whole*panel:], rest)
	}
}

func spreadGeneric(to []float64, panel int, from []float64, panels int) {
	for k := range panels {
		copy(to[k*panel:], from[k*genericWidth:(k+1)*genericWidth])
	}
}

func grown(s []float64, n int) []float64 {
	if len(s) < n {
		return make([]float64, n)
	}
	return s
}

// transposed copies a matrix to its transpose.
func (set *instructions) transposed(to []float64, toRow int, from []float64, fromRow, rows, columns int) {
	const four = 4
	evenRows, evenColumns := rows&^(four-1), columns&^(four-1)
	if evenRows > 0 && evenColumns > 0 {
		set.transpose(to, toRow, from, fromRow, evenRows, evenColumns)
	}
	if evenRows < rows {
		transposeGeneric(to[evenRows:], toRow, from[evenRows*fromRow:], fromRow, rows-evenRows, columns)
	}
	if evenColumns < columns {
		transposeGeneric(to[evenColumns*toRow:], toRow, from[evenColumns:], fromRow, evenRows, columns-evenColumns)
	}
}

func transposeGeneric(to []float64, toRow int, from []float64, fromRow, rows, columns int) {
	for i := range rows {
		for j, x := range from[i*fromRow:][:columns] {
			to[j*toRow+i] = x
		}
	}
}

// mirror copies the lower triangle of some rows of C to the upper one, some columns at a time, whose
// pages the processor keeps at hand.
func (set *instructions) mirror(c blas64.General, in part) {
	const rows, columns = 8, 64
	for left := 0; left < in.bottom; left += columns {
		for top := max(in.top, left); top < in.bottom; top += rows {
			bottom := min(top+rows, in.bottom)
			if right := min(left+columns, top); left < right {
				set.transposed(c.Data[left*c.Stride+top:], c.Stride,
					c.Data[top*c.Stride+left:], c.Stride, bottom-top, right-left)
			}
			for i := top; i < bottom; i++ {
				for j := top; j < min(i, left+columns); j++ {
					c.Data[j*c.Stride+i] = c.Data[i*c.Stride+j]
				}
			}
		}
	}
}
