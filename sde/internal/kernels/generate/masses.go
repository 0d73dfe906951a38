package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// massesStep emits the arithmetic of a step of the overlap chain of clusters of any masses.
func (m *machine) massesStep() {
	m.function("massesStep", "func(s, d, sExponent, dExponent, difference, draws []"+vector+", law *[5][4]float64)")
	s, d, sExponent, dExponent, difference, draws := base("s"), base("d"), base("sExponent"), base("dExponent"), base("difference"), base("draws")
	n, law := length("s"), argument("law")
	m.groups(n, 2, func(items int) {
		b := m.block()
		b.disjoint = true
		for k := range 64 * items / m.width() {
			place := k * m.width()
			row := func(k int) *node { return b.read(at(draws, place/64*8*64+place%64+64*k)) }
			masses := b.read(at(difference, place))
			s2, d2 := b.massesSquares(b.read(at(s, place)), b.read(at(d, place)), masses, row, law)
			least := b.choose(b.compare(equal, masses, b.number(0)), b.number(tiniest), b.number(0))
			m.rescaled(b, s2, least, at(s, place), at(sExponent, place))
			m.rescaled(b, d2, b.number(tiniest), at(d, place), at(dExponent, place))
		}
		b.emit()
		for _, p := range []reg.GPVirtual{s, d, sExponent, dExponent, difference} {
			ADDQ(U32(uint32(64*items)), p)
		}
		ADDQ(U32(uint32(8*64*items)), draws)
	})
	m.finish()
}

// massesSquares is the squares after a layer.
func (b *block) massesSquares(s, d, difference *node, row func(k int) *node, law reg.GPVirtual) (s2, d2 *node) {
	p := func(k int) *node { return b.readUniform(at(law, 32*k)) }
	one, third := p(0), p(4)
	wa, wb, wc, we := b.massesWeights(d, difference, law)
	wc = b.times(wc, b.root(b.over(s, b.maximum(d, b.number(0x1p-900)))))

	other := b.times(b.times(wb, wb), d)
	swapped := b.compare(less, s, other)
	tSquare, smaller := b.choose(swapped, other, s), b.choose(swapped, s, other)
	ratio := b.root(b.over(smaller, b.maximum(tSquare, b.number(0x1p-1000))))
	x, y := b.choose(swapped, ratio, b.number(1)), b.choose(swapped, b.number(1), ratio)
	y = b.or(y, b.and(wb, b.bits(signBit)))

	gAlong, gAcross, gRest := row(0), row(1), b.root(row(6))
	hAlong, hAcross, hThird, hRest := row(2), row(3), b.times(row(4), third), b.root(row(7))
	sides := [4]*node{
		b.fma(y, hAcross, b.times(x, b.fma(wa, gAlong, one))),
		b.fma(y, hAlong, b.times(x, b.times(wa, gAcross))),
		b.fma(y, hThird, b.times(x, b.times(wa, gRest))),
		b.times(y, hRest),
	}
	downs := [4]*node{
		b.fma(wc, gAlong, b.times(we, hAcross)),
		b.fma(wc, gAcross, b.fma(we, hAlong, one)),
		b.fma(wc, gRest, b.times(we, hThird)),
		b.times(we, hRest),
	}
	squares := func(x ...*node) *node {
		sum := b.times(x[0], x[0])
		for _, v := range x[1:] {
			sum = b.fma(v, v, sum)
		}
		return sum
	}
	minor := func(i, j int) *node { return b.minusFMA(sides[j], downs[i], b.times(sides[i], downs[j])) }
	first := squares(minor(0, 1), minor(0, 2), minor(0, 3))
	second := squares(minor(1, 2), minor(1, 3), minor(2, 3))
	area := b.times(b.times(tSquare, d), b.plus(first, second))
	return b.newSquares(b.minus(b.times(tSquare, squares(sides[:]...)), b.times(d, squares(downs[:]...))), area)
}

// massesWeights is what S and D get of each other and of themselves.
func (b *block) massesWeights(d, difference *node, law reg.GPVirtual) (wa, wb, wc, we *node) {
	p := func(k int) *node { return b.readUniform(at(law, 32*k)) }
	amplitude, decay, softmax := p(1), p(2), p(3)
	isSoftmax := b.compare(less, b.number(0), softmax)
	r, lost := b.expAndExpm1(b.times(decay, d))
	w := b.plus(lost, b.number(2))

	product := b.times(b.minusFMA(difference, difference, b.number(1)), b.number(0.25))
	scale := b.over(amplitude, b.fma(b.times(product, lost), lost, r))
	scale = b.choose(isSoftmax, scale, amplitude)
	we = b.xor(b.times(scale, lost), b.bits(signBit))
	we = b.choose(isSoftmax, b.times(we, b.times(product, w)), we)
	wa = b.choose(isSoftmax, amplitude, b.times(amplitude, w))
	wb = b.times(b.times(scale, difference), b.choose(isSoftmax, r, w))
	wc = b.choose(isSoftmax, b.number(0), b.times(difference, we))
	return wa, wb, wc, we
}

// expAndExpm1 is e^x, at least e^-700, and e^x - 1 for x ≤ 0.
func (b *block) expAndExpm1(x *node) (exp, expm1 *node) {
	t, _, r := b.reduceByLn2(b.maximum(x, b.number(-700)))
	p, power := b.expMinusOneNearZero(r), b.power(t)
	exp = b.plusWord(b.plus(p, b.number(1)), b.shiftLeft(t, 52))
	return exp, b.fma(power, p, b.minus(power, b.number(1)))
}
