package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// attentionLaw gives access to the four parameters of an attention kernel. Parameter 0 is the factor of an
// inner product in the exponent of a power of 2. Parameter 1 of an attention kernel is the number that is
// added to the exponent to round it to an integer. Parameter 2 is the factor of an unnormalised sum.
// Parameter 3 is 1 for normalised sums, and 0 for unnormalised sums.
type attentionLaw struct{ pointer reg.GPVirtual }

// theLaw emits the loading of the argument law of an attention kernel.
func theLaw() attentionLaw { return attentionLaw{argument("law")} }

func (l attentionLaw) parameter(b *block, k int) *node { return b.readUniform(at(l.pointer, 32*k)) }

// weight returns the attention weight of two tokens, given their inner product.
func (l attentionLaw) weight(b *block, product *node) *node {
	return b.weight(product, l.parameter(b, 0), l.parameter(b, 1))
}

// weight computes an attention weight, which is a power of 2, by Horner's method. Each operation of Horner's
// method waits for the previous operation; in the meantime operations of other pairs of tokens run.
func (b *block) weight(product, scale, shifted *node) *node {
	t := b.fma(product, scale, shifted)
	fraction := b.fmaMinus(product, scale, b.minus(t, shifted))
	c := b.numbers(1, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a0c2p-5, 0x1.3b2ab6fba1ddap-7,
		0x1.5d87fe78a5276p-10, 0x1.430913096fd9fp-13, 0x1.ffcbfc670dcd4p-17, 0x1.62bfd47773353p-20,
		0x1.b524fae627834p-24, 0x1.e6063f7217bc6p-28, 0x1.e9d3fe3952179p-32)
	y := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		y = b.fma(y, fraction, c[k])
	}
	return b.plusWord(y, b.shiftLeft(t, 52))
}

// factor returns the factor by which a sum of tokens with the given total weight is multiplied.
func (l attentionLaw) factor(b *block, total *node) *node {
	normalised := b.compare(less, b.number(0), l.parameter(b, 3))
	return b.choose(normalised, b.over(b.number(1), total), l.parameter(b, 2))
}

func (m *machine) fields() {
	m.pairField()
	m.attention()
	m.pairScores()
	m.pairSums()
	m.pairTerms()
	m.weights()
}

// pairField emits code for the attention of two tokens. In the sum for each token, the term of the token
// itself comes first.
func (m *machine) pairField() {
	m.function("pairField", "func(field, x, masses []"+vector+", d int, law *[4][4]float64)")
	m.eachHalf(func() {
		size := vectorsIn(argument("d"))
		first, second, both := m.pin(), m.pin(), m.pin()
		m.zero(first, second, both)
		x := m.here("x")
		m.groups(argument("d"), 4, func(items int) {
			b := m.block()
			for k := range items {
				u, v := b.load(at(x, 64*k)), b.load(along(x, size, 64*k))
				b.accumulate(first, u, u)
				b.accumulate(both, u, v)
				b.accumulate(second, v, v)
			}
			b.emit()
			advance(items, x)
		})
		own1, own2, other1, other2 := m.pin(), m.pin(), m.pin(), m.pin()
		b := m.block()
		law, masses := theLaw(), m.here("masses")
		m1, m2 := b.read(at(masses, 0)), b.read(at(masses, 64))
		w1, w2, w := law.weight(b, first), law.weight(b, second), law.weight(b, both)
		w11, w12 := b.times(w1, m1), b.times(w, m2)
		w22, w21 := b.times(w2, m2), b.times(w, m1)
		f1, f2 := law.factor(b, b.plus(w11, w12)), law.factor(b, b.plus(w22, w21))
		b.assign(own1, b.times(w11, f1))
		b.assign(other1, b.times(w12, f1))
		b.assign(own2, b.times(w22, f2))
		b.assign(other2, b.times(w21, f2))
		b.emit()
		x = m.here("x")
		field := m.here("field")
		m.groups(argument("d"), 4, func(items int) {
			b := m.block()
			for k := range items {
				u, v := b.load(at(x, 64*k)), b.load(along(x, size, 64*k))
				b.store(at(field, 64*k), b.fma(other1, v, b.times(own1, u)))
				b.store(along(field, size, 64*k), b.fma(other2, u, b.times(own2, v)))
			}
			b.emit()
			advance(items, x, field)
		})
		m.unpin(first, second, both, own1, own2, other1, other2)
	})
	m.finish()
}

// attention emits code for the attention of any number of tokens. The inner product and the weight of a pair
// serve both tokens, and each sum runs over the tokens in their order.
func (m *machine) attention() {
	m.function("attention", "func(field, totals, heavy, x, masses []"+vector+", d int, law *[4][4]float64)")
	a := attentionKernel{machine: m, before: m.local(), weighed: m.local()}
	m.eachHalf(func() {
		m.clear("totals")
		m.clear("field")
		a.weigh()
		a.tiles(func(t *tile) {
			t.multiply()
			t.weigh()
			t.collect()
		})
		a.factors()
	})
	m.finish()
}

// pairScores emits code for the inner products of all pairs of tokens, each pair once, in the order in which
// the kernel of pairSums reads the weights of the pairs.
func (m *machine) pairScores() {
	m.function("pairScores", "func(scores, x, masses []"+vector+", d int)")
	a := attentionKernel{machine: m, before: m.local(), place: m.local()}
	m.eachHalf(func() {
		MOVQ(m.here("scores"), a.place)
		a.tiles(func(t *tile) {
			t.multiply()
			t.keep()
		})
	})
	m.finish()
}

// pairSums emits code for the attention of tokens, given the weights of the pairs of tokens in the order of
// pairScores.
func (m *machine) pairSums() {
	m.function("pairSums",
		"func(field, totals, heavy, x, masses, weights []"+vector+", d int, law *[4][4]float64)")
	a := attentionKernel{machine: m, before: m.local(), weighed: m.local(), place: m.local()}
	m.eachHalf(func() {
		m.clear("totals")
		m.clear("field")
		a.weigh()
		MOVQ(m.here("weights"), a.place)
		a.tiles(func(t *tile) {
			t.fetch()
			t.collect()
		})
		a.factors()
	})
	m.finish()
}

// attentionKernel emits the attention kernels that go over tiles of pairs of tokens.
type attentionKernel struct {
	*machine
	before  Mem // number of tokens before the columns of the current tile
	weighed Mem // pointer to the products of tokens and masses
	place   Mem // pointer to the stored values of the pairs of the next tile
}

// weigh emits code that multiplies tokens by their masses. If all masses are 1, the code uses the tokens
// themselves.
func (a attentionKernel) weigh() {
	heavy, end := a.label("heavy"), a.label("weighed")
	a.unlessOnes(heavy)
	MOVQ(a.here("x"), a.weighed)
	JMP(LabelRef(end))
	Label(heavy)
	a.heavy()
	MOVQ(a.here("heavy"), a.weighed)
	Label(end)
}

// weighedTokens returns a pointer to the products of tokens and masses.
func (a attentionKernel) weighedTokens() reg.GPVirtual {
	p := GP64()
	MOVQ(a.weighed, p)
	return p
}

// unlessOnes emits a jump to a label, which is taken if any mass of a token is not 1.
func (a attentionKernel) unlessOnes(to string) {
	masses, n, found := a.here("masses"), length("masses"), GP64()
	a.repeat(n, func() {
		b := a.block()
		b.maskBits(found, b.compare(equal, b.load(at(masses, 0)), b.number(1)))
		b.emit()
		CMPQ(found, Imm(uint64(1<<a.lanes()-1)))
		JNE(LabelRef(to))
		advance(1, masses)
	})
}

// clear emits the writing of zeros to an argument that is a slice of Vectors.
func (m *machine) clear(name string) {
	zero := m.pin()
	m.zero(zero)
	to := m.here(name)
	m.groups(length(name), 4, func(items int) {
		b := m.block()
		for k := range items {
			b.store(at(to, 64*k), zero)
		}
		b.emit()
		advance(items, to)
	})
	m.unpin(zero)
}

// heavy emits code that multiplies tokens of any dimension by their masses.
func (a attentionKernel) heavy() {
	mass := a.pin()
	x, masses, heavy := a.here("x"), a.here("masses"), a.here("heavy")
	a.repeat(length("masses"), func() {
		b := a.block()
		b.assign(mass, b.read(at(masses, 0)))
		b.emit()
		a.groups(argument("d"), 8, func(items int) {
			b := a.block()
			for k := range items {
				b.store(at(heavy, 64*k), b.times(mass, b.load(at(x, 64*k))))
			}
			b.emit()
			advance(items, x, heavy)
		})
		advance(1, masses)
	})
	a.unpin(mass)
}

// factors emits the multiplication of the sums of all tokens by their factors.
func (a attentionKernel) factors() {
	field, totals, factor := a.here("field"), a.here("totals"), a.pin()
	a.repeat(length("masses"), func() {
		b := a.block()
		b.assign(factor, theLaw().factor(b, b.read(at(totals, 0))))
		b.emit()
		a.multiplyBy(factor, field)
		advance(1, totals)
	})
	a.unpin(factor)
}
