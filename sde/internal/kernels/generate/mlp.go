package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mlpStep emits the kernel for the arithmetic of a step of the overlap chain with an MLP and, unless alone is
// set, with attention.
func (m *machine) mlpStep(name string, alone bool) {
	m.function(name,
		"func(s, d, sExponent, dExponent, plus, minus, draws []"+vector+", law *[6][4]float64)")
	s, d, sExponent, dExponent := base("s"), base("d"), base("sExponent"), base("dExponent")
	plus, minus, draws, n, law := base("plus"), base("minus"), base("draws"), length("s"), argument("law")
	together := 2
	if alone { // two registers at a time are as fast as four
		together = m.inFourRegisters() / 2
	}
	m.groups(n, together, func(items int) {
		b := m.block()
		b.disjoint = true
		for k := range 64 * items / m.width() {
			place := k * m.width()
			row := func(k int) *node { return b.read(at(draws, place/64*chainRows*64+place%64+64*k)) }
			p := func(k int) *node { return b.readUniform(at(law, 32*k)) }
			s2, d2 := b.read(at(s, place)), b.read(at(d, place))
			var square1, square2 *node
			first, second := p(0), p(0)
			if alone {
				square1 = b.times(b.read(at(plus, place)), p(4))
				square2 = b.times(b.read(at(minus, place)), p(4))
			} else {
				e := b.expm1Negative(b.times(p(2), d2))
				w := b.plus(e, b.number(2))
				isSoftmax := b.compare(less, b.number(0), p(3))
				own := b.choose(isSoftmax, b.number(1), w)
				other := b.xor(b.choose(isSoftmax, b.over(e, w), e), b.bits(signBit))
				c1, c2 := b.times(p(1), own), b.times(p(1), other)
				square1 = b.fma(p(4), b.read(at(plus, place)), b.times(c1, c1))
				square2 = b.fma(p(4), b.read(at(minus, place)), b.times(c2, c2))
				first, second = b.fma(p(5), own, p(0)), b.fma(p(5), other, p(0))
			}
			c1, c2 := b.root(square1), b.root(square2)

			along, across := b.fma(c1, row(0), first), b.times(c1, row(1))
			apart := b.fma(square1, row(4), b.times(along, along))
			newS, newD := b.nextSquares(s2, d2, b.fma(across, across, apart), b.times(second, across),
				b.times(second, b.root(apart)), c2, row)
			m.rescaled(b, newS, b.number(tiniest), at(s, place), at(sExponent, place))
			m.rescaled(b, newD, b.number(tiniest), at(d, place), at(dExponent, place))
		}
		b.emit()
		for _, p := range []reg.GPVirtual{s, d, sExponent, dExponent, plus, minus} {
			ADDQ(U32(uint32(64*items)), p)
		}
		ADDQ(U32(uint32(chainRows*64*items)), draws)
	})
	m.finish()
}

const tableShift, tableCells = 47, 32 // the same constants as in package activation

// shares emits the evaluation of the shares of an MLP, (1+φ̂)/(1+Z) and (1-φ̂)/(1-Z), where φ̂ is the
// correlation of the outputs of the MLP at overlap Z, by a table of package activation.
func (m *machine) shares() {
	m.function("shares", "func(plus, minus, s, d, cells []"+vector+", first uint64, even int)")
	plus, minus, s, d, n := base("plus"), base("minus"), base("s"), base("d"), length("s")
	cells, first, even := base("cells"), argument("first"), argument("even")
	SHLQ(Imm(6), first)
	SUBQ(first, cells) // the address that a cell for argument 0 would have
	SHLQ(Imm(6), even)
	isEven := copyOf(even)
	NEGQ(isEven)
	SBBQ(isEven, isEven) // the mask is -1 unless even is 0
	parameters := [3]*node{m.pin(), m.pin(), m.pin()}
	b := m.block()
	b.assign(parameters[0], b.shiftLeft(b.spreadRegister(first), tableShift-6))
	b.assign(parameters[1], b.spreadRegister(even))
	b.assign(parameters[2], b.spreadRegister(isEven))
	b.emit()
	place := m.local()
	m.repeat(n, func() {
		m.halves([]reg.GPVirtual{plus, minus, s, d}, []int{32, 32, 32, 32}, func() {
			b := m.block()
			x, y := b.sharesOf(b.load(at(s, 0)), b.load(at(d, 0)), parameters, cells, place)
			b.store(at(plus, 0), x)
			b.store(at(minus, 0), y)
			b.emit()
		})
		advance(1, plus, minus, s, d)
	})
	m.unpin(parameters[:]...)
	m.finish()
}

// sharesOf returns the shares of an MLP, see machine.shares, at the squares s = |S|² and d = |D|². Parameter
// 0 of the kernel is the smallest argument of the table. Parameter 1 is the distance in bytes from the first
// cell to the cell Even. Parameter 2 is -1, with all bits set, if φ is not odd, and otherwise 0. The
// addresses of the cells of the table are written to place.
func (b *block) sharesOf(
	s, d *node, parameters [3]*node, cells reg.GPVirtual, place Mem,
) (plus, minus *node) {
	opposite, even := b.compare(less, s, d), b.compare(less, s, b.and(d, parameters[2]))
	small, large := b.minimum(d, s), b.maximum(s, d)
	x := b.maximum(b.minimum(small, b.number(2-0x1p-52)), parameters[0])
	bytes := b.and(b.shiftRight(x, tableShift-6), b.bits(1<<64-64))
	b.store(place, b.plusWord(bytes, b.keep(even, parameters[1])))
	value := b.series(b.cells(cells, place), x)
	far := b.over(b.minus(b.number(4), b.choose(even, value, b.times(small, value))), large)
	near := b.choose(even, b.over(value, small), value)
	return b.choose(opposite, near, far), b.choose(opposite, far, near)
}

// cells returns the coefficients of the polynomial in the cell of each lane, one node for each power.
func (b *block) cells(cells reg.GPVirtual, place Mem) (c []*node) {
	for part := 0; part < 8; part += b.lanes() {
		rows := make([]*node, b.lanes())
		for lane := range rows {
			rows[lane] = b.takes(8, b.add(&node{}, func(e *emitter, o *operation) {
				cell := GP64()
				MOVQ(at(place.Base, place.Disp+8*lane), cell)
				e.move(Mem{Base: cells, Index: cell, Scale: 1, Disp: 8 * part}, e.target(o.to, false))
			}))
			b.last().loads = &place
		}
		c = append(c, b.transposed(rows)...)
	}
	return c
}

// series evaluates the polynomial in a cell of the table at a square, without fused operations.
func (b *block) series(c []*node, square *node) *node {
	within := b.andOr(square, b.bits(1<<tableShift-1), b.bits(one))
	y := b.minus(b.times(b.number(tableCells), within), b.number(tableCells+0.5))
	y2 := b.times(y, y)
	sum := func(k int) *node {
		sum := c[k+6]
		for k += 4; k >= 0; k -= 2 {
			sum = b.plus(b.times(sum, y2), c[k])
		}
		return sum
	}
	return b.plus(sum(0), b.times(y, sum(1)))
}
