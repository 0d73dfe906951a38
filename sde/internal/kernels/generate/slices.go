package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups emits body for the given number of items together, a power of two, as long as so
// many are left, then for half as many, and so on. left is used up.
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

// inFourRegisters is the number of Vectors in four registers: as many as are worked on at a time
// where their chains of operations are long enough to fill the registers.
func (m *machine) inFourRegisters() int { return 4 * m.width() / 64 }

// unary emits dst[k] = f(src[k]) for all Vectors of dst.
func (m *machine) unary(name string, f func(b *block, x *node) *node) {
	m.function(name, "func(dst, src []"+vector+")")
	dst, src, n := base("dst"), base("src"), length("dst")
	m.groupsAndOnes(n, m.inFourRegisters(), func(items int) {
		b := m.block()
		values := make([]*node, 64*items/m.width())
		for k := range values {
			values[k] = b.load(at(src, k*m.width()))
		}
		for k := range values {
			b.store(at(dst, k*m.width()), f(b, values[k]))
		}
		b.emit()
		ADDQ(U32(uint32(64*items)), dst)
		ADDQ(U32(uint32(64*items)), src)
	})
	m.finish()
}

func (m *machine) elementary() {
	m.unary("exp", (*block).exp)
	m.unary("log", (*block).log)
}
