package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups emits code that executes body for groups of items: first for groups of as many items as the argument
// together, while so many items are left, then for groups of half as many, and so on down to single items.
// The argument together must be a power of two. The register left, which holds the number of items, is
// overwritten.
func (m *machine) groups(left reg.GPVirtual, together int, body func(items int)) {
	for items := together; items > 0; items /= 2 {
		loop, end := m.label("group"), m.label("end")
		Label(loop)
		CMPQ(left, Imm(uint64(items)))
		JLT(LabelRef(end))
		body(items)
		SUBQ(Imm(uint64(items)), left)
		JMP(LabelRef(loop))
		Label(end)
	}
}

// inFourRegisters returns the number of Vectors in four registers. A kernel works on the Vectors of four
// registers at a time if the operations on each Vector form a long chain.
func (m *machine) inFourRegisters() int { return 4 * m.width() / 64 }

// inPlace emits a kernel that computes x ← f(x, parameters) for all numbers x of a slice, one register at a
// time. The processor itself starts on the next register early.
func (m *machine) inPlace(
	name string, f func(b *block, x *node, parameters []*node) *node, parameters ...string,
) {
	m.function(name, "func(numbers []float64, "+strings.Join(parameters, ", ")+" float64)")
	if !m.wide {
		defer m.unpin(m.pin()) // keeps register Y15 free for the mask of incomplete vectors
	}
	b, values := m.block(), make([]*node, len(parameters))
	for k, name := range parameters {
		values[k] = m.pin()
		b.assign(values[k], b.spread(parameterOf(name)))
	}
	b.emit()
	numbers, left := base("numbers"), length("numbers")
	loop, last, end := m.label("loop"), m.label("last"), m.label("end")
	Label(loop)
	CMPQ(left, Imm(uint64(m.lanes())))
	JLT(LabelRef(last))
	b = m.block()
	b.store(at(numbers, 0), f(b, b.load(at(numbers, 0)), values))
	b.emit()
	ADDQ(Imm(uint64(m.width())), numbers)
	SUBQ(Imm(uint64(m.lanes())), left)
	JMP(LabelRef(loop))
	Label(last)
	TESTQ(left, left)
	JZ(LabelRef(end))
	s, x := &strip{machine: m, columns: left, across: 1}, m.pin()
	s.mask(m.lanes())
	s.fetch(at(numbers, 0), 0, x.register)
	b = m.block()
	b.assign(x, f(b, x, values))
	b.emit()
	s.mask(m.lanes())
	s.put(x.register, 0, at(numbers, 0))
	Label(end)
	m.unpin(append(values, x)...)
	m.finish()
}

func (m *machine) elementary() {
	m.function("exp", "func(dst, src []"+vector+")")
	dst, src := base("dst"), base("src")
	m.repeat(length("dst"), func() {
		b := m.block()
		for k, x := range m.loadAll(b, src, 1) {
			b.store(at(dst, k*m.width()), b.exp(x))
		}
		b.emit()
		advance(1, dst, src)
	})
	m.finish()
	m.inPlace("exponentials", func(b *block, x *node, p []*node) *node {
		return b.expOrZero(b.minus(b.times(x, p[0]), p[1]))
	}, "factor", "shift")
	m.inPlace("logarithms", func(b *block, x *node, p []*node) *node {
		return b.log(b.plus(x, p[0]))
	}, "shift")
	m.inPlace("tanhs", func(b *block, x *node, p []*node) *node {
		return b.tanh(b.times(x, p[0]))
	}, "factor")
	m.emitMasks()
}
