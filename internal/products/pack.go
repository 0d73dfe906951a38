package products

// leftStrip returns rows of the matrix αA from top on, restricted to the columns first ≤ l < first+steps, and
// the distances aRow between entries of a column and aStep between entries of a row. The rows are copied if α
// is not 1, or if the entries of a row are too far apart to stay in the cache. More rows of the part may be
// copied than the strip needs, so that complete vectors are transposed.
func (w *packer) leftStrip(set *instructions, p *product, in part, top, rows, first, steps int) (
	a []float64, aRow, aStep int,
) {
	const near = 1 << 15
	if p.alpha == 1 && (p.a.right == 1 || steps*p.a.right <= near) {
		return p.a.data[top*p.a.down+first*p.a.right:], p.a.down, p.a.right
	}
	row := set.depth + 8 // not a power of 2, so that rows do not compete for the same cache lines
	if top+rows > w.bottom {
		w.bottom = min(top+set.together, in.bottom)
		w.copyRows(set, p, row, top, first, steps)
	}
	return w.a[(top-w.top)*row:], row, 1
}

// copyRows copies the rows from top to w.bottom (excluded) of the matrix αA, steps numbers of each row, to
// rows of length row in w.a.
func (w *packer) copyRows(set *instructions, p *product, row, top, first, steps int) {
	from, rows := p.a.data[top*p.a.down+first*p.a.right:], w.bottom-top
	w.top, w.a = top, grown(w.a, set.together*row)
	if p.a.right != 1 {
		set.transposed(w.a, row, from, p.a.right, steps, rows)
	}
	for i := range rows {
		to := w.a[i*row:][:steps]
		switch {
		case p.a.right == 1:
			set.scale(to, from[i*p.a.down:][:steps], p.alpha)
		case p.alpha != 1:
			set.scale(to, to, p.alpha)
		}
	}
}

// rightBlock returns a block of the matrix B in panels. The block is copied, except for few rows of C or a
// small B, for which the copy would take longer than it saves.
func (w *packer) rightBlock(set *instructions, p *product, first, steps, left, columns, rows int) (
	b []float64, bStep, bPanel int,
) {
	from := p.b.data[first*p.b.down+left*p.b.right:]
	if p.b.right == 1 && (rows < set.direct || steps*p.b.down <= 512*set.direct) {
		return from, p.b.down, set.width
	}
	panel := (steps + 1) * set.width // not a power of 2, for the reason given in leftStrip
	w.b = grown(w.b, (columns+set.width-1)*(steps+1))
	if p.b.right == 1 {
		for l := range steps {
			set.copyPanels(w.b[l*set.width:], panel, from[l*p.b.down:][:columns])
		}
		return w.b, set.width, panel
	}
	to := 0
	for j := 0; j < columns; j += set.width {
		width := min(set.width, columns-j)
		set.transposed(w.b[to:], set.width, from[j*p.b.right:], p.b.right, width, steps)
		to += panel
	}
	return w.b, set.width, panel
}

// copyPanels copies a row of a block of B to panels; panel is the distance between two panels.
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
