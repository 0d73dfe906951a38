package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// advance moves pointers by so many Vectors.
func advance(vectors int, pointers ...reg.GPVirtual) {
	for _, p := range pointers {
		ADDQ(I32(int32(64*vectors)), p)
	}
}

// vectorsIn is the size in bytes of so many Vectors.
func vectorsIn(count reg.GPVirtual) reg.GPVirtual {
	bytes := copyOf(count)
	SHLQ(Imm(6), bytes)
	return bytes
}

// eachHalf is halves for kernels that are short of general registers: body fetches the
// pointers it needs by here.
func (m *machine) eachHalf(body func()) {
	if m.wide {
		body()
		return
	}
	m.offset = m.local()
	MOVQ(I32(0), m.offset)
	loop := m.label("half")
	Label(loop)
	body()
	ADDQ(Imm(32), m.offset)
	CMPQ(m.offset, Imm(64))
	JNE(LabelRef(loop))
}

// here is the pointer of a slice of Vectors that is an argument, moved to the half at hand.
func (m *machine) here(name string) reg.GPVirtual {
	p := base(name)
	if !m.wide {
		ADDQ(m.offset, p)
	}
	return p
}

// byteHere is the same for a slice of two bytes a Vector.
func (m *machine) byteHere(name string) reg.GPVirtual {
	p := base(name)
	if !m.wide {
		half := GP64()
		MOVQ(m.offset, half)
		SHRQ(Imm(5), half)
		ADDQ(half, p)
	}
	return p
}

// along is memory at two pointers' sum, displaced.
func along(pointer, distance reg.GPVirtual, displacement int) Mem {
	return Mem{Base: pointer, Index: distance, Scale: 1, Disp: displacement}
}

func sum(base, displacement reg.GPVirtual) reg.GPVirtual {
	s := copyOf(base)
	ADDQ(displacement, s)
	return s
}

// zero clears pinned registers.
func (m *machine) zero(pins ...*node) {
	b := m.block()
	for _, p := range pins {
		b.assign(p, b.number(0))
	}
	b.emit()
}

// retract emits x_i ← normalise(x_i + scale·G c_i) for every token: G has a row for each
// coordinate, c_i is the token's coefficients. A byte of good gets the lanes whose square
// is in the range where it has all digits; others are not normalised.
func (m *machine) retract() {
	m.function("retract", "func(x, matrix, coefficients []"+vector+", good [][2]uint8, d, r int, scale float64)")
	scale, factor, squares := m.pin(), m.pin(), m.partialSums()
	b := m.block()
	b.assign(scale, b.spread(parameterOf("scale")))
	b.emit()
	m.eachHalf(func() {
		token, coefficient, good := m.here("x"), m.here("coefficients"), m.byteHere("good")
		size := vectorsIn(argument("r"))
		m.repeat(length("good"), func() {
			m.zero(squares...)
			to, row := copyOf(token), m.here("matrix")
			m.groups(argument("d"), 8, func(items int) { m.updateRows(items, to, row, coefficient, size, scale, squares) })
			b := m.block()
			square := squares[0]
			b.assign(square, b.total(squares))
			inRange := b.maskAnd(b.compare(lessOrEqual, b.number(0x1p-900), square), b.compare(lessOrEqual, square, b.number(0x1p900)))
			b.assign(factor, b.choose(inRange, b.over(b.number(1), b.root(square)), b.number(1)))
			b.storeMask(Mem{Base: good}, inRange)
			b.emit()
			m.multiplyBy(factor, token)
			ADDQ(size, coefficient)
			ADDQ(Imm(2), good)
		})
	})
	m.unpin(scale, factor)
	m.unpin(squares...)
	m.finish()
}

// updateRows emits the update of one or eight coordinates, adds their squares, and moves the
// pointers on.
func (m *machine) updateRows(items int, to, row, coefficient, size reg.GPVirtual, scale *node, squares []*node) {
	updates := make([]*node, items)
	for k := range updates {
		updates[k] = m.pin()
	}
	m.zero(updates...)
	// Rows 0, 3 and 6, from which one index reaches the two after them.
	bases := []reg.GPVirtual{copyOf(row)}
	for len(bases) < (items+2)/3 {
		next := GP64()
		LEAQ(Mem{Base: bases[len(bases)-1], Index: size, Scale: 2}, next)
		ADDQ(size, next)
		bases = append(bases, next)
	}
	places := make([]Mem, items)
	for k := range places {
		places[k] = Mem{Base: bases[k/3]}
		if k%3 > 0 {
			places[k].Index, places[k].Scale = size, uint8(k%3)
		}
	}
	c := copyOf(coefficient)
	m.repeat(argument("r"), func() {
		b := m.block()
		v := b.load(at(c, 0))
		for k, u := range updates {
			b.accumulate(u, v, b.read(places[k]))
		}
		b.emit()
		advance(1, c)
		advance(1, bases...)
	})
	b := m.block()
	for k, u := range updates {
		v := b.fma(scale, u, b.load(at(to, 64*k)))
		b.store(at(to, 64*k), v)
		b.accumulate(squares[k%4], v, v)
	}
	b.emit()
	m.unpin(updates...)
	advance(items, to)
	LEAQ(Mem{Base: row, Index: size, Scale: uint8(items)}, row)
}

// multiplyBy multiplies the d Vectors at a pointer, which moves beyond them.
func (m *machine) multiplyBy(factor *node, pointer reg.GPVirtual) {
	m.groups(argument("d"), 8, func(items int) {
		b := m.block()
		for k := range items {
			b.store(at(pointer, 64*k), b.times(b.load(at(pointer, 64*k)), factor))
		}
		b.emit()
		advance(items, pointer)
	})
}

// project emits c_i = <q, a_i>, a_i ← a_i - c_i q for n vectors a_i of dimension d; the
// coefficients are stride Vectors apart.
func (m *machine) project() {
	m.function("project", "func(a, coefficients, q []"+vector+", n, d, stride int)")
	sums := m.partialSums()
	m.eachHalf(func() {
		vector, coefficient, stride := m.here("a"), m.here("coefficients"), vectorsIn(argument("stride"))
		m.repeat(argument("n"), func() {
			m.zero(sums...)
			x, y := copyOf(vector), m.here("q")
			m.groups(argument("d"), 8, func(items int) {
				b := m.block()
				for k := range items {
					b.accumulate(sums[k%4], b.load(at(x, 64*k)), b.read(at(y, 64*k)))
				}
				b.emit()
				advance(items, x, y)
			})
			b := m.block()
			product := sums[0]
			b.assign(product, b.total(sums))
			b.store(at(coefficient, 0), product)
			b.emit()
			y = m.here("q")
			m.groups(argument("d"), 8, func(items int) {
				b := m.block()
				for k := range items {
					b.disjoint = true
					b.store(at(vector, 64*k), b.minusFMA(product, b.load(at(y, 64*k)), b.load(at(vector, 64*k))))
				}
				b.emit()
				advance(items, vector, y)
			})
			ADDQ(stride, coefficient)
		})
	})
	m.unpin(sums...)
	m.finish()
}

// direction emits before = |q|² if fresh, and else q ← q/|q|, or 0 where |q|² is at most
// 2^-20·before or below 2^-900.
func (m *machine) direction() {
	m.function("direction", "func(q, before []"+vector+", d, fresh int)")
	sums := m.partialSums()
	square := sums[0]
	m.eachHalf(func() {
		m.zero(sums...)
		x := m.here("q")
		m.groups(argument("d"), 8, func(items int) {
			b := m.block()
			for k := range items {
				v := b.load(at(x, 64*k))
				b.accumulate(sums[k%4], v, v)
			}
			b.emit()
			advance(items, x)
		})
		b := m.block()
		b.assign(square, b.total(sums))
		b.emit()
		before, fresh := m.here("before"), argument("fresh")
		old, end := m.label("old"), m.label("end")
		TESTQ(fresh, fresh)
		JZ(LabelRef(old))
		b = m.block()
		b.store(at(before, 0), square)
		b.emit()
		JMP(LabelRef(end))
		Label(old)
		b = m.block()
		good := b.maskAnd(b.compare(less, b.times(b.read(at(before, 0)), b.number(0x1p-20)), square), b.compare(lessOrEqual, b.number(0x1p-900), square))
		b.assign(square, b.choose(good, b.over(b.number(1), b.root(square)), b.number(0)))
		b.emit()
		m.multiplyBy(square, m.here("q"))
		Label(end)
	})
	m.unpin(sums...)
	m.finish()
}

// partialSums are four sums that an inner product is collected in, so that one term need
// not wait for the last: term k goes to sum k%4 of its group of eight, four, two or one.
func (m *machine) partialSums() []*node { return []*node{m.pin(), m.pin(), m.pin(), m.pin()} }

// total is the sum of four partial sums.
func (b *block) total(sums []*node) *node {
	return b.plus(b.plus(sums[0], sums[1]), b.plus(sums[2], sums[3]))
}

func (m *machine) tokens() {
	m.retract()
	m.project()
	m.direction()
}
