package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mlpStep emits the arithmetic of a step of the overlap chain with an MLP, or of one of the MLP alone.
func (m *machine) mlpStep(name string, alone bool) {
	m.function(name,
		"func(s, d, sExponent, dExponent, plus, minus, draws []"+vector+", law *[6][4]float64)")
	s, d, sExponent, dExponent := base("s"), base("d"), base("sExponent"), base("dExponent")
	plus, minus, draws, n, law := base("plus"), base("minus"), base("draws"), length("s"), argument("law")
	m.groups(n, 2, func(items int) {
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
