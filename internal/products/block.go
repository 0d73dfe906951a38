package products

// product is the computation C ← αAB + βC for matrices A, B and C. If symmetric is set, B is Aᵀ, and only the
// lower triangle of C is computed, and copied to the upper triangle.
type product struct {
	a, b, c     view // c.right is 1
	alpha, beta float64
	symmetric   bool
	lower       bool // the lower triangle is not copied to the upper; requires symmetric
}

// whole returns all rows and columns of C as one part.
func (p *product) whole() part { return part{bottom: p.c.rows, right: p.c.columns} }

// part is a range of rows and columns of the matrix C that one goroutine computes; bottom and right are
// excluded.
type part struct {
	top, bottom, left, right int
}

// packer is the working memory of a goroutine that computes a part of a product: rows of A and a block of B,
// copied into the order in which the kernels read them.
type packer struct {
	a, b        []float64
	top, bottom int // the range of the rows of A in the slice a
}

// compute computes a part of a product: for one block of B after the other, it multiplies all rows of the
// part by the block while the block stays in the cache.
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

// scale computes a part of a product whose inner dimension is 0: the part of C times β.
func (p *product) scale(in part) {
	for i := in.top; i < in.bottom; i++ {
		row := p.c.data[i*p.c.down:]
		for j := in.left; j < in.right; j++ {
			row[j] = start(p.beta, row[j])
		}
	}
}

// block adds the contribution of one block of B to a part of C. The block consists of the rows first ≤ l <
// first+steps of B, and of the given number of columns of B from left on. The argument beta is the β of the
// product for the first block of these columns, and 1 for further blocks.
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
