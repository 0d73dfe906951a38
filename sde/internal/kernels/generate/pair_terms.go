package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairTermsKernel emits the kernel for the attention of one trajectory whose tokens are in the lanes: a
// Vector holds one coordinate of a group of eight tokens. The rows are some tokens of one group, as many as a
// register has lanes. The columns are the eight tokens of another group. The weights of all rows with all
// columns are kept in registers. At first each register holds the weights of one column, with the rows in the
// lanes. Later the weights are transposed, so that each sum takes its terms in the order of the tokens.
type pairTermsKernel struct {
	*machine
	weights     []*node
	size        reg.GPVirtual // size of a group in bytes
	row, column reg.GPVirtual // numbers of the groups of rows and columns
	rowAt       Mem           // distance in bytes of the rows from the start of their group, 0 or 32
}

// pairTerms emits the kernel that adds the terms of all pairs of tokens from two ranges of groups to the
// attention sums of these tokens.
func (m *machine) pairTerms() {
	m.function("pairTerms", "func(field, totals, heavy, x, masses []"+vector+
		", d, top, bottom, left, right int, law *[4][4]float64)")
	k := pairTermsKernel{machine: m, size: vectorsIn(argument("d")), row: argument("top"),
		rowAt: m.local()}
	rows, end := m.label("rows"), m.label("end")
	Label(rows)
	bottom := argument("bottom")
	CMPQ(k.row, bottom)
	JGE(LabelRef(end))
	MOVQ(I32(0), k.rowAt)
	part := m.label("part")
	Label(part)
	k.allColumns()
	if !m.wide {
		at := GP64()
		MOVQ(k.rowAt, at)
		ADDQ(Imm(uint64(m.width())), at)
		MOVQ(at, k.rowAt)
		CMPQ(at, Imm(64))
		JLT(LabelRef(part))
	}
	INCQ(k.row)
	JMP(LabelRef(rows))
	Label(end)
	m.finish()
}

// allColumns emits code for the terms of the rows in one register with all columns.
func (k *pairTermsKernel) allColumns() {
	for range 8 {
		k.weights = append(k.weights, k.pin())
	}
	k.column = argument("left")
	loop, end := k.label("columns"), k.label("end")
	Label(loop)
	right := argument("right")
	CMPQ(k.column, right)
	JGE(LabelRef(end))
	CMPQ(k.column, k.row)
	JG(LabelRef(end))
	k.multiply()
	k.weigh()
	k.toRows()
	next := k.label("next")
	CMPQ(k.column, k.row)
	JEQ(LabelRef(next)) // all tokens of this group are also rows, so no term is missing
	k.transpose()
	k.toColumns()
	Label(next)
	INCQ(k.column)
	JMP(LabelRef(loop))
	Label(end)
	k.unpin(k.weights...)
	k.weights = nil
}

// of returns a pointer to the part of an argument that belongs to a group: one Vector if size is nil, and
// otherwise one Vector for each coordinate.
func (k *pairTermsKernel) of(name string, group, size reg.GPVirtual) reg.GPVirtual {
	p := copyOf(group)
	if size == nil {
		SHLQ(Imm(6), p)
	} else {
		IMULQ(size, p)
	}
	ADDQ(base(name), p)
	return p
}

// ofRows returns a pointer to the part of an argument that belongs to the rows, moved to the first row.
func (k *pairTermsKernel) ofRows(name string, size reg.GPVirtual) reg.GPVirtual {
	p := k.of(name, k.row, size)
	if !k.wide {
		ADDQ(k.rowAt, p)
	}
	return p
}

// broadcast returns one number in all lanes, read from memory that no operation of the block may change.
func (b *block) broadcast(memory Mem) *node {
	if b.wide {
		return b.readUniform(memory)
	}
	return b.spread(memory)
}

// multiply emits code for the inner products of the row tokens and the column tokens.
func (k *pairTermsKernel) multiply() {
	k.zero(k.weights...)
	x, y := k.ofRows("x", k.size), k.of("x", k.column, k.size)
	k.groups(argument("d"), 4, func(items int) {
		b := k.block()
		for c := range items {
			row := b.load(at(x, 64*c))
			for j, product := range k.weights {
				b.accumulate(product, row, b.broadcast(at(y, 64*c+8*j)))
			}
		}
		b.emit()
		advance(items, x, y)
	})
}

// weigh emits code that replaces the inner products of tokens by attention weights.
func (k *pairTermsKernel) weigh() {
	b := k.block()
	b.horizon = 8 // all pairs use the same constants
	law := theLaw()
	for _, w := range k.weights {
		b.assign(w, law.weight(b, w))
	}
	b.emit()
}

// toRows emits code that adds the terms of the column tokens to the sums of the row tokens.
func (k *pairTermsKernel) toRows() {
	add := func(sum, term reg.GPVirtual, items int) {
		b := k.block()
		b.disjoint = true
		for c := range items {
			s := b.load(at(sum, 64*c))
			for j, w := range k.weights {
				s = b.fma(w, b.broadcast(at(term, 64*c+8*j)), s)
			}
			b.store(at(sum, 64*c), s)
		}
		b.emit()
		advance(items, sum, term)
	}
	add(k.ofRows("totals", nil), k.of("masses", k.column, nil), 1)
	sum, term := k.ofRows("field", k.size), k.of("heavy", k.column, k.size)
	k.groups(argument("d"), 4, func(items int) { add(sum, term, items) })
}

// toColumns emits code that adds the terms of the row tokens to the sums of the column tokens, after each
// register holds the weights of one row with some of the columns.
func (k *pairTermsKernel) toColumns() {
	add := func(sum, term reg.GPVirtual, items int) {
		b := k.block()
		b.disjoint = true
		for c := range items {
			rows := make([]*node, k.lanes())
			for i := range rows {
				rows[i] = b.broadcast(at(term, 64*c+8*i))
			}
			for part := range 8 / k.lanes() {
				place := at(sum, 64*c+part*k.width())
				s := b.load(place)
				for i, row := range rows {
					s = b.fma(k.weights[part*k.lanes()+i], row, s)
				}
				b.store(place, s)
			}
		}
		b.emit()
		advance(items, sum, term)
	}
	add(k.of("totals", k.column, nil), k.ofRows("masses", nil), 1)
	sum, term := k.of("field", k.column, k.size), k.ofRows("heavy", k.size)
	k.groups(argument("d"), 4, func(items int) { add(sum, term, items) })
}

// transpose emits the transpose of the weights, for as many registers together as a register has lanes.
func (k *pairTermsKernel) transpose() {
	for from := 0; from < len(k.weights); from += k.lanes() {
		b := k.block()
		w := k.weights[from : from+k.lanes()]
		for j, v := range b.transposed(w) {
			b.assign(w[j], v)
		}
		b.emit()
	}
}

// transposed returns the transpose of the square matrix whose rows are registers, as many as a register has
// lanes.
func (b *block) transposed(rows []*node) []*node {
	pairs := make([]*node, len(rows)) // the even lanes of two rows, then their odd lanes
	for k := 0; k < len(rows); k += 2 {
		pairs[k] = b.shuffle(VUNPCKLPD, rows[k], rows[k+1])
		pairs[k+1] = b.shuffle(VUNPCKHPD, rows[k], rows[k+1])
	}
	to := make([]*node, len(rows))
	if !b.wide {
		for k := range 2 {
			to[k], to[k+2] = b.parts(0x20, pairs[k], pairs[k+2]), b.parts(0x31, pairs[k], pairs[k+2])
		}
		return to
	}
	const even, odd = 0x88, 0xdd // parts 0 and 2, or parts 1 and 3, of each source
	for k := range 2 {
		for part, selection := range []uint8{even, odd} {
			low, high := b.parts(selection, pairs[k], pairs[k+2]), b.parts(selection, pairs[k+4], pairs[k+6])
			to[k+2*part], to[k+2*part+4] = b.parts(even, low, high), b.parts(odd, low, high)
		}
	}
	return to
}

// shuffle returns a register with lanes of two registers, which the instruction f chooses.
func (b *block) shuffle(f instruction, x, y *node) *node {
	return b.takes(1, b.add(&node{}, func(e *emitter, o *operation) {
		rx, ry := e.in(o.sources[0]), e.in(o.sources[1])
		f(ry, rx, e.target(o.to, false))
	}, x, y))
}

// parts returns a register with parts of two registers, of two lanes each, chosen by selection.
func (b *block) parts(selection uint8, x, y *node) *node {
	return b.takes(3, b.shuffle(func(o ...Op) {
		if b.wide {
			VSHUFF64X2(U8(selection), o[0], o[1], o[2])
		} else {
			VPERM2F128(U8(selection), o[0], o[1], o[2])
		}
	}, x, y))
}
