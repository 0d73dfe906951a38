package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// node is a vector in straight-line code, each assigned once: the result of an
// operation, a constant, or a place in memory that is read where it is used.
type node struct {
	register reg.Register // where it is now; nil if in memory or nowhere
	pinned   bool         // keeps its register over blocks, and may be assigned again
	mask     bool         // a mask register of AVX-512
	memory   *Mem         // where else it can be read
	uniform  bool         // the memory has one number for all lanes (or, in AVX2, its four copies)
	uses     []int        // the operations that read it and are still to come
}

func (n *node) nextUse() int {
	if len(n.uses) == 0 {
		return 1 << 30
	}
	return n.uses[0]
}

// operation computes to from the sources.
type operation struct {
	to            *node
	sources       []*node
	emit          func(e *emitter, o *operation)
	latency       int // cycles until the result is there
	loads, stores *Mem
}

// block collects operations and emits them together, with registers assigned.
type block struct {
	*machine
	operations   []*operation
	numbersInUse map[uint64]*node
	disjoint     bool // places in memory that are written differently are different
	spare        int  // registers that the order of operations leaves for constants
	horizon      int  // a constant gets a register if one of so many next operations needs it too
}

func (m *machine) block() *block {
	return &block{machine: m, spare: 3, numbersInUse: map[uint64]*node{}}
}

func (b *block) add(to *node, emit func(*emitter, *operation), sources ...*node) *node {
	b.operations = append(b.operations, &operation{to: to, sources: sources, emit: emit, latency: 4})
	return to
}

// takes sets the latency of the last operation, which is 4 cycles for most.
func (b *block) takes(cycles int, result *node) *node {
	b.last().latency = cycles
	return result
}

func (b *block) last() *operation { return b.operations[len(b.operations)-1] }

// bits is a constant in all lanes.
func (b *block) bits(bits uint64) *node {
	if n, known := b.numbersInUse[bits]; known {
		return n
	}
	memory := b.constant(bits)
	n := &node{memory: &memory, uniform: true}
	b.numbersInUse[bits] = n
	return n
}

// number is a constant in all lanes.
func (b *block) number(x float64) *node { return b.bits(bitsOf(x)) }

// read is memory that no operation of the block may change before its uses.
func (b *block) read(memory Mem) *node { return &node{memory: &memory} }

// readUniform is memory with one number for all lanes: a constant table's entry.
func (b *block) readUniform(memory Mem) *node { return &node{memory: &memory, uniform: true} }

// emitter assigns registers to the operations of a block as it emits them. A value
// for which there is no register left goes to the stack: the one needed last.
type emitter struct {
	*machine
	holders []*node // of the vector registers
	masks   []*node
	locked  []*node // operands of the operation at hand
	now     int
	spilled int // places on the stack in use
	horizon int // of the block
}

// emit writes the block's code.
func (b *block) emit() {
	b.schedule()
	e := &emitter{machine: b.machine, horizon: b.horizon, holders: make([]*node, len(b.vectors)),
		masks: make([]*node, len(b.machine.masks))}
	for _, r := range b.machine.pins {
		e.holders[b.place(r.register)] = r
	}
	for k, o := range b.operations {
		for _, s := range o.sources {
			s.uses = append(s.uses, k)
		}
	}
	for k, o := range b.operations {
		e.now = k
		e.locked = append(e.locked[:0], o.sources...)
		o.emit(e, o)
		for _, s := range o.sources {
			for len(s.uses) > 0 && s.uses[0] <= k {
				s.uses = s.uses[1:]
			}
			e.release(s)
		}
		if o.to != nil {
			e.release(o.to)
		}
	}
}

// release frees the register of a value that is not used again.
func (e *emitter) release(n *node) {
	if n.register == nil || n.pinned || len(n.uses) > 0 {
		return
	}
	e.clear(n)
}

func (e *emitter) clear(n *node) {
	if n.mask && e.wide {
		e.masks[e.maskPlace(n.register)] = nil
	} else {
		e.holders[e.place(n.register)] = nil
	}
	n.register = nil
}

func (m *machine) place(r reg.Register) int     { return indexOf(m.vectors, r) }
func (m *machine) maskPlace(r reg.Register) int { return indexOf(m.masks, r) }

func indexOf(list []reg.Register, r reg.Register) int {
	for k, v := range list {
		if v == r {
			return k
		}
	}
	panic("no such register")
}

// dies says whether the operation at hand is the last to read a value, so that its
// register can take the result.
func (e *emitter) dies(n *node) bool {
	return n.register != nil && !n.pinned && n.uses[len(n.uses)-1] == e.now
}

// target gives the result of an operation a register. Operands whose last use is now
// have given theirs free if the instruction may overwrite them.
func (e *emitter) target(n *node, overwrites bool, sources ...*node) reg.Register {
	if n.pinned {
		return n.register
	}
	if overwrites {
		for _, s := range sources {
			if s.register != nil && e.dies(s) && s.mask == n.mask {
				r := s.register
				e.clear(s)
				e.hold(n, r)
				return r
			}
		}
	}
	if n.mask && e.wide {
		for k, holder := range e.masks {
			if holder == nil {
				e.masks[k] = n
				n.register = e.machine.masks[k]
				return n.register
			}
		}
		panic("out of mask registers")
	}
	e.hold(n, e.free())
	return n.register
}

func (e *emitter) hold(n *node, r reg.Register) {
	if n.mask && e.wide {
		e.masks[e.maskPlace(r)] = n
	} else {
		e.holders[e.place(r)] = n
	}
	n.register = r
}

// holdConstant fetches a constant that is needed again soon into a register: it saves a load.
func (e *emitter) holdConstant(n *node) {
	if n.register != nil || !n.uniform {
		return
	}
	for _, use := range n.uses {
		if use > e.now && use <= e.now+e.horizon {
			e.in(n)
			return
		}
	}
}

// free returns a register, emptied if need be.
func (e *emitter) free() reg.Register {
	worst := -1
	for k, holder := range e.holders {
		if holder == nil {
			return e.vectors[k]
		}
		if holder.pinned || e.isLocked(holder) {
			continue
		}
		if worst < 0 || holder.nextUse() > e.holders[worst].nextUse() {
			worst = k
		}
	}
	if worst < 0 {
		panic("out of vector registers")
	}
	n := e.holders[worst]
	if n.memory == nil {
		slot := e.slot()
		e.move(n.register, slot)
		n.memory = &slot
	}
	e.clear(n)
	return e.vectors[worst]
}

func (e *emitter) isLocked(n *node) bool {
	for _, l := range e.locked {
		if l == n {
			return true
		}
	}
	return false
}

// in returns a register that has the value.
func (e *emitter) in(n *node) reg.Register {
	if n.register != nil {
		return n.register
	}
	if n.memory == nil {
		panic("value used before it is computed")
	}
	e.hold(n, e.free())
	e.loadInto(n, n.register)
	return n.register
}

// operand returns the value as the last operand of an instruction: its register, or
// its place in memory, and whether that is one number for all lanes.
func (e *emitter) operand(n *node) (op Op, broadcast bool) {
	e.holdConstant(n)
	if n.register != nil {
		return n.register, false
	}
	if n.memory == nil {
		panic("value used before it is computed")
	}
	return *n.memory, n.uniform && e.wide
}
