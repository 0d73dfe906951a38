package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (m *machine) hybrid() {
	m.hybridStep()
	m.hybridMassesStep()
}

// hybridStep emits code for a step of the overlap chain under recursion (7), the hybrid, for clusters of
// equal masses.
func (m *machine) hybridStep() {
	m.function("hybridStep",
		"func(s, d, sExponent, dExponent, v []"+vector+", moves [][2]uint8, law *[6][4]float64)")
	s, d, sExponent, dExponent, v := base("s"), base("d"), base("sExponent"), base("dExponent"), base("v")
	moves, n, law := base("moves"), length("s"), hybridLaw{argument("law")}
	pointers := []reg.GPVirtual{s, d, sExponent, dExponent, v}
	m.eachVector(n, pointers, moves, func(b *block, place int) {
		s2, d2 := b.read(at(s, place)), b.read(at(d, place))
		f := law.amplitude(b, b.read(at(v, place)))
		lost := b.expm1Negative(b.times(law.parameter(b, 2), d2))
		w := b.plus(lost, b.number(2))
		one := b.fma(law.parameter(b, 3), w, law.parameter(b, 1))
		x, y := b.fma(f, w, one), b.minusFMA(f, lost, one)
		p, q := b.times(s2, b.times(x, x)), b.times(d2, b.times(y, y))
		scale := b.over(b.number(4), b.plus(p, q))
		p, q = b.times(p, scale), b.times(q, scale)
		b.store(at(s, place), p)
		b.store(at(d, place), q)
		b.storeMoves(p, q, b.minimum(p, q), at(sExponent, place), at(dExponent, place), at(moves, place/32))
	})
	m.finish()
}

// hybridMassesStep emits code for a step of the overlap chain under recursion (7), the hybrid, for clusters
// of any masses.
func (m *machine) hybridMassesStep() {
	m.function("hybridMassesStep",
		"func(s, d, sExponent, dExponent, difference, v []"+vector+", moves [][2]uint8, law *[6][4]float64)")
	s, d, sExponent, dExponent, v := base("s"), base("d"), base("sExponent"), base("dExponent"), base("v")
	difference, moves, n, law := base("difference"), base("moves"), length("s"), hybridLaw{argument("law")}
	pointers := []reg.GPVirtual{s, d, sExponent, dExponent, difference, v}
	m.eachVector(n, pointers, moves, func(b *block, place int) {
		s2, d2, masses := b.read(at(s, place)), b.read(at(d, place)), b.read(at(difference, place))
		f, one := law.amplitude(b, b.read(at(v, place))), law.parameter(b, 0)
		wa, wb, wc, we, _ := b.massesWeights(d2, masses, b.number(1),
			law.parameter(b, 2), law.parameter(b, 3))
		x, y := b.fma(f, wa, one), b.fma(f, we, one)
		wb, wc = b.times(f, wb), b.times(f, wc)
		p := b.fma(b.times(wb, wb), d2, b.times(s2, b.times(x, x)))
		q := b.fma(b.times(wc, wc), s2, b.times(d2, b.times(y, y)))
		determinant := b.minusFMA(wb, wc, b.times(x, y))
		newS, newD := b.newSquares(b.minus(p, q), b.times(b.times(s2, d2), b.times(determinant, determinant)))
		b.store(at(s, place), newS)
		b.store(at(d, place), newD)
		sameMasses := b.compare(equal, masses, b.number(0))
		small := b.minimum(b.choose(sameMasses, newS, b.number(4)), newD)
		b.storeMoves(newS, newD, small, at(sExponent, place), at(dExponent, place), at(moves, place/32))
	})
	m.finish()
}

// storeMoves stores the mask of the lanes in which |S|² or |D|², here called squares, must be rescaled. The
// argument small is the smaller of the squares that may be too small.
func (b *block) storeMoves(s, d, small *node, sExponent, dExponent, moves Mem) {
	tiny := b.maskAnd(b.compare(less, b.number(0), small), b.compare(less, small, b.number(tiniestHybrid)))
	// If a square is above 2^-130 and its exponent is not 0, the exponent is at most -64, so that the product
	// grown is below -2^-124.
	grown := b.minimum(b.times(s, b.read(sExponent)), b.times(d, b.read(dExponent)))
	b.storeMask(moves, b.maskOr(tiny, b.compare(less, grown, b.number(-0x1p-124))))
}

// tiniestHybrid is the smallest value of |S|² or |D|² that the overlap chain of the hybrid does not scale up.
const tiniestHybrid = 0x1p-240

// hybridLaw gives access to the parameters of the kernels for the overlap chain of the hybrid.
type hybridLaw struct{ pointer reg.GPVirtual }

func (l hybridLaw) parameter(b *block, k int) *node { return b.readUniform(at(l.pointer, 32*k)) }

// amplitude returns the factor f of attention in a layer of the hybrid, given the random number v.
func (l hybridLaw) amplitude(b *block, v *node) *node {
	return b.fma(l.parameter(b, 4), v, l.parameter(b, 5))
}

// eachVector emits code that executes body for each register of n Vectors. The pointers move on from Vector
// to Vector, and the pointer pairs moves on by two bytes. The argument place of body is the distance in bytes
// of the register from the pointers.
func (m *machine) eachVector(
	n reg.GPVirtual, pointers []reg.GPVirtual, pairs reg.GPVirtual, body func(b *block, place int),
) {
	m.repeat(n, func() {
		b := m.block()
		b.disjoint = true
		for place := 0; place < 64; place += m.width() {
			body(b, place)
		}
		b.emit()
		advance(1, pointers...)
		ADDQ(Imm(2), pairs)
	})
}
