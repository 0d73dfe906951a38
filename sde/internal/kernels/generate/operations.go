package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type instruction = func(ops ...Op)

func fixed3(f func(a, b, c Op)) instruction { return func(o ...Op) { f(o[0], o[1], o[2]) } }

// pair is an instruction in two forms: the plain form, and the form in which the last operand is broadcast
// from one number in memory.
type pair struct{ plain, broadcast instruction }

func (p pair) of(broadcast bool) instruction {
	if broadcast {
		return p.broadcast
	}
	return p.plain
}

var (
	add   = pair{VADDPD, VADDPD_BCST}
	sub   = pair{VSUBPD, VSUBPD_BCST}
	mul   = pair{VMULPD, VMULPD_BCST}
	div   = pair{VDIVPD, VDIVPD_BCST}
	maxd  = pair{VMAXPD, VMAXPD_BCST}
	mind  = pair{VMINPD, VMINPD_BCST}
	addq  = pair{VPADDQ, VPADDQ_BCST}
	mulu  = pair{VPMULUDQ, VPMULUDQ_BCST}
	andw  = pair{VPANDQ, VPANDQ_BCST}
	orw   = pair{VPORQ, VPORQ_BCST}
	xorw  = pair{VPXORQ, VPXORQ_BCST}
	and   = pair{plain: fixed3(VPAND)}
	or    = pair{plain: fixed3(VPOR)}
	xor   = pair{plain: fixed3(VPXOR)}
	tern  = pair{VPTERNLOGQ, VPTERNLOGQ_BCST}
	fmadd = [3]pair{{VFMADD132PD, VFMADD132PD_BCST}, {VFMADD213PD, VFMADD213PD_BCST},
		{VFMADD231PD, VFMADD231PD_BCST}}
	fmsub = [3]pair{{VFMSUB132PD, VFMSUB132PD_BCST}, {VFMSUB213PD, VFMSUB213PD_BCST},
		{VFMSUB231PD, VFMSUB231PD_BCST}}
	fnadd = [3]pair{{VFNMADD132PD, VFNMADD132PD_BCST}, {VFNMADD213PD, VFNMADD213PD_BCST},
		{VFNMADD231PD, VFNMADD231PD_BCST}}
)

func (e *emitter) move(from, to Op) { VMOVUPD(from, to) }

func (e *emitter) loadInto(n *node, r reg.Register) {
	if n.uniform && e.wide {
		VBROADCASTSD(*n.memory, r)
		return
	}
	e.move(*n.memory, r)
}

// slot returns a place on the stack for the value of one register; the next block may use this place again.
func (e *emitter) slot() Mem {
	if e.spilled == len(e.slots) {
		e.machine.slots = append(e.machine.slots, e.local())
	}
	e.spilled++
	return e.slots[e.spilled-1]
}

// binary adds the operation x∘y to the block. The operand y may be in memory, and if the operation commutes,
// x may also be in memory.
func (b *block) binary(p pair, commutes bool, x, y *node) *node {
	return b.add(&node{}, func(e *emitter, o *operation) {
		x, y := o.sources[0], o.sources[1]
		if commutes && x.register == nil && y.register != nil {
			x, y = y, x
		}
		rx := e.in(x)
		oy, broadcast := e.operand(y)
		p.of(broadcast)(oy, rx, e.target(o.to, true, x, y))
	}, x, y)
}

func (b *block) plus(x, y *node) *node     { return b.binary(add, true, x, y) }
func (b *block) minus(x, y *node) *node    { return b.binary(sub, false, x, y) }
func (b *block) times(x, y *node) *node    { return b.binary(mul, true, x, y) }
func (b *block) over(x, y *node) *node     { return b.takes(24, b.binary(div, false, x, y)) }
func (b *block) maximum(x, y *node) *node  { return b.binary(maxd, false, x, y) } // y if x or y is NaN
func (b *block) minimum(x, y *node) *node  { return b.binary(mind, false, x, y) } // y if x or y is NaN
func (b *block) plusWord(x, y *node) *node { return b.takes(1, b.binary(addq, true, x, y)) }

// product32 returns, in each 64-bit lane, the product of the low 32 bits of x and y.
func (b *block) product32(x, y *node) *node { return b.takes(5, b.binary(mulu, true, x, y)) }

func (b *block) and(x, y *node) *node {
	if b.wide {
		return b.takes(1, b.binary(andw, true, x, y))
	}
	return b.takes(1, b.binary(and, true, x, y))
}

func (b *block) or(x, y *node) *node {
	if b.wide {
		return b.takes(1, b.binary(orw, true, x, y))
	}
	return b.takes(1, b.binary(or, true, x, y))
}

func (b *block) xor(x, y *node) *node {
	if b.wide {
		return b.takes(1, b.binary(xorw, true, x, y))
	}
	return b.takes(1, b.binary(xor, true, x, y))
}

// xor3 returns x ⊕ y ⊕ z. An operand in memory should be z.
func (b *block) xor3(x, y, z *node) *node {
	if !b.wide {
		return b.xor(b.xor(x, z), y)
	}
	return b.ternary(0x96, x, y, z)
}

// andOr returns x&y | z.
func (b *block) andOr(x, y, z *node) *node {
	if !b.wide {
		return b.or(b.and(x, y), z)
	}
	return b.ternary(0xea, x, y, z)
}

// andXor returns x&y ⊕ z.
func (b *block) andXor(x, y, z *node) *node {
	if !b.wide {
		return b.xor(b.and(x, y), z)
	}
	return b.ternary(0x6a, x, y, z)
}

// ternary returns the function of three bits that has the given truth table. The index into the table has x
// as bit 2, y as bit 1 and z as bit 0. The instruction for ternary functions overwrites x.
func (b *block) ternary(table uint8, x, y, z *node) *node {
	return b.takes(1, b.add(&node{}, func(e *emitter, o *operation) {
		x, y, z := o.sources[0], o.sources[1], o.sources[2]
		ry := e.in(y)
		to := e.copied(o.to, x)
		oz, broadcast := e.operand(z)
		tern.of(broadcast)(U8(table), oz, ry, to)
	}, x, y, z))
}

// copied returns a register with the value of x, for the result of an instruction that overwrites its source
// x: the register of x itself if no later operation uses x, and otherwise a register with a copy.
func (e *emitter) copied(to, x *node) reg.Register {
	if to == x {
		return x.register
	}
	if x.register != nil && !to.pinned && e.dies(x) {
		return e.target(to, true, x)
	}
	e.holdConstant(x)
	r := e.target(to, false)
	if x.register != nil {
		e.move(x.register, r)
	} else {
		e.loadInto(x, r)
	}
	return r
}

func (b *block) shift(f instruction, x *node, count int) *node {
	return b.takes(1, b.add(&node{}, func(e *emitter, o *operation) {
		x := o.sources[0]
		r := e.in(x)
		f(U8(uint8(count)), r, e.target(o.to, true, x))
	}, x))
}

func (b *block) shiftRight(x *node, count int) *node { return b.shift(VPSRLQ, x, count) }
func (b *block) shiftLeft(x *node, count int) *node  { return b.shift(VPSLLQ, x, count) }

// exchangeHalves returns x with the two 32-bit halves of each 64-bit word exchanged.
func (b *block) exchangeHalves(x *node) *node { return b.shift(VPSHUFD, x, 0xb1) }

func (b *block) root(x *node) *node {
	return b.takes(31, b.add(&node{}, func(e *emitter, o *operation) {
		x := o.sources[0]
		r := e.in(x)
		VSQRTPD(r, e.target(o.to, true, x))
	}, x))
}

func (b *block) fused(forms [3]pair, to, x, y, z *node) *node {
	return b.add(to, func(e *emitter, o *operation) {
		x, y, z := o.sources[0], o.sources[1], o.sources[2]
		overwritten := e.overwritten(o.to, x, y, z)
		switch overwritten {
		case z:
			if x.register == nil {
				x, y = y, x
			}
			rx := e.in(x)
			oy, broadcast := e.operand(y)
			forms[2].of(broadcast)(oy, rx, e.copied(o.to, z))
			return
		case y:
			x, y = y, x
		}
		// The instruction overwrites x and computes x·y + z, where z or y may be an operand in memory.
		if y.register == nil && z.register != nil {
			rz := e.in(z)
			oy, broadcast := e.operand(y)
			forms[0].of(broadcast)(oy, rz, e.copied(o.to, x))
			return
		}
		ry := e.in(y)
		oz, broadcast := e.operand(z)
		forms[1].of(broadcast)(oz, ry, e.copied(o.to, x))
	}, x, y, z)
}

// overwritten chooses which of its three sources x, y and z a fused instruction overwrites. If the result has
// a pinned register, z is overwritten. If the register of the result is not pinned, a source is overwritten
// that no later operation uses or, failing that, a source that has to be loaded anyway.
func (e *emitter) overwritten(to, x, y, z *node) *node {
	if to.pinned {
		if to == x || to == y {
			panic("only a sum accumulates")
		}
		return z
	}
	for _, n := range []*node{z, x, y} {
		if n.register != nil && e.dies(n) {
			return n
		}
	}
	for _, n := range []*node{x, z, y} {
		if n.register == nil {
			return n
		}
	}
	return z
}

func (b *block) fma(x, y, z *node) *node      { return b.fused(fmadd, &node{}, x, y, z) } // x·y + z
func (b *block) fmaMinus(x, y, z *node) *node { return b.fused(fmsub, &node{}, x, y, z) } // x·y - z
func (b *block) minusFMA(x, y, z *node) *node { return b.fused(fnadd, &node{}, x, y, z) } // z - x·y
func (b *block) accumulate(sum, x, y *node)   { b.fused(fmadd, sum, x, y, sum) }          // sum += x·y
func (b *block) assign(to, x *node) *node {
	return b.add(to, func(e *emitter, o *operation) {
		if x := o.sources[0]; x.register != nil {
			e.move(x.register, e.target(o.to, false))
		} else {
			e.loadInto(x, e.target(o.to, false))
		}
	}, x)
}

// load reads a value from memory at this point of the program. Memory that later operations may change must
// be read by load instead of read.
func (b *block) load(memory Mem) *node {
	n := b.add(&node{}, func(e *emitter, o *operation) { e.move(memory, e.target(o.to, false)) })
	b.last().loads = &memory
	return n
}

// loadWords reads one 32-bit word for each lane from memory, and extends the word to 64 bits.
func (b *block) loadWords(memory Mem) *node {
	return b.add(&node{}, func(e *emitter, o *operation) { VPMOVZXDQ(memory, e.target(o.to, false)) })
}

// spread reads one number from memory, and returns a node with this number in all lanes.
func (b *block) spread(memory Mem) *node {
	return b.add(&node{}, func(e *emitter, o *operation) { VBROADCASTSD(memory, e.target(o.to, false)) })
}

func (b *block) store(memory Mem, x *node) {
	b.add(nil, func(e *emitter, o *operation) { e.move(e.in(o.sources[0]), memory) }, x)
	b.last().stores = &memory
}

// The constants less and so on are the predicates of comparisons. If either operand is NaN, all predicates
// are false except unordered.
const (
	less        = 0x11
	lessOrEqual = 0x12
	equal       = 0x00
	unordered   = 0x03
)

// compare returns the mask of the lanes in which the comparison holds.
func (b *block) compare(predicate uint8, x, y *node) *node {
	return b.add(&node{mask: true}, func(e *emitter, o *operation) {
		x, y := o.sources[0], o.sources[1]
		rx := e.in(x)
		oy, broadcast := e.operand(y)
		pair{VCMPPD, VCMPPD_BCST}.of(broadcast)(U8(predicate), oy, rx, e.target(o.to, false))
	}, x, y)
}

// signMask returns the mask of the lanes whose sign bit is set.
func (b *block) signMask(x *node) *node {
	if !b.wide {
		return x
	}
	return b.add(&node{mask: true}, func(e *emitter, o *operation) {
		VPMOVQ2M(e.in(o.sources[0]), e.target(o.to, false))
	}, x)
}

func (b *block) maskAnd(x, y *node) *node { return b.maskOperation(KANDB, VANDPD, x, y) }
func (b *block) maskOr(x, y *node) *node  { return b.maskOperation(KORB, VORPD, x, y) }

func (b *block) maskOperation(wide func(a, b, c Op), narrow instruction, x, y *node) *node {
	return b.add(&node{mask: true}, func(e *emitter, o *operation) {
		rx, ry := e.in(o.sources[0]), e.in(o.sources[1])
		to := e.target(o.to, false)
		if e.wide {
			wide(rx, ry, to)
		} else {
			narrow(rx, ry, to)
		}
	}, x, y)
}

// choose returns x in the lanes where the mask is set, and y in the other lanes.
func (b *block) choose(mask, x, y *node) *node {
	return b.takes(2, b.add(&node{}, func(e *emitter, o *operation) {
		mask, x, y := o.sources[0], o.sources[1], o.sources[2]
		rm, ry := e.in(mask), e.in(y)
		if !e.wide {
			if x.register == nil && x.uniform {
				e.in(x)
			}
			ox, _ := e.operand(x)
			VBLENDVPD(rm, ox, ry, e.target(o.to, true, x, y))
			return
		}
		ox, broadcast := e.operand(x)
		pair{VBLENDMPD, VBLENDMPD_BCST}.of(broadcast)(ox, ry, rm, e.target(o.to, true, x, y))
	}, mask, x, y))
}

// maskBits copies a mask to the low bits of a general register, lane 0 to bit 0.
func (b *block) maskBits(to reg.GPVirtual, mask *node) {
	b.add(nil, func(e *emitter, o *operation) {
		r := e.in(o.sources[0])
		if e.wide {
			KMOVB(r, to.As32())
		} else {
			VMOVMSKPD(r, to.As32())
		}
	}, mask)
}

// pin reserves a register for a value that is used in several blocks; unpin frees this register.
func (m *machine) pin() *node {
	for k := len(m.vectors) - 1; k >= 0; k-- {
		taken := false
		for _, p := range m.pins {
			taken = taken || p.register == m.vectors[k]
		}
		if !taken {
			n := &node{pinned: true, register: m.vectors[k]}
			m.pins = append(m.pins, n)
			return n
		}
	}
	panic("no register to pin")
}

func (m *machine) unpin(nodes ...*node) {
	for _, n := range nodes {
		for k, p := range m.pins {
			if p == n {
				m.pins = append(m.pins[:k], m.pins[k+1:]...)
				break
			}
		}
	}
}

// scalef returns x·2^n, rounded once. The instruction for scalef exists only in AVX-512.
func (b *block) scalef(x, n *node) *node {
	return b.binary(pair{VSCALEFPD, VSCALEFPD_BCST}, false, x, n)
}
