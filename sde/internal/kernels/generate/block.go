package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// node is a value in the emitted straight-line code that is assigned once: the result of an operation, a
// constant, or a place in memory that is read where the value is used.
type node struct {
	register reg.Register // register that holds the value now; nil if no register does
	pinned   bool         // whether the value keeps its register between blocks, and may be reassigned
	mask     bool         // whether the value is a mask, which is in a mask register with AVX-512
	memory   *Mem         // where the value can be read besides the register
	uniform  bool         // whether the memory holds one number for all lanes (AVX2: four copies)
	uses     []int        // indices of the operations that read the value and have not been emitted yet
}

func (n *node) nextUse() int {
	if len(n.uses) == 0 {
		return 1 << 30
	}
	return n.uses[0]
}

// operation is an operation of the emitted code, which computes the value to from the sources.
type operation struct {
	to            *node
	sources       []*node
	emit          func(e *emitter, o *operation)
	latency       int // number of cycles until the result is available
	loads, stores *Mem
}

// block collects operations of straight-line code, and then emits them in a good order, with registers
// assigned to their values.
type block struct {
	*machine
	operations   []*operation
	numbersInUse map[uint64]*node
	disjoint     bool // whether memory operands that are not equal do not overlap
	spare        int  // number of registers that schedule leaves free for constants
	horizon      int  // a constant gets a register if one of the next horizon operations also uses it
}

func (m *machine) block() *block {
	return &block{machine: m, spare: 3, numbersInUse: map[uint64]*node{}}
}

func (b *block) add(to *node, emit func(*emitter, *operation), sources ...*node) *node {
	b.operations = append(b.operations, &operation{to: to, sources: sources, emit: emit, latency: 4})
	return to
}

// takes sets the latency of the last operation of the block, which is 4 cycles otherwise.
func (b *block) takes(cycles int, result *node) *node {
	b.last().latency = cycles
	return result
}

func (b *block) last() *operation { return b.operations[len(b.operations)-1] }

// bits returns a constant that has the given bits in all lanes.
func (b *block) bits(bits uint64) *node {
	if n, known := b.numbersInUse[bits]; known {
		return n
	}
	memory := b.constant(bits)
	n := &node{memory: &memory, uniform: true}
	b.numbersInUse[bits] = n
	return n
}

// number returns the constant x in all lanes.
func (b *block) number(x float64) *node { return b.bits(bitsOf(x)) }

// read returns the value at a place in memory, which no operation of the block may change before the value is
// used.
func (b *block) read(memory Mem) *node { return &node{memory: &memory} }

// readUniform returns one number in all lanes, read from memory that holds the number four times, or for
// AVX-512 at least once.
func (b *block) readUniform(memory Mem) *node { return &node{memory: &memory, uniform: true} }

// emitter assigns registers to the operations of a block while it emits them. If no register is free, the
// value that is needed latest is saved to the stack.
type emitter struct {
	*machine
	holders []*node // value in each vector register; nil if the register is free
	masks   []*node // value in each mask register
	locked  []*node // operands of the current operation, which keep their registers
	now     int     // index of the current operation
	spilled int     // number of places on the stack that are in use
	horizon int     // horizon of the block
}

// emit orders the operations of the block and writes their instructions.
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

// release frees the register of a value, if no later operation uses the value.
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

// dies reports whether the current operation is the last operation that reads a value, so that the result can
// take the register of this value.
func (e *emitter) dies(n *node) bool {
	return n.register != nil && !n.pinned && n.uses[len(n.uses)-1] == e.now
}

// target returns the register for the result of the current operation. If the instruction may overwrite its
// operands, target takes the register of an operand that no later operation uses, if there is such an
// operand.
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

// holdConstant loads a constant into a register if a later operation will need the constant soon, which saves
// a load.
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

// free returns a free register. If no register is free, the value that is needed latest is moved to memory.
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

// in returns a register that holds the value of a node, and loads the value if no register holds it.
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

// operand returns the value of a node as the last operand of an instruction. The operand is a register or a
// place in memory; broadcast says that the instruction must broadcast the number from memory.
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
