package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// massesStep emits the kernel for the arithmetic of a step of the overlap chain of two clusters of any
// masses.
func (m *machine) massesStep() {
	m.function("massesStep",
		"func(s, d, sExponent, dExponent, difference, draws []"+vector+", law *[4][4]float64)")
	s, d, sExponent, dExponent := base("s"), base("d"), base("sExponent"), base("dExponent")
	difference, draws, n, law := base("difference"), base("draws"), length("s"), argument("law")
	m.groups(n, 2, func(items int) {
		b := m.block()
		b.disjoint = true
		for k := range 64 * items / m.width() {
			place := k * m.width()
			row := func(k int) *node { return b.read(at(draws, place/64*chainRows*64+place%64+64*k)) }
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
		ADDQ(U32(uint32(chainRows*64*items)), draws)
	})
	m.finish()
}

// massesSquares returns |S|² and |D|² after a layer of the overlap chain of two clusters of any masses.
func (b *block) massesSquares(s, d, difference *node, row func(k int) *node,
	law reg.GPVirtual) (s2, d2 *node) {
	p := func(k int) *node { return b.readUniform(at(law, 32*k)) }
	one := p(0)
	wa, wb, wc, we, determinant := b.massesWeights(d, difference, p(1), p(2), p(3))
	wc = b.times(wc, b.root(b.over(s, b.maximum(d, b.number(0x1p-900)))))

	other := b.times(b.times(wb, wb), d)
	swapped := b.compare(less, s, other)
	tSquare, smaller := b.choose(swapped, other, s), b.choose(swapped, s, other)
	ratio := b.root(b.over(smaller, b.maximum(tSquare, b.number(0x1p-1000))))
	x, y := b.choose(swapped, ratio, b.number(1)), b.choose(swapped, b.number(1), ratio)
	y = b.or(y, b.and(wb, b.bits(signBit)))

	xa := b.times(x, wa)
	tau := b.root(b.fma(y, y, b.times(xa, xa)))
	inverse := b.over(b.number(1), b.maximum(tau, b.number(0x1p-500)))
	alpha := b.times(b.fma(we, y, b.times(wc, xa)), inverse)
	gamma := b.times(b.times(b.times(we, xa), determinant), inverse)

	alphaX, x := b.times(alpha, x), b.times(x, one)
	sAlong, sAcross, sRest := b.fma(tau, row(0), x), b.times(tau, row(1)), b.times(tau, row(4))
	square := b.fma(tau, sRest, b.fma(sAcross, sAcross, b.times(sAlong, sAlong)))
	along := b.fma(alpha, b.fma(row(0), sAlong, b.fma(row(1), sAcross, sRest)), b.times(one, sAcross))
	across := b.fma(alphaX, row(1), sAlong)
	across = b.root(b.fma(b.fma(alphaX, alphaX, b.times(tau, tau)), row(4), b.times(across, across)))
	return b.nextSquares(tSquare, d, square, along, b.times(one, across), gamma, row)
}

// massesWeights returns the numbers a, b, c and e that kernels.NewMassesChain defines, with an amplitude in
// place of σL^{-1/2}, and the determinant 1 - bc/ae.
func (b *block) massesWeights(
	d, difference, amplitude, decay, softmax *node,
) (wa, wb, wc, we, determinant *node) {
	isSoftmax := b.compare(less, b.number(0), softmax)
	r, lost := b.expAndExpm1(b.times(decay, d))
	w := b.plus(lost, b.number(2))

	fourProduct := b.minusFMA(difference, difference, b.number(1))
	product := b.times(fourProduct, b.number(0.25))
	scale := b.over(amplitude, b.fma(b.times(product, lost), lost, r))
	scale = b.choose(isSoftmax, scale, amplitude)
	we = b.xor(b.times(scale, lost), b.bits(signBit))
	we = b.choose(isSoftmax, b.times(we, b.times(product, w)), we)
	wa = b.choose(isSoftmax, amplitude, b.times(amplitude, w))
	wb = b.times(b.times(scale, difference), b.choose(isSoftmax, r, w))
	wc = b.choose(isSoftmax, b.number(0), b.times(difference, we))
	return wa, wb, wc, we, b.choose(isSoftmax, b.number(1), fourProduct)
}

// expAndExpm1 returns e^x and e^x - 1 for x ≤ 0; numbers x below -700 are replaced by -700.
func (b *block) expAndExpm1(x *node) (exp, expm1 *node) {
	t, _, r := b.reduceByLn2(b.maximum(x, b.number(-700)))
	p, power := b.expMinusOneNearZero(r), b.power(t)
	exp = b.plusWord(b.plus(p, b.number(1)), b.shiftLeft(t, 52))
	return exp, b.fma(power, p, b.minus(power, b.number(1)))
}
