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
}

// foursAndOnes emits body for four Vectors together, as long as so many are left, then for each of the
// others.
func (m *machine) foursAndOnes(left reg.GPVirtual, body func(items int)) {
	for _, items := range []int{4, 1} {
		loop, end := m.label("group"), m.label("end")
		Label(loop)
		CMPQ(left, Imm(uint64(items)))
		JLT(LabelRef(end))
		body(items)
		SUBQ(Imm(uint64(items)), left)
		JMP(LabelRef(loop))
		Label(end)
	}
}

// weights emits the weights of pairs of tokens in place of their products.
func (m *machine) weights() {
	m.function("weights", "func(row []"+vector+", law *[4][4]float64)")
	row, law := base("row"), theLaw()
	m.groups(length("row"), 1, func(items int) { // the processor looks ahead to the next ones
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
	m.foursAndOnes(length("x"), func(items int) {
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
	m.foursAndOnes(length("x"), func(items int) {
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
	m.foursAndOnes(length("x"), func(items int) {
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
