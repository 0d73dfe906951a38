package products

// product is C ← αAB + βC, or if symmetric the same with B = Aᵀ for the lower triangle, which is
// then copied to the upper one.
type product struct {
	a, b, c     view // of C a row's entries stand side by side
	alpha, beta float64
	symmetric   bool
	lower       bool // symmetric, without the copy
}

// whole is all of C as one part.
func (p *product) whole() part { return part{bottom: p.c.rows, right: p.c.columns} }

// part is the rows and columns of C, from and to, that one goroutine computes.
type part struct {
	top, bottom, left, right int
}

// packer is a goroutine's memory: rows of A and a block of B, in the order in which they are read.
type packer struct {
	a, b        []float64
	top, bottom int // the rows of A
}

// compute computes a part of a product. For a block of B at a time it passes over all rows of the part, so
// that the block stays in the cache.
func (w *packer) compute(set *instructions, p *product, in part) {
	depth := p.a.columns
	if depth == 0 {
		p.scale(in)
	}
	for left := in.left; left < in.right; left += set.columns {
		columns := min(set.columns, in.right-left)
		for first := 0; first < depth; first += set.depth {
			beta := p.beta
			if first > 0 {
				beta = 1
			}
			w.block(set, p, beta, first, min(set.depth, depth-first), in, left, columns)
		}
	}
	if p.symmetric && !p.lower {
		set.mirror(&p.c, in)
	}
}

// scale is compute where the inner dimension is 0.
func (p *product) scale(in part) {
	for i := in.top; i < in.bottom; i++ {
		row := p.c.data[i*p.c.down:]
		for j := in.left; j < in.right; j++ {
			row[j] = start(p.beta, row[j])
		}
	}
}

// block adds what a block of B contributes to a part of C.
func (w *packer) block(
	set *instructions, p *product, beta float64, first, steps int, in part, left, columns int,
) {
	top := in.top
	if p.symmetric {
		top = max(top, left)
	}
	w.bottom = top
	b, bStep, bPanel := w.rightBlock(set, p, first, steps, left, columns, in.bottom-top)
	for _, rows := range set.heights {
		for ; in.bottom-top >= rows; top += rows {
			a, aRow, aStep := w.leftStrip(set, p, in, top, rows, first, steps)
			across := columns
			if p.symmetric {
				across = min(columns, top+rows-left)
			}
			set.strip(p.c.data[top*p.c.down+left:], p.c.down, a, aRow, aStep,
				b, bStep, bPanel, steps, rows, across, beta)
		}
	}
}
