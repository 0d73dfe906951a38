package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const multiplier0, multiplier1 = 0xD2511F53, 0xCD9E8D57

// counters holds the part of the first two rounds of the random number generator that depends only on words 1
// to 3 of the counter. The counters are the same for all random blocks of a lane. Word 0 of the counter is
// the number of the block, which is the same for all lanes.
type counters struct {
	keys     reg.GPVirtual
	first    *node // in round 1: word 3 ⊕ key
	second   *node // in round 2: word 1 ⊕ key
	last     *node // in round 2: high half of the product of word 0, ⊕ key
	product0 *node // in round 2: the product of word 0
}

// key returns word 0 or 1 of the key of a round of the random number generator.
func (c *counters) key(b *block, round, word int) *node {
	return b.readUniform(at(c.keys, 32*(2*round+word)))
}

// counters computes the counters of some lanes from the addresses of their random numbers; the words of these
// addresses begin displacement bytes after address.
func (b *block) counters(address, keys reg.GPVirtual, displacement int) *counters {
	c := &counters{keys: keys}
	word := func(k int) *node { return b.loadWords(at(address, displacement+32*k)) }
	step, trajectory, up := word(0), word(1), word(2)
	// In round 1 of the generator, words 0 and 1 of the result do not depend on the number of the block.
	product1 := b.product32(trajectory, b.bits(multiplier1))
	word0 := b.xor3(b.shiftRight(product1, 32), step, c.key(b, 0, 0))
	c.first = b.xor(up, c.key(b, 0, 1))
	// In round 2 of the generator, the product of word 0 does not depend on the number of the block either.
	c.product0 = b.product32(word0, b.bits(multiplier0))
	c.second = b.xor(product1, c.key(b, 1, 0))
	c.last = b.xor(b.shiftRight(c.product0, 32), c.key(b, 1, 1))
	return c
}

// attempt returns the counters of another attempt at the same addresses, given the exclusive or of the
// numbers of the two attempts.
func (c *counters) attempt(b *block, difference uint64) *counters {
	other := *c
	other.first = b.xor(c.first, b.bits(difference<<20))
	return &other
}

// pinned returns the counters in registers that stay reserved from block to block of the emitted code.
func (c *counters) pinned(b *block) *counters {
	p := &counters{keys: c.keys, first: b.pin(), second: b.pin(), last: b.pin(), product0: b.pin()}
	b.assign(p.first, c.first)
	b.assign(p.second, c.second)
	b.assign(p.last, c.last)
	b.assign(p.product0, c.product0)
	return p
}

func (c *counters) unpin(m *machine) { m.unpin(c.first, c.second, c.last, c.product0) }

// philox returns the two words of a random block, given the product of the number of this block and the first
// multiplier.
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

// oneToTwo maps the lowest 52 bits of a word to a number in [1, 2).
func (b *block) oneToTwo(word *node) *node { return b.andOr(word, b.bits(mantissa), b.bits(one)) }

// unit maps a random word to a number in (0, 1).
func (b *block) unit(word *node) *node { return b.minus(b.oneToTwo(word), b.number(1-0x1p-53)) }

// centred maps a random word to a number in [-½, ½).
func (b *block) centred(word *node) *node { return b.minus(b.oneToTwo(word), b.number(1.5)) }

const halfPi = 0x1.921fb54442d18p+0

// boxMuller returns two normal numbers made from a random block, multiplied by scale if scale is not nil.
func (b *block) boxMuller(low, high, scale *node) (first, second *node) {
	radius := b.root(b.times(b.log(b.unit(low)), b.number(-2)))
	if scale != nil {
		radius = b.times(radius, scale)
	}
	angle := b.fma(b.centred(high), b.number(halfPi), b.number(0x1p-53*halfPi))
	sin, cos := b.sinCosNearZero(angle)
	cos = b.andXor(high, b.bits(signBit), cos)
	swap := b.signMask(b.shiftLeft(high, 1))
	return b.times(radius, b.choose(swap, sin, cos)), b.times(radius, b.choose(swap, cos, sin))
}

// spreadRegister returns a node with the number of a general register in all lanes.
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

// firstProduct computes the product of the number of the first random block and the first multiplier of the
// generator.
func firstProduct() reg.GPVirtual {
	product, multiplier := GP64(), GP64()
	Load(Param("block"), product.As32())
	MOVQ(U64(multiplier0), multiplier)
	IMULQ(multiplier, product)
	return product
}

// source declares the arguments that all kernels for random numbers share.
const source = "addresses [][3][8]uint32, keys *[20][4]uint64, block uint32"

// rows emits a kernel that fills the given number of rows of dst for each Vector of addresses. The function
// body emits the code for the lanes that fit a register.
func (m *machine) rows(name string,
	body func(to, left reg.GPVirtual, c *counters, product, parameter *node)) {
	m.function(name, "func(dst []"+vector+", rows int, "+source+", parameter float64)")
	dst, rows, addresses, n, keys := base("dst"), argument("rows"), base("addresses"), length("addresses"),
		argument("keys")
	first := firstProduct()
	parameter, product := m.pin(), m.pin()
	parameterAddress := parameterOf("parameter")
	m.repeat(n, func() {
		m.halves([]reg.GPVirtual{dst, addresses}, []int{32, 16}, func() {
			b := m.block()
			b.assign(parameter, b.spread(parameterAddress))
			b.assign(product, b.spreadRegister(first))
			c := b.counters(addresses, keys, 0).pinned(b)
			b.emit()
			body(copyOf(dst), copyOf(rows), c, product, parameter)
			c.unpin(m)
		})
		stride := copyOf(rows)
		SHLQ(Imm(6), stride)
		ADDQ(stride, dst)
		ADDQ(Imm(96), addresses)
	})
	m.unpin(parameter, product)
	m.finish()
}

// pairs emits a kernel that makes two rows of random numbers from each random block.
func (m *machine) pairs(name string, together int,
	draw func(b *block, low, high, parameter *node) (first, second *node)) {
	m.rows(name, func(to, left reg.GPVirtual, c *counters, product, parameter *node) {
		lastSecond := GP64()
		blocks := copyOf(left)
		INCQ(blocks)
		SHRQ(Imm(1), blocks)
		m.groups(blocks, together, func(items int) {
			// If the number of rows is odd, the surplus last row is stored in the place of the previous row,
			// which is stored afterwards.
			last := GP64()
			LEAQ(at(to, 128*(items-1)), last)
			LEAQ(at(to, 128*(items-1)+64), lastSecond)
			CMPQ(left, Imm(uint64(2*items)))
			CMOVQLT(last, lastSecond)
			b := m.block()
			words := make([]*node, items)
			for k := range words {
				words[k] = b.plusWord(product, b.bits(uint64(k)*multiplier0))
			}
			b.assign(product, b.plusWord(product, b.bits(uint64(items)*multiplier0)))
			for k, word := range words {
				low, high := c.philox(b, word)
				x, y := draw(b, low, high, parameter)
				if k == items-1 {
					b.store(at(lastSecond, 0), y)
				} else {
					b.store(at(to, 128*k+64), y)
				}
				b.store(at(to, 128*k), x)
			}
			b.emit()
			ADDQ(U32(uint32(128*items)), to)
			SUBQ(Imm(uint64(2*items)), left)
		})
	})
}

// signs emits the kernel whose rows are ±parameter, with the 128 bits of each random block as signs.
func (m *machine) signs() {
	m.rows("signs", func(to, left reg.GPVirtual, c *counters, product, size *node) {
		words := [2]*node{m.pin(), m.pin()}
		loop, end := m.label("block"), m.label("end")
		count := GP64()
		Label(loop)
		TESTQ(left, left)
		JLE(LabelRef(end))
		b := m.block()
		low, high := c.philox(b, product)
		b.assign(words[0], low)
		b.assign(words[1], high)
		b.assign(product, b.plusWord(product, b.bits(multiplier0)))
		b.emit()
		for _, word := range words {
			MOVQ(U64(64), count)
			CMPQ(left, count)
			CMOVQLT(left, count)
			SUBQ(count, left)
			m.groups(count, 8, func(items int) {
				b := m.block()
				for k := range items {
					b.store(at(to, 64*k), b.andXor(b.shiftLeft(word, 63-k), b.bits(signBit), size))
				}
				b.assign(word, b.shiftRight(word, items))
				b.emit()
				ADDQ(U32(uint32(64*items)), to)
			})
		}
		JMP(LabelRef(loop))
		Label(end)
		m.unpin(words[:]...)
	})
}

func (m *machine) random() {
	m.pairs("normals", 4, (*block).boxMuller)
	m.pairs("uniforms", 2, func(b *block, low, high, bound *node) (first, second *node) {
		return b.symmetric(low, bound), b.symmetric(high, bound)
	})
	m.pairs("truncatedNormals", 2, func(b *block, low, high, scale *node) (first, second *node) {
		return b.times(b.truncatedNormal(low), scale), b.times(b.truncatedNormal(high), scale)
	})
	m.signs()
	m.singles()
}

// The constants normalLaw and so on are the laws of random numbers in the kernel singles, with the same
// numbers as in package kernels.
const (
	normalLaw = iota
	uniformLaw
	truncatedNormalLaw
	signLaw
)

// singles emits the kernel that samples only the first row of random numbers, for any of the laws. While an
// operation waits for the previous operation, the kernel singles works on further Vectors, whereas the
// kernels for many rows work on further rows.
func (m *machine) singles() {
	m.function("singles", "func(dst []"+vector+", "+source+", law int, parameter float64)")
	dst, addresses, n := base("dst"), base("addresses"), length("addresses")
	keys, law, first, parameter := argument("keys"), argument("law"), firstProduct(), parameterOf("parameter")
	m.repeat(n, func() {
		var low, high []*node
		for range 64 / m.width() {
			low, high = append(low, m.pin()), append(high, m.pin())
		}
		b := m.block()
		product := b.spreadRegister(first)
		for k := range low {
			one, other := b.counters(addresses, keys, k*m.width()/2).philox(b, product)
			b.assign(low[k], one)
			b.assign(high[k], other)
		}
		b.emit()
		end := m.label("stored")
		convert := func(number func(b *block, low, high, parameter *node) *node) {
			b := m.block()
			p := b.spread(parameter)
			for k := range low {
				b.store(at(dst, k*m.width()), number(b, low[k], high[k], p))
			}
			b.emit()
		}
		for _, c := range []struct {
			law    uint64
			number func(b *block, low, high, parameter *node) *node
		}{
			{normalLaw, func(b *block, low, high, scale *node) *node {
				x, _ := b.boxMuller(low, high, scale)
				return x
			}},
			{uniformLaw, func(b *block, low, _, bound *node) *node { return b.symmetric(low, bound) }},
			{truncatedNormalLaw, func(b *block, low, _, scale *node) *node {
				return b.times(b.truncatedNormal(low), scale)
			}},
		} {
			next := m.label("next")
			CMPQ(law, Imm(c.law))
			JNE(LabelRef(next))
			convert(c.number)
			JMP(LabelRef(end))
			Label(next)
		}
		convert(func(b *block, low, _, size *node) *node {
			return b.andXor(b.shiftLeft(low, 63), b.bits(signBit), size)
		})
		Label(end)
		m.unpin(append(low, high...)...)
		advance(1, dst)
		ADDQ(Imm(96), addresses)
	})
	m.finish()
}

// symmetric maps a random word to a number in (-bound, bound).
func (b *block) symmetric(word, bound *node) *node {
	return b.fma(b.centred(word), b.plus(bound, bound), b.times(bound, b.number(0x1p-52)))
}

// truncatedNormal returns a normal number conditioned to [-2, 2], made from a random word.
func (b *block) truncatedNormal(word *node) *node {
	t := b.fma(b.centred(word), b.number(2), b.number(0x1p-52))
	u := b.minusFMA(t, t, b.number(1))
	u2 := b.times(u, u)
	u4 := b.times(u2, u2)
	u8 := b.times(u4, u4)
	polynomial := func(c []float64) *node {
		n := b.numbers(c...)
		term := func(k int) *node { return b.fma(n[k+1], u, n[k]) }
		q0, q1 := b.fma(term(2), u2, term(0)), b.fma(term(6), u2, term(4))
		q2, q3 := b.fma(term(10), u2, term(8)), b.fma(n[14], u2, term(12))
		return b.fma(b.fma(q3, u4, q2), u8, b.fma(q1, u4, q0))
	}
	return b.times(t, b.over(polynomial(quantileNumerator), polynomial(quantileDenominator)))
}

var (
	quantileNumerator = []float64{
		0x1p+1, 0x1.5ac0816bcd134p+6, 0x1.8e4bd96f7ed0ep+10, 0x1.fc62b11dc425fp+13,
		0x1.8d945a9a5905bp+16, 0x1.8d226ca7ebe76p+18, 0x1.00e695107caecp+20, 0x1.acf1f966a7c44p+20,
		0x1.c5ef859e68fd1p+20, 0x1.269d911c9698ep+20, 0x1.bd245cdfb8774p+18, 0x1.68406b3bb6cf5p+16,
		0x1.0f4f4db2779e2p+13, 0x1.1fbaa4736d323p+8, 0x1.79db7d2d35bd4p+0}
	quantileDenominator = []float64{
		0x1p+0, 0x1.686e4c66ba872p+5, 0x1.b092679469e21p+9, 0x1.2239dd197958cp+13,
		0x1.e0bdd0c0d595ep+15, 0x1.00895789c861cp+18, 0x1.6671df204e5e0p+19, 0x1.477c3e768eaccp+20,
		0x1.81a96ce435609p+20, 0x1.1cb40eea47252p+20, 0x1.f84391ec624adp+18, 0x1.f451d4c7b7bf5p+16,
		0x1.f1c42299b5e1fp+13, 0x1.9600c61531776p+9, 0x1.53debb750d33fp+3}
)
