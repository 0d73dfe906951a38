package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// trial stores one trial of a pair of χ² numbers in two rows of dst, with -1 in the lanes where the number is
// rejected. trial also writes a byte to rejected for each half of a Vector, which is 0 if no number of this
// half is rejected.
func (m *machine) trial(b *block, c *counters, law reg.GPVirtual, row func(k int) Mem, rejected Mem) {
	product := b.bits(chiSquaredBlock * multiplier0)
	low, high := c.philox(b, product)
	x, y := b.boxMuller(low, high, nil)
	low, high = c.attempt(b, 1).philox(b, product)
	first, rejectFirst := b.chiSquaredTrial(law, x, b.unit(low))
	second, rejectSecond := b.chiSquaredTrial(law, y, b.unit(high))
	b.store(row(firstSquare), first)
	b.store(row(firstSquare+1), second)
	b.storeMask(rejected, b.maskOr(rejectFirst, rejectSecond))
}

// chiSquaredTrial returns a χ² number made from a normal and a uniform number, and the mask of the lanes
// where the χ² number is rejected.
func (b *block) chiSquaredTrial(law reg.GPVirtual, normal, uniform *node) (value, rejected *node) {
	shape, spread := b.readUniform(at(law, 0)), b.readUniform(at(law, 32))
	// In lanes where the root is not positive, the bound is below the logarithm of every uniform number: the
	// bound is 3 ln 2^-52 times the shape, which is above 1, plus at most 37 from the normal number.
	root := b.fma(normal, spread, b.number(1))
	cube := b.times(b.times(root, root), root)
	bound := b.fma(b.log(b.maximum(root, b.number(0x1p-52))), b.number(3), b.minus(b.number(1), cube))
	bound = b.fma(shape, bound, b.times(b.times(normal, b.number(0.5)), normal))
	rejected = b.compare(lessOrEqual, bound, b.log(uniform))
	return b.choose(rejected, b.number(-1), b.times(b.plus(shape, shape), cube)), rejected
}

// logarithms returns the first part of a pair of sums of squares: for each sum, -2 times the logarithm of a
// product of uniform numbers, one from each of the blocks. For zero blocks, logarithms returns 0.
func (b *block) logarithms(c *counters, blocks int) (first, second *node) {
	if blocks == 0 {
		return b.number(0), b.number(0)
	}
	for k := range blocks {
		low, high := c.philox(b, b.bits(uint64(chiSquaredBlock+k)*multiplier0))
		if u, v := b.unit(low), b.unit(high); k == 0 {
			first, second = u, v
		} else {
			first, second = b.times(first, u), b.times(second, v)
		}
	}
	return b.times(b.log(first), b.number(-2)), b.times(b.log(second), b.number(-2))
}

// addSquares adds the squares of two normal numbers to first and second. The normal numbers are made from the
// random block for which product is the product of its number and the first multiplier.
func (b *block) addSquares(c *counters, product, first, second *node) (*node, *node) {
	low, high := c.philox(b, product)
	x, y := b.boxMuller(low, high, nil)
	return b.fma(x, x, first), b.fma(y, y, second)
}

// storeMask writes a mask to a byte in memory, lane 0 to bit 0.
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
