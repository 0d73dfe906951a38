package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// chiSquared emits the kernel of one trial of a pair of χ² numbers for each Vector of
// addresses: two rows of dst, -1 where a lane's number is rejected. Where a byte of
// rejected (one for each half of a Vector) stays 0, nothing was.
func (m *machine) chiSquared() {
	m.function("chiSquared", "func(dst []"+vector+", rejected [][2]uint8, "+source+", laws *[2][6][4]float64)")
	dst, rejected, addresses, n, keys := base("dst"), base("rejected"), base("addresses"), length("addresses"), argument("keys")
	laws := argument("laws")
	first := firstProduct()
	product := m.pin()
	b := m.block()
	b.assign(product, b.spreadRegister(first))
	b.emit()
	m.groups(n, 2, func(items int) {
		b := m.block()
		for v := range items {
			for half := range 64 / m.width() {
				at := func(row int) int { return 128*v + 64*row + half*m.width() }
				c := b.counters(addresses, keys, 96*v+half*m.width()/2)
				m.trial(b, c, product, laws, dst, at, Mem{Base: rejected, Disp: 2*v + half})
			}
		}
		b.emit()
		ADDQ(U32(uint32(128*items)), dst)
		ADDQ(U32(uint32(96*items)), addresses)
		ADDQ(U32(uint32(2*items)), rejected)
	})
	m.unpin(product)
	m.finish()
}

// trial stores one trial of the pair.
func (m *machine) trial(b *block, c *counters, product *node, laws, dst reg.GPVirtual, place func(row int) int, rejected Mem) {
	low, high := c.philox(b, product)
	x, y := b.boxMuller(low, high, nil)
	low, high = c.attempt(b, 1).philox(b, product)
	first, rejectFirst := b.chiSquaredTrial(laws, 0, x, b.unit(low))
	second, rejectSecond := b.chiSquaredTrial(laws, 1, y, b.unit(high))
	b.store(at(dst, place(0)), first)
	b.store(at(dst, place(1)), second)
	b.storeMask(rejected, b.maskOr(rejectFirst, rejectSecond))
}

// chiSquaredTrial is a number from a normal and a uniform one, and where it is rejected.
func (b *block) chiSquaredTrial(laws reg.GPVirtual, number int, normal, uniform *node) (value, rejected *node) {
	parameter := func(k int) *node { return b.readUniform(at(laws, 32*(6*number+k))) }
	shape, spread, allowance := parameter(0), parameter(1), parameter(2)
	isOne, isTwo, isMore := parameter(3), parameter(4), parameter(5)
	log := b.logNormal(uniform)
	square := b.times(normal, normal)

	// The root is not positive only where the bound is below every logarithm: 3 ln 2^-52
	// times the shape, which is above 1, against at most 37 for the normal number.
	root := b.fma(normal, spread, b.number(1))
	cube := b.times(b.times(root, root), root)
	bound := b.fma(b.logNormal(b.maximum(root, b.number(0x1p-52))), b.number(3), b.minus(b.number(1), cube))
	bound = b.plus(b.fma(shape, bound, b.times(b.times(normal, b.number(0.5)), normal)), allowance)
	rejected = b.compare(lessOrEqual, bound, log)

	value = b.and(square, isOne)
	value = b.or(value, b.and(b.times(log, b.number(-2)), isTwo))
	value = b.or(value, b.and(b.times(b.plus(shape, shape), cube), isMore))
	return b.choose(rejected, b.number(-1), value), rejected
}

// normalSquares is a pair of χ² numbers as of trial, with at most one degree of freedom.
func (b *block) normalSquares(c *counters, product *node, laws reg.GPVirtual) (first, second *node) {
	low, high := c.philox(b, product)
	x, y := b.boxMuller(low, high, nil)
	isOne := func(number int) *node { return b.readUniform(at(laws, 32*(6*number+3))) }
	return b.and(b.times(x, x), isOne(0)), b.and(b.times(y, y), isOne(1))
}

// exponentials is a pair of χ² numbers as of trial, with two degrees of freedom.
func (b *block) exponentials(c *counters, product *node, _ reg.GPVirtual) (first, second *node) {
	low, high := c.attempt(b, 1).philox(b, product)
	exponential := func(word *node) *node { return b.times(b.logNormal(b.unit(word)), b.number(-2)) }
	return exponential(low), exponential(high)
}

// storeMask writes a mask to a byte, lane 0 lowest.
func (b *block) storeMask(memory Mem, mask *node) {
	b.add(nil, func(e *emitter, o *operation) {
		r := e.in(o.sources[0])
		if e.wide {
			KMOVB(r, memory)
			return
		}
		bits := GP32()
		VMOVMSKPD(r, bits)
		MOVB(bits.As8(), memory)
	}, mask)
	b.last().stores = &memory
}
