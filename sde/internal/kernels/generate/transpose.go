package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transposeMatrix emits the kernel that computes to = fromᵀ for matrices whose numbers of rows and columns
// are multiples of 4. With divided, the kernel divides column k of from by entry k of by. While eight rows
// are left, the kernel takes eight rows together, so that whole cache lines are written.
func (m *machine) transposeMatrix(name string, divided bool) {
	by := ""
	if divided {
		by = ", by []float64"
	}
	m.text(name, "func(to []float64, toRow int, from []float64, fromRow, rows, columns int"+by+")")
	to, toRow, from, fromRow := base("to"), bytesOf("toRow"), base("from"), bytesOf("fromRow")
	toRow3, fromRow3 := GP64(), GP64()
	LEAQ(Mem{Base: toRow, Index: toRow, Scale: 2}, toRow3)
	LEAQ(Mem{Base: fromRow, Index: fromRow, Scale: 2}, fromRow3)
	rows := argument("rows")
	for _, height := range []int{8, 4} {
		loop, end := m.label("rows"), m.label("end")
		Label(loop)
		CMPQ(rows, Imm(uint64(height)))
		JLT(LabelRef(end))
		count, source, target := argument("columns"), copyOf(from), copyOf(to)
		lower := GP64()
		LEAQ(Mem{Base: from, Index: fromRow, Scale: 4}, lower)
		SHRQ(Imm(2), count)
		var divisors reg.GPVirtual
		if divided {
			divisors = base("by")
		}
		m.repeat(count, func() {
			for half, source := range []reg.GPVirtual{source, lower}[:height/4] {
				transposeFour(source, fromRow, fromRow3, target, toRow, toRow3, divisors, 32*half)
			}
			ADDQ(Imm(32), source)
			ADDQ(Imm(32), lower)
			if divided {
				ADDQ(Imm(32), divisors)
			}
			LEAQ(Mem{Base: target, Index: toRow, Scale: 4}, target)
		})
		LEAQ(Mem{Base: from, Index: fromRow, Scale: uint8(height)}, from)
		ADDQ(Imm(uint64(8*height)), to)
		SUBQ(Imm(uint64(height)), rows)
		JMP(LabelRef(loop))
		Label(end)
	}
	m.finish()
}

// transposeFour emits code that transposes a block of four rows and columns. For two columns at a time, the
// code loads rows 0 and 2 into the halves of one register, and rows 1 and 3 into the halves of another.
// Unpacking the two registers puts numbers of the same column together. If divisors is not nil, each column
// is divided by its divisor.
func transposeFour(from, fromRow, fromRow3, to, toRow, toRow3, divisors reg.GPVirtual, displacement int) {
	for pair := range 2 {
		even, odd := YMM(), YMM()
		at := 16 * pair
		VMOVUPD(Mem{Base: from, Disp: at}, even.AsX())
		VINSERTF128(Imm(1), Mem{Base: from, Index: fromRow, Scale: 2, Disp: at}, even, even)
		VMOVUPD(Mem{Base: from, Index: fromRow, Scale: 1, Disp: at}, odd.AsX())
		VINSERTF128(Imm(1), Mem{Base: from, Index: fromRow3, Scale: 1, Disp: at}, odd, odd)
		if divisors != nil {
			by := YMM()
			VBROADCASTF128(Mem{Base: divisors, Disp: at}, by)
			VDIVPD(by, even, even)
			VDIVPD(by, odd, odd)
		}
		first, second := YMM(), YMM()
		VUNPCKLPD(odd, even, first)
		VUNPCKHPD(odd, even, second)
		if pair == 0 {
			VMOVUPD(first, Mem{Base: to, Disp: displacement})
			VMOVUPD(second, Mem{Base: to, Index: toRow, Scale: 1, Disp: displacement})
		} else {
			VMOVUPD(first, Mem{Base: to, Index: toRow, Scale: 2, Disp: displacement})
			VMOVUPD(second, Mem{Base: to, Index: toRow3, Scale: 1, Disp: displacement})
		}
	}
}

// spread emits the kernel that copies adjacent numbers to complete panels of a block of the matrix B; the
// argument panel is the distance between two panels.
func (m *machine) spread(vectors int) {
	m.text("spread", "func(to []float64, panel int, from []float64, panels int)")
	to, panel, from, panels := base("to"), bytesOf("panel"), base("from"), argument("panels")
	m.repeat(panels, func() {
		for v, place := range m.vectors[:vectors] {
			VMOVUPD(at(from, v*m.width()), place)
			VMOVUPD(place, at(to, v*m.width()))
		}
		ADDQ(Imm(uint64(vectors*m.width())), from)
		ADDQ(panel, to)
	})
	m.finish()
}
