package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowKernels emits kernels for rows of matrices, whose Vectors are numbers of one trajectory.
func (m *machine) rowKernels() {
	m.weights()
	m.dots()
	m.advanceRow()
	m.rescale()
	if !m.wide { // nothing is computed: AVX-512 takes the same
		m.transpose()
	}
}

// weights emits the weights of pairs of tokens in place of their products.
func (m *machine) weights() {
	m.function("weights", "func(row []"+vector+", law *[4][4]float64)")
	row, law := base("row"), theLaw()
	m.groups(length("row"), m.inFourRegisters(), func(items int) {
		b := m.block()
		values := m.loadAll(b, row, items)
		for k, v := range values {
			b.store(at(row, k*m.width()), law.weight(b, v))
		}
		b.emit()
		advance(items, row)
	})
	m.finish()
}

// loadAll loads some Vectors.
func (m *machine) loadAll(b *block, from reg.GPVirtual, items int) []*node {
	values := make([]*node, 64*items/m.width())
	for k := range values {
		values[k] = b.load(at(from, k*m.width()))
	}
	return values
}

// fourSums are the registers of four sums of Vectors.
func (m *machine) fourSums() []*node {
	sums := make([]*node, 4*64/m.width())
	for k := range sums {
		sums[k] = m.pin()
	}
	m.zero(sums...)
	return sums
}

// storeSum stores the sum of four sums.
func (m *machine) storeSum(sums []*node) {
	b := m.block()
	to, each := argument("sum"), len(sums)/4
	for k := range each {
		total := b.plus(b.plus(sums[k], sums[each+k]), b.plus(sums[2*each+k], sums[3*each+k]))
		b.store(at(to, k*m.width()), total)
	}
	b.emit()
	m.unpin(sums...)
}

// dots emits the sum of the products of two rows, but for the last additions.
func (m *machine) dots() {
	m.function("dots", "func(sum *"+vector+", x, y []"+vector+")")
	sums := m.fourSums()
	x, y := base("x"), base("y")
	m.groups(length("x"), 4, func(items int) {
		b := m.block()
		for k, v := range m.loadAll(b, x, items) {
			b.accumulate(sums[k], v, b.read(at(y, k*m.width())))
		}
		b.emit()
		advance(items, x, y)
	})
	m.storeSum(sums)
	m.finish()
}

// advanceRow emits x ← x + factor·change, and the sum of the squares of x.
func (m *machine) advanceRow() {
	m.function("advance", "func(sum *"+vector+", x, change []"+vector+", factor float64)")
	sums, factor := m.fourSums(), m.pin()
	b := m.block()
	b.assign(factor, b.spread(parameterOf("factor")))
	b.emit()
	x, change := base("x"), base("change")
	m.groups(length("x"), 4, func(items int) {
		b := m.block()
		b.disjoint = true
		for k := range 64 * items / m.width() {
			place := at(x, k*m.width())
			v := b.fma(factor, b.load(at(change, k*m.width())), b.load(place))
			b.store(place, v)
			b.accumulate(sums[k], v, v)
		}
		b.emit()
		advance(items, x, change)
	})
	m.unpin(factor)
	m.storeSum(sums)
	m.finish()
}

// rescale emits x ← factor·x.
func (m *machine) rescale() {
	m.function("rescale", "func(x []"+vector+", factor float64)")
	factor := m.pin()
	b := m.block()
	b.assign(factor, b.spread(parameterOf("factor")))
	b.emit()
	x := base("x")
	m.groups(length("x"), 4, func(items int) {
		b := m.block()
		for k, v := range m.loadAll(b, x, items) {
			b.store(at(x, k*m.width()), b.times(v, factor))
		}
		b.emit()
		advance(items, x)
	})
	m.unpin(factor)
	m.finish()
}

// transpose emits the transposes of some blocks of 8×8 entries of a matrix with the given stride:
// those that stand side by side from one place on come to stand one below the other.
func (m *machine) transpose() {
	m.function("transpose", "func(to, from []float64, stride, blocks int)")
	to, from, stride, blocks := base("to"), base("from"), argument("stride"), argument("blocks")
	SHLQ(Imm(3), stride)
	quarter := func(to, from reg.GPVirtual) {
		row := func(p reg.GPVirtual, k int) Mem {
			if k == 0 {
				return at(p, 0)
			}
			return Mem{Base: p, Index: stride, Scale: uint8(k)}
		}
		fromSecond, toSecond := copyOf(from), copyOf(to)
		ADDQ(stride, fromSecond)
		ADDQ(stride, toSecond)
		VMOVUPD(row(from, 0), reg.Y0)
		VMOVUPD(row(from, 1), reg.Y1)
		VMOVUPD(row(from, 2), reg.Y2)
		VMOVUPD(row(fromSecond, 2), reg.Y3)
		VUNPCKLPD(reg.Y1, reg.Y0, reg.Y4)
		VUNPCKHPD(reg.Y1, reg.Y0, reg.Y5)
		VUNPCKLPD(reg.Y3, reg.Y2, reg.Y6)
		VUNPCKHPD(reg.Y3, reg.Y2, reg.Y7)
		VPERM2F128(U8(0x20), reg.Y6, reg.Y4, reg.Y0)
		VPERM2F128(U8(0x20), reg.Y7, reg.Y5, reg.Y1)
		VPERM2F128(U8(0x31), reg.Y6, reg.Y4, reg.Y2)
		VPERM2F128(U8(0x31), reg.Y7, reg.Y5, reg.Y3)
		VMOVUPD(reg.Y0, row(to, 0))
		VMOVUPD(reg.Y1, row(to, 1))
		VMOVUPD(reg.Y2, row(to, 2))
		VMOVUPD(reg.Y3, row(toSecond, 2))
	}
	m.repeat(blocks, func() {
		below := GP64()
		LEAQ(Mem{Base: from, Index: stride, Scale: 4}, below)
		next := GP64()
		LEAQ(Mem{Base: to, Index: stride, Scale: 4}, next)
		moved := func(p reg.GPVirtual) reg.GPVirtual {
			q := copyOf(p)
			ADDQ(Imm(32), q)
			return q
		}
		quarter(to, from)
		quarter(moved(to), below)
		quarter(next, moved(from))
		quarter(moved(next), moved(below))
		LEAQ(Mem{Base: next, Index: stride, Scale: 4}, to)
		ADDQ(Imm(64), from)
	})
	m.finish()
}
