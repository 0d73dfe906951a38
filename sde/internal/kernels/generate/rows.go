package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowKernels emits kernels for rows of matrices, whose Vectors are numbers of one trajectory.
func (m *machine) rowKernels() {
	m.weights()
	m.weighProducts()
	m.dots()
	m.advanceRows()
	m.rescale()
}

// groupsAndOnes emits body for some Vectors together, as long as so many are left, then for each of the
// others.
func (m *machine) groupsAndOnes(left reg.GPVirtual, together int, body func(items int)) {
	for _, items := range []int{together, 1} {
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

// weighProducts emits the weights of eight tokens, those of the rows of a strip, and all of its columns and
// before: products are chains of as many operations as there are coordinates. Of a tile of eight registers
// the chains fill each other's waiting times.
func (m *machine) weighProducts() {
	m.function("weighProducts", "func(weights []"+vector+", width int, tokens []"+vector+
		", stride, d, strip int, law *[4][4]float64)")
	down := 8 * m.width() / 64
	to, rows, law := base("weights"), argument("strip"), theLaw()
	SHLQ(Imm(6), rows) // eight numbers
	ADDQ(base("tokens"), rows)
	stride, size, size3 := vectorsIn(argument("stride")), vectorsIn(argument("width")), GP64()
	LEAQ(Mem{Base: size, Index: size, Scale: 2}, size3)
	bands := GP64()
	MOVQ(U32(uint32(8/down)), bands)
	m.repeat(bands, func() {
		columns, left, place := base("tokens"), argument("strip"), copyOf(to)
		INCQ(left)
		m.repeat(left, func() {
			products := make([]*node, 8)
			for k := range products {
				products[k] = m.pin()
			}
			m.zero(products...)
			row, column := copyOf(rows), copyOf(columns)
			m.repeat(argument("d"), func() {
				b := m.block()
				others := m.loadAll(b, column, 1)
				for i := range down {
					x := b.spread(at(row, 8*i))
					for k, other := range others {
						b.accumulate(products[len(others)*i+k], x, other)
					}
				}
				b.emit()
				ADDQ(stride, row)
				ADDQ(stride, column)
			})
			m.storeWeights(law, products, place, size, size3)
			m.unpin(products...)
			advance(1, columns, place)
		})
		LEAQ(Mem{Base: to, Index: size, Scale: 4}, to)
		ADDQ(Imm(uint64(8*down)), rows)
	})
	m.finish()
}

// storeWeights stores the weights of products, a Vector for each of four or eight rows of a given size.
func (m *machine) storeWeights(law attentionLaw, products []*node, to, size, size3 reg.GPVirtual) {
	b := m.block()
	b.disjoint = true
	each := 64 / m.width()
	lower := to
	if len(products) > 4*each {
		lower = GP64()
		LEAQ(Mem{Base: to, Index: size, Scale: 4}, lower)
	}
	for k, product := range products {
		row, place := k/each, Mem{Base: to, Disp: k % each * m.width()}
		if row >= 4 {
			place.Base = lower
		}
		switch row % 4 {
		case 1, 2:
			place.Index, place.Scale = size, uint8(row%4)
		case 3:
			place.Index, place.Scale = size3, 1
		}
		b.store(place, law.weight(b, product))
	}
	b.emit()
}

// fourSums are the registers of four sums of Vectors.
func (m *machine) fourSums() []*node {
	sums := make([]*node, 4*64/m.width())
	for k := range sums {
		sums[k] = m.pin()
	}
	return sums
}

// storeSum stores the sum of four sums.
func (m *machine) storeSum(to reg.GPVirtual, sums []*node) {
	b := m.block()
	each := len(sums) / 4
	for k := range each {
		total := b.plus(b.plus(sums[k], sums[each+k]), b.plus(sums[2*each+k], sums[3*each+k]))
		b.store(at(to, k*m.width()), total)
	}
	b.emit()
	advance(1, to)
}

// dots emits the sums of the products of some rows with another, but for the last additions.
func (m *machine) dots() {
	m.function("dots", "func(sums, x []"+vector+", width int, y []"+vector+")")
	sums := m.fourSums()
	to, row := base("sums"), base("x")
	m.repeat(length("sums"), func() {
		x, y := copyOf(row), base("y")
		m.zero(sums...)
		m.groupsAndOnes(length("y"), 4, func(items int) {
			b := m.block()
			for k, v := range m.loadAll(b, x, items) {
				b.accumulate(sums[k], v, b.read(at(y, k*m.width())))
			}
			b.emit()
			advance(items, x, y)
		})
		m.storeSum(to, sums)
		ADDQ(vectorsIn(argument("width")), row)
	})
	m.unpin(sums...)
	m.finish()
}

// advanceRows emits x ← x + factor·change for some rows, and the sums of the squares of x.
func (m *machine) advanceRows() {
	m.function("advance", "func(sums, x []"+vector+", width int, change []"+vector+
		", changeWidth, vectors int, factors []float64)")
	sums, factor := m.fourSums(), m.pin()
	to, row, beside, factors := base("sums"), base("x"), base("change"), base("factors")
	m.repeat(length("sums"), func() {
		b := m.block()
		b.assign(factor, b.spread(at(factors, 0)))
		b.emit()
		m.zero(sums...)
		x, change := copyOf(row), copyOf(beside)
		m.groupsAndOnes(argument("vectors"), 4, func(items int) {
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
		m.storeSum(to, sums)
		ADDQ(Imm(8), factors)
		ADDQ(vectorsIn(argument("width")), row)
		ADDQ(vectorsIn(argument("changeWidth")), beside)
	})
	m.unpin(factor)
	m.unpin(sums...)
	m.finish()
}

// rescale emits x ← factor·x for some rows.
func (m *machine) rescale() {
	m.function("rescale", "func(x []"+vector+", width, vectors int, factors []float64)")
	factor := m.pin()
	row, factors := base("x"), base("factors")
	m.repeat(length("factors"), func() {
		b := m.block()
		b.assign(factor, b.spread(at(factors, 0)))
		b.emit()
		x := copyOf(row)
		m.groupsAndOnes(argument("vectors"), 4, func(items int) {
			b := m.block()
			for k, v := range m.loadAll(b, x, items) {
				b.store(at(x, k*m.width()), b.times(v, factor))
			}
			b.emit()
			advance(items, x)
		})
		ADDQ(Imm(8), factors)
		ADDQ(vectorsIn(argument("width")), row)
	})
	m.unpin(factor)
	m.finish()
}
