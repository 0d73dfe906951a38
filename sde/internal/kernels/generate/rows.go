package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowKernels emits the kernels for matrices of one trajectory, whose rows consist of Vectors.
func (m *machine) rowKernels() {
	m.addDots()
	m.collect()
	m.advanceRows()
	m.rescale()
	m.combine()
}

// groupsAndOnes emits code that executes body for groups of together Vectors while so many are left. The code
// then executes body for each remaining Vector alone.
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

// weights emits the kernel that replaces the inner products of pairs of tokens by their attention weights.
func (m *machine) weights() {
	m.function("weights", "func(row []"+vector+", law *[4][4]float64)")
	row, law := base("row"), theLaw()
	m.groups(length("row"), 1, func(items int) { // the processor itself looks ahead to the next items
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

// loadAll loads a number of Vectors, given by items, into as many registers as they need.
func (m *machine) loadAll(b *block, from reg.GPVirtual, items int) []*node {
	values := make([]*node, 64*items/m.width())
	for k := range values {
		values[k] = b.load(at(from, k*m.width()))
	}
	return values
}

// fourSums reserves the registers for four sums, each of which is a Vector.
func (m *machine) fourSums() []*node {
	sums := make([]*node, 4*64/m.width())
	for k := range sums {
		sums[k] = m.pin()
	}
	return sums
}

// storeSum stores the total of four sums, which is one Vector, and moves the pointer past this Vector.
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

// loadSums loads four sums, which are four Vectors in memory.
func (m *machine) loadSums(sums []*node, from reg.GPVirtual) {
	b := m.block()
	for k, sum := range sums {
		b.assign(sum, b.load(at(from, k*m.width())))
	}
	b.emit()
}

// addDots emits the kernel that adds, for each of some rows, the entrywise products of the row with a row y
// to four sums.
func (m *machine) addDots() {
	m.function("addDots", "func(sums, x []"+vector+", width int, y []"+vector+")")
	sums := m.fourSums()
	to, row, rows := base("sums"), base("x"), length("sums")
	SHRQ(Imm(2), rows)
	m.repeat(rows, func() {
		x, y := copyOf(row), base("y")
		m.loadSums(sums, to)
		m.groupsAndOnes(length("y"), 4, func(items int) {
			b := m.block()
			for k, v := range m.loadAll(b, x, items) {
				b.accumulate(sums[k], v, b.read(at(y, k*m.width())))
			}
			b.emit()
			advance(items, x, y)
		})
		b := m.block()
		for k, sum := range sums {
			b.store(at(to, k*m.width()), sum)
		}
		b.emit()
		advance(4, to)
		ADDQ(vectorsIn(argument("width")), row)
	})
	m.unpin(sums...)
	m.finish()
}

// collect emits the kernel that writes the total of four sums to each Vector of dst.
func (m *machine) collect() {
	m.function("collect", "func(dst, sums []"+vector+")")
	sums := m.fourSums()
	to, from := base("dst"), base("sums")
	m.repeat(length("dst"), func() {
		m.loadSums(sums, from)
		m.storeSum(to, sums)
		advance(4, from)
	})
	m.unpin(sums...)
	m.finish()
}

// advanceRows emits the kernel that computes x ← x + factor·change for some rows x, and the sums of the
// squares of the new rows.
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

// rescale emits the kernel that computes x ← factor·x for some rows x.
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

// combine emits the kernel that computes dst ← α·a∘b - γ·c∘d for rows of Vectors, where ∘ is the entrywise
// product.
func (m *machine) combine() {
	m.function("combine", "func(dst []"+vector+", alpha float64, a, b []"+vector+", gamma float64, c, d []"+
		vector+")")
	alpha, gamma := m.pin(), m.pin()
	start := m.block()
	start.assign(alpha, start.spread(parameterOf("alpha")))
	start.assign(gamma, start.spread(parameterOf("gamma")))
	start.emit()
	to, first, second, third, fourth := base("dst"), base("a"), base("b"), base("c"), base("d")
	m.groupsAndOnes(length("dst"), 4, func(items int) {
		b := m.block()
		b.disjoint = true // if dst is one of the sources, each place is read before it is written
		for k := range 64 * items / m.width() {
			from := func(row reg.GPVirtual) *node { return b.load(at(row, k*m.width())) }
			subtracted := b.times(b.times(gamma, from(third)), from(fourth))
			b.store(at(to, k*m.width()), b.fmaMinus(b.times(alpha, from(first)), from(second), subtracted))
		}
		b.emit()
		advance(items, to, first, second, third, fourth)
	})
	m.unpin(alpha, gamma)
	m.finish()
}
