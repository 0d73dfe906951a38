package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const multiplier0, multiplier1 = 0xD2511F53, 0xCD9E8D57

// counters is what the blocks of some lanes have in common: all that the first two
// rounds of the generator compute of the words 1 to 3 of the counter alone. Word 0,
// the block's number, is the same for all lanes; its product with the first multiplier
// is kept.
type counters struct {
	keys                reg.GPVirtual
	product             *node // block·multiplier0
	first, second, last *node // step⊕…: see prepare
	step, product0      *node
}

// key is word 0 or 1 of a round's key.
func (c *counters) key(b *block, round, word int) *node {
	return b.readUniform(at(c.keys, 32*(2*round+word)))
}

// counters computes the lanes' part of the counters from their addresses, and pins it.
// firstBlock has the product of the first block's number.
func (m *machine) counters(address, keys, firstBlock reg.GPVirtual, attempt *reg.GPVirtual) *counters {
	c := &counters{keys: keys, product: m.pin(), first: m.pin(), second: m.pin(), last: m.pin(), product0: m.pin()}
	b := m.block()
	step, trajectory, up := b.loadWords(at(address, 0)), b.loadWords(at(address, 32)), b.loadWords(at(address, 64))
	if attempt != nil {
		up = b.or(up, b.spreadRegister(*attempt))
	}
	// Round 1: words 0 and 1 of the result do not depend on the block.
	product1 := b.product32(trajectory, b.bits(multiplier1))
	word0 := b.xor3(b.shiftRight(product1, 32), step, c.key(b, 0, 0))
	b.assign(c.first, b.xor(up, c.key(b, 0, 1)))
	// Round 2: nor does the product of word 0.
	product0 := b.product32(word0, b.bits(multiplier0))
	b.assign(c.second, b.xor(product1, c.key(b, 1, 0)))
	b.assign(c.last, b.xor(b.shiftRight(product0, 32), c.key(b, 1, 1)))
	b.assign(c.product0, product0)
	b.assign(c.product, b.spreadRegister(firstBlock))
	b.emit()
	return c
}

func (c *counters) unpin(m *machine) { m.unpin(c.product, c.first, c.second, c.last, c.product0) }

// philox is the block whose product with the first multiplier is given, as two words.
func (c *counters) philox(b *block, product *node) (low, high *node) {
	w2, w3 := b.xor(b.shiftRight(product, 32), c.first), product
	p1 := b.product32(w2, b.bits(multiplier1))
	w0, w1 := b.xor(b.shiftRight(p1, 32), c.second), p1
	w2, w3 = b.xor(w3, c.last), c.product0
	for round := 2; ; round++ {
		p0 := b.product32(w0, b.bits(multiplier0))
		p1 := b.product32(w2, b.bits(multiplier1))
		k0, k1 := c.key(b, round, 0), c.key(b, round, 1)
		if round == 9 {
			mask := b.bits(1<<32 - 1)
			low = b.xor(b.andXor(w1, mask, b.exchangeHalves(p1)), k0)
			high = b.xor(b.andXor(w3, mask, b.exchangeHalves(p0)), k1)
			return low, high
		}
		w0, w1, w2, w3 = b.xor3(b.shiftRight(p1, 32), w1, k0), p1, b.xor3(b.shiftRight(p0, 32), w3, k1), p0
	}
}

// oneToTwo maps the low 52 bits to [1, 2).
func (b *block) oneToTwo(word *node) *node { return b.andOr(word, b.bits(mantissa), b.bits(one)) }

// unit maps a word to (0, 1).
func (b *block) unit(word *node) *node { return b.minus(b.oneToTwo(word), b.number(1-0x1p-53)) }

// centred maps a word to [-½, ½).
func (b *block) centred(word *node) *node { return b.minus(b.oneToTwo(word), b.number(1.5)) }

const halfPi = 0x1.921fb54442d18p+0

// boxMuller is two normal numbers from a block.
func (b *block) boxMuller(low, high, scale *node) (first, second *node) {
	radius := b.root(b.times(b.logNormal(b.unit(low)), b.number(-2)))
	if scale != nil {
		radius = b.times(radius, scale)
	}
	angle := b.fma(b.centred(high), b.number(halfPi), b.number(0x1p-53*halfPi))
	sin, cos := b.sinCosNearZero(angle)
	cos = b.andXor(high, b.bits(signBit), cos)
	swap := b.signMask(b.shiftLeft(high, 1))
	return b.times(radius, b.choose(swap, sin, cos)), b.times(radius, b.choose(swap, cos, sin))
}

// spreadRegister is a general register's number in all lanes.
func (b *block) spreadRegister(r reg.GPVirtual) *node {
	return b.add(&node{}, func(e *emitter, o *operation) {
		to := e.target(o.to, false)
		if e.wide {
			VPBROADCASTQ(r, to)
			return
		}
		VMOVQ(r, to.(reg.VecPhysical).AsX())
		VPBROADCASTQ(to.(reg.VecPhysical).AsX(), to)
	})
}

// fill emits a kernel that fills, for each of n Vectors of trajectories, the given
// number of rows of Vectors, two of them from a block of random bits: draw gives
// the two rows of one block. Of the last block the second may be left over.
func (m *machine) fill(name string, together int, draw func(b *block, low, high, parameter *node) []*node) {
	m.function(name, "func(dst []"+vector+", rows int, addresses [][3][8]uint32, keys *[20][4]uint64, block uint32, parameter float64)")
	dst, rows, addresses, n, keys := base("dst"), argument("rows"), base("addresses"), length("addresses"), argument("keys")
	parameter, parameterAddress := m.pin(), parameterOf("parameter")
	product, multiplier := GP64(), GP64()
	Load(Param("block"), product.As32())
	MOVQ(U64(multiplier0), multiplier)
	IMULQ(multiplier, product)
	m.repeat(n, func() {
		m.columns([]reg.GPVirtual{dst, addresses}, []int{8, 4}, func() {
			b := m.block()
			b.assign(parameter, b.spread(parameterAddress))
			b.emit()
			c := m.counters(addresses, keys, product, nil)
			to, left := copyOf(dst), copyOf(rows)
			emit := func(count int, second reg.Register) {
				b := m.block()
				words := make([]*node, count)
				for k := range words {
					words[k] = b.plusWord(c.product, b.bits(uint64(k)*multiplier0))
				}
				b.assign(c.product, b.plusWord(c.product, b.bits(uint64(count)*multiplier0)))
				for k, word := range words {
					low, high := c.philox(b, word)
					values := draw(b, low, high, parameter)
					b.store(at(second, 128*k), values[1])
					b.store(at(to, 128*k), values[0])
				}
				b.emit()
				ADDQ(U32(uint32(128*count)), to)
				SUBQ(Imm(uint64(2*count)), left)
			}
			many, few, end := m.label("many"), m.label("few"), m.label("end")
			second := GP64()
			Label(many)
			CMPQ(left, Imm(uint64(2*together)))
			JLT(LabelRef(few))
			LEAQ(at(to, 64), second)
			emit(together, second)
			JMP(LabelRef(many))
			Label(few)
			TESTQ(left, left)
			JLE(LabelRef(end))
			// A second row that is left over is stored below the first.
			LEAQ(at(to, 64), second)
			CMPQ(left, Imm(1))
			CMOVQEQ(to, second)
			emit(1, second)
			JMP(LabelRef(few))
			Label(end)
			c.unpin(m)
		})
		stride := copyOf(rows)
		SHLQ(Imm(6), stride)
		ADDQ(stride, dst)
		ADDQ(Imm(96), addresses)
	})
	m.unpin(parameter)
	m.finish()
}

func (m *machine) random() {
	m.fill("normals", 4, func(b *block, low, high, scale *node) []*node {
		first, second := b.boxMuller(low, high, scale)
		return []*node{first, second}
	})
}
