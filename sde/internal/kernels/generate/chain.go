package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (m *machine) chain() {
	m.chainDraws()
	m.chainSums()
	m.chainStep()
	m.massesStep()
	m.mlpStep("mlpStep", false)
	m.mlpStep("mlpAloneStep", true)
	m.shares()
}

// chainRows is the number of random numbers of a step of the chain of the overlap of two tokens. The random
// numbers from row firstSquare on are a pair of χ² numbers, made from the random blocks from chiSquaredBlock
// on. The largest number of degrees of freedom for which a χ² number is sampled as a sum of squares is
// mostSummed.
const chainRows, firstSquare, chiSquaredBlock, mostSummed = 6, 4, 2, 8

// chainDraws emits the kernel that samples the random numbers of a step of the overlap chain for each Vector
// of addresses: four normal numbers, then one trial of a pair of χ² numbers.
func (m *machine) chainDraws() {
	m.function("chainDraws", "func(dst []"+vector+", rejected [][2]uint8, "+
		"addresses [][3][8]uint32, keys *[20][4]uint64, law *[2][4]float64)")
	rejected, law := base("rejected"), argument("law")
	m.everyAddress(1, func(b *block, c *counters, half int, row func(k int) Mem) {
		b.chainNormals(c, row)
		m.trial(b, c, law, row, Mem{Base: rejected, Disp: half})
	}, rejected)
	m.finish()
}

// chainSums emits the kernel that samples the random numbers of a step of the overlap chain if the pair of χ²
// numbers is sampled as sums of squares. The kernel has separate code for one degree of freedom and for each
// even number of degrees of freedom. For any other odd number, the code for one degree less is executed, and
// a second pass adds a square.
func (m *machine) chainSums() {
	m.function("chainSums",
		"func(dst []"+vector+", addresses [][3][8]uint32, keys *[20][4]uint64, freedom int)")
	freedom, summed := argument("freedom"), argument("freedom")
	one, end := m.label("one"), m.label("end")
	CMPQ(freedom, Imm(1))
	JE(LabelRef(one))
	ANDQ(I32(-2), summed)
	Label(one)
	for _, own := range []int{0, 1, 2, 4, 6, mostSummed} {
		next := m.label("next")
		CMPQ(summed, Imm(uint64(own)))
		JNE(LabelRef(next))
		m.everyAddress(1, func(b *block, c *counters, _ int, row func(k int) Mem) {
			b.chainNormals(c, row)
			first, second := b.logarithms(c, own/2)
			if own == 1 {
				first, second = b.addSquares(c, b.bits(chiSquaredBlock*multiplier0), first, second)
			}
			b.store(row(firstSquare), first)
			b.store(row(firstSquare+1), second)
		})
		Label(next)
	}
	CMPQ(summed, freedom)
	JE(LabelRef(end))
	last, multiplier := summed, GP64()
	SHRQ(Imm(1), last)
	ADDQ(Imm(chiSquaredBlock), last)
	MOVQ(U64(multiplier0), multiplier)
	IMULQ(multiplier, last)
	m.everyAddress(m.inFourRegisters()/2, func(b *block, c *counters, _ int, row func(k int) Mem) {
		first, second := b.load(row(firstSquare)), b.load(row(firstSquare+1))
		first, second = b.addSquares(c, b.spreadRegister(last), first, second)
		b.store(row(firstSquare), first)
		b.store(row(firstSquare+1), second)
	})
	Label(end)
	m.finish()
}

// everyAddress emits the loop over the Vectors of addresses. Each turn of the loop handles as many Vectors as
// the argument together. The function body is called for each half of a Vector, or with AVX-512 for the whole
// Vector, and receives the counters of this part; the function row returns the address of this part of a row
// of dst. The pointers in pairs move on by two bytes for each Vector.
func (m *machine) everyAddress(
	together int, body func(b *block, c *counters, half int, row func(k int) Mem), pairs ...reg.GPVirtual,
) {
	dst, addresses, n, keys := base("dst"), base("addresses"), length("addresses"), argument("keys")
	m.groups(n, together, func(items int) {
		b := m.block()
		b.disjoint = true
		for v := range items {
			for half := range 64 / m.width() {
				c := b.counters(addresses, keys, 96*v+half*m.width()/2)
				body(b, c, half, func(k int) Mem { return at(dst, 64*(chainRows*v+k)+half*m.width()) })
			}
		}
		b.emit()
		ADDQ(U32(uint32(items*chainRows*64)), dst)
		ADDQ(U32(uint32(items*96)), addresses)
		for _, p := range pairs {
			ADDQ(Imm(uint64(2*items)), p)
		}
	})
}

// chainNormals stores the four normal numbers of a step of the overlap chain.
func (b *block) chainNormals(c *counters, row func(k int) Mem) {
	for block := range firstSquare / 2 {
		low, high := c.philox(b, b.bits(uint64(block)*multiplier0))
		first, second := b.boxMuller(low, high, nil)
		b.store(row(2*block), first)
		b.store(row(2*block+1), second)
	}
}

// chainStep emits the arithmetic of a step of the overlap chain.
func (m *machine) chainStep() {
	m.function("chainStep", "func(s, d, sExponent, dExponent, draws []"+vector+", law *[4][4]float64)")
	s, d, sExponent, dExponent, draws, n := base("s"), base("d"), base("sExponent"), base("dExponent"),
		base("draws"), length("s")
	law := argument("law")
	m.groups(n, m.inFourRegisters(), func(items int) {
		b := m.block()
		b.disjoint = true
		for k := range 64 * items / m.width() {
			place := k * m.width()
			row := func(k int) *node { return b.read(at(draws, place/64*chainRows*64+place%64+64*k)) }
			p := func(k int) *node { return b.readUniform(at(law, 32*k)) }
			one, amplitude, decay, softmax := p(0), p(1), p(2), p(3)
			s2, d2 := b.read(at(s, place)), b.read(at(d, place))

			e := b.expm1Negative(b.times(decay, d2))
			w := b.plus(e, b.number(2))
			isSoftmax := b.compare(less, b.number(0), softmax)
			c1 := b.choose(isSoftmax, amplitude, b.times(amplitude, w))
			c2 := b.times(b.xor(b.choose(isSoftmax, b.over(e, w), e), b.bits(signBit)), amplitude)

			along, across := b.fma(c1, row(0), one), b.times(c1, row(1))
			apart := b.fma(b.times(c1, c1), row(4), b.times(along, along))
			newS, newD := b.nextSquares(s2, d2, b.fma(across, across, apart), b.times(one, across),
				b.times(one, b.root(apart)), c2, row)
			m.rescaled(b, newS, b.number(tiniest), at(s, place), at(sExponent, place))
			m.rescaled(b, newD, b.number(tiniest), at(d, place), at(dExponent, place))
		}
		b.emit()
		for _, p := range []reg.GPVirtual{s, d, sExponent, dExponent} {
			ADDQ(U32(uint32(64*items)), p)
		}
		ADDQ(U32(uint32(chainRows*64*items)), draws)
	})
	m.finish()
}

// nextSquares returns |S|² and |D|² after a layer of the overlap chain; see the function of this name in
// package kernels.
func (b *block) nextSquares(s, d, square, along, across, scale *node, row func(k int) *node) (s2, d2 *node) {
	scale = b.times(scale, b.root(square))
	along, across = b.fma(scale, row(2), along), b.fma(scale, row(3), across)
	orthogonal := b.fma(b.times(scale, scale), row(5), b.times(across, across))
	fourth := b.times(square, square)
	difference := b.minus(b.times(s, fourth), b.times(d, b.fma(along, along, orthogonal)))
	return b.newSquares(difference, b.times(b.times(b.times(s, d), fourth), orthogonal))
}

// newSquares returns |S|² and |D|² after both tokens have been normalised, given the difference of |S|² and
// |D|² before the normalisation, and the Gram determinant of S and D. A common factor of S and D does not
// change the result.
func (b *block) newSquares(difference, area *node) (s, d *node) {
	positive := b.and(difference, b.bits(signBit-1))
	norm := b.root(b.fma(area, b.number(4), b.times(difference, difference)))
	sum := b.plus(norm, positive)
	scale := b.over(b.number(1), b.times(norm, sum))
	small := b.times(b.times(area, b.number(8)), scale)
	large := b.times(b.times(b.plus(sum, sum), sum), scale)
	negative := b.signMask(difference)
	return b.choose(negative, small, large), b.choose(negative, large, small)
}

// tiniest is the smallest value of |S|² or |D|² that the overlap chain does not scale up.
const tiniest = 0x1p-400

// rescaled stores |S|² or |D|², here called a square, and its exponent. If the square is not 0 but below
// least, the square is multiplied by 2^256, and 256 is subtracted from the exponent. If the square is above
// 2^-130 and the exponent is negative, the square is multiplied by 2^-256, and 256 is added to the exponent.
func (m *machine) rescaled(b *block, square, least *node, place, exponentPlace Mem) {
	exponent := b.load(exponentPlace)
	tiny := b.maskAnd(b.compare(less, square, least), b.compare(less, b.number(0), square))
	grown := b.maskAnd(b.compare(less, b.number(0x1p-130), square), b.compare(less, exponent, b.number(0)))
	up, down := b.times(square, b.number(0x1p256)), b.times(square, b.number(0x1p-256))
	b.store(place, b.choose(tiny, up, b.choose(grown, down, square)))
	step := b.choose(tiny, b.number(-256), b.choose(grown, b.number(256), b.number(0)))
	b.store(exponentPlace, b.plus(exponent, step))
}
