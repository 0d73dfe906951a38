package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// trial stores one trial of a pair of χ² numbers: two rows of dst, -1 where a lane's number is
// rejected. A byte of rejected, one for each half of a Vector, stays 0 where nothing was.
func (m *machine) trial(b *block, c *counters, product *node, law, dst reg.GPVirtual, place func(row int) int, rejected Mem) {
	low, high := c.philox(b, product)
	x, y := b.boxMuller(low, high, nil)
	low, high = c.attempt(b, 1).philox(b, product)
	first, rejectFirst := b.chiSquaredTrial(law, x, b.unit(low))
	second, rejectSecond := b.chiSquaredTrial(law, y, b.unit(high))
	b.store(at(dst, place(0)), first)
	b.store(at(dst, place(1)), second)
	b.storeMask(rejected, b.maskOr(rejectFirst, rejectSecond))
}

// chiSquaredTrial is a number from a normal and a uniform one, and where it is rejected.
func (b *block) chiSquaredTrial(law reg.GPVirtual, normal, uniform *node) (value, rejected *node) {
	shape, spread := b.readUniform(at(law, 0)), b.readUniform(at(law, 32))
	// The root is not positive only where the bound is below every logarithm: 3 ln 2^-52
	// times the shape, which is above 1, against at most 37 for the normal number.
	root := b.fma(normal, spread, b.number(1))
	cube := b.times(b.times(root, root), root)
	bound := b.fma(b.logNormal(b.maximum(root, b.number(0x1p-52))), b.number(3), b.minus(b.number(1), cube))
	bound = b.fma(shape, bound, b.times(b.times(normal, b.number(0.5)), normal))
	rejected = b.compare(lessOrEqual, bound, b.logNormal(uniform))
	return b.choose(rejected, b.number(-1), b.times(b.plus(shape, shape), cube)), rejected
}

// summedSquares is a pair of χ² numbers that are sums, from the blocks numbered from start.
func (b *block) summedSquares(c *counters, freedom, start int) (first, second *node) {
	words := func(k int) (low, high *node) { return c.philox(b, b.bits(uint64(start+k)*multiplier0)) }
	first, second = b.number(0), b.number(0)
	if exponentials := freedom / 2; exponentials > 0 {
		low, high := words(0)
		u, v := b.unit(low), b.unit(high)
		for k := 1; k < exponentials; k++ {
			low, high = words(k)
			u, v = b.times(u, b.unit(low)), b.times(v, b.unit(high))
		}
		first, second = b.times(b.logNormal(u), b.number(-2)), b.times(b.logNormal(v), b.number(-2))
	}
	if freedom%2 == 1 {
		low, high := words(freedom / 2)
		x, y := b.boxMuller(low, high, nil)
		first, second = b.fma(x, x, first), b.fma(y, y, second)
	}
	return first, second
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
