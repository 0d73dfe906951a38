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

// partialSums are four sums that an inner product is collected in, so that one term need
// not wait for the last: term k goes to sum k%4 of its group of eight, four, two or one.
func (m *machine) partialSums() []*node { return []*node{m.pin(), m.pin(), m.pin(), m.pin()} }

// total is the sum of four partial sums.
func (b *block) total(sums []*node) *node {
	return b.plus(b.plus(sums[0], sums[1]), b.plus(sums[2], sums[3]))
}

func (m *machine) tokens() {
	m.retract()
	m.pairCoefficients()
	m.project()
	m.direction()
}
