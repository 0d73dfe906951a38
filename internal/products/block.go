package products

// product is C ← αAB + βC. If symmetric is set, B is Aᵀ. Then only the lower triangle of C is computed, and
// copied to the upper triangle.
type product struct {
	a, b, c     view // c.right is 1
	alpha, beta float64
	symmetric   bool
	lower       bool // the lower triangle is not copied to the upper one; requires symmetric
}

// whole returns all of C as one part.
func (p *product) whole() part { return part{bottom: p.c.rows, right: p.c.columns} }

// part is a range of rows and columns of C that one goroutine computes; bottom and right are excluded.
type part struct {
	top, bottom, left, right int
}

// packer is the working memory of a goroutine: rows of A and a block of B, copied into the order in which
// they are read.
type packer struct {
	a, b        []float64
	top, bottom int // the range of the rows of A
}

// compute computes a part of a product. It takes one block of B after the other, and combines it with all
// rows of the part while it stays in the cache.
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

// scale computes a part if the inner dimension is 0.
func (p *product) scale(in part) {
	for i := in.top; i < in.bottom; i++ {
		row := p.c.data[i*p.c.down:]
		for j := in.left; j < in.right; j++ {
			row[j] = start(p.beta, row[j])
		}
	}
}

// block adds the contribution of one block of B to a part of C. The block has the rows first ≤ l <
// first+steps of B, and the given number of columns from left on. For the first block of these columns beta
// is that of the product, and for the others it is 1.
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
