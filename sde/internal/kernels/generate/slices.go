package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// unary emits dst[k] = f(src[k]) for all Vectors of dst.
func (m *machine) unary(name string, f func(b *block, x *node) *node) {
	m.function(name, "func(dst, src []"+vector+")")
	dst, src, n := base("dst"), base("src"), length("dst")
	m.repeat(n, func() {
		for offset := 0; offset < 64; offset += m.width() {
			b := m.block()
			b.store(at(dst, offset), f(b, b.load(at(src, offset))))
			b.emit()
		}
		ADDQ(Imm(64), dst)
		ADDQ(Imm(64), src)
	})
	m.finish()
}

func (m *machine) elementary() {
	m.unary("exp", (*block).exp)
	m.unary("expm1", (*block).expm1)
	m.unary("log", (*block).log)
}
