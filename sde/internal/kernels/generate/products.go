package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// strip holds the registers that the loops over some rows of the matrix product C share.
type strip struct {
	*machine
	// The registers aRow to aStep hold distances in bytes: of 1, 3, 5 and 7 rows of the matrix A, and of two
	// entries of a row.
	aRow, aRow3, aRow5, aRow7, aStep reg.GPVirtual
	b, bStep                         reg.GPVirtual
	c, cRow                          reg.GPVirtual
	columns                          reg.GPVirtual // number of columns that are left
	rows, across                     int           // size of the current tile: rows, and vectors in a row
}

// products emits the kernels of package products for the matrix product C of A and B. The sums of the largest
// tile of C, a row of B and an entry of A fit into the registers: 15 of 16 besides the mask for AVX2, 28 of
// 32 for AVX-512.
func (m *machine) products() {
	rows, vectors := 6, 2
	if m.wide {
		rows, vectors = 8, 3
	}
	m.text("strip", "func(c []float64, cRow int, a []float64, aRow, aStep int, "+
		"b []float64, bStep, bPanel int, depth, rows, columns int, beta float64)")
	s := &strip{machine: m,
		cRow: bytesOf("cRow"), aRow: bytesOf("aRow"), aStep: bytesOf("aStep"), bStep: bytesOf("bStep"),
		aRow3: GP64(), aRow5: GP64(), aRow7: GP64(), c: base("c"), columns: argument("columns")}
	LEAQ(Mem{Base: s.aRow, Index: s.aRow, Scale: 2}, s.aRow3)
	LEAQ(Mem{Base: s.aRow, Index: s.aRow, Scale: 4}, s.aRow5)
	LEAQ(Mem{Base: s.aRow3, Index: s.aRow, Scale: 4}, s.aRow7)
	s.b = base("b")
	count := argument("rows")
	for _, s.rows = range []int{rows, 4, 2, 1} {
		next := m.label("fewer")
		CMPQ(count, Imm(uint64(s.rows)))
		JLT(LabelRef(next))
		s.panels(vectors)
		Label(next)
	}
	m.finish()
	m.emitMasks()
	if !m.wide { // the wider registers of AVX-512 would not help here
		m.transposeMatrix("transpose", false)
		m.transposeMatrix("transposeDivided", true)
	}
	m.spread(vectors)
	m.scale("scale", func(number, by, result Op) { VMULPD(by, number, result) })
	m.scale("divide", func(number, by, result Op) { VDIVPD(by, number, result) })
}

// bytesOf loads an argument that counts float64, and converts it to bytes.
func bytesOf(name string) reg.GPVirtual {
	r := argument(name)
	SHLQ(Imm(3), r)
	return r
}

// panels emits code for all tiles of the strip, from left to right, and the return from the kernel.
func (s *strip) panels(most int) {
	loop, end := s.label("panel"), s.label("end")
	Label(loop)
	s.mask(most * s.lanes())
	for s.across = most; s.across > 0; s.across-- {
		narrower := s.label("narrower")
		if s.across > 1 {
			CMPQ(s.columns, Imm(uint64((s.across-1)*s.lanes())))
			JLE(LabelRef(narrower))
		}
		s.tile()
		if s.across > 1 {
			JMP(LabelRef(end))
			Label(narrower)
		}
	}
	Label(end)
	panel := bytesOf("bPanel")
	ADDQ(panel, s.b)
	ADDQ(Imm(uint64(most*s.width())), s.c)
	SUBQ(Imm(uint64(most*s.lanes())), s.columns)
	JG(LabelRef(loop))
	s.finish()
}

// mask sets the mask for the last vector of a row of a panel, which may be incomplete. A panel has as many
// columns as are left, but at most as many as the argument most.
func (s *strip) mask(most int) {
	last := GP64() // number of lanes of the last vector, less 1
	MOVQ(I32(int32(most)), last)
	CMPQ(s.columns, last)
	CMOVQLT(s.columns, last)
	DECQ(last)
	ANDQ(Imm(uint64(s.lanes()-1)), last)
	if s.wide {
		bits := GP64()
		MOVQ(I32(2), bits)
		SHLXQ(last, bits, bits)
		DECQ(bits)
		KMOVB(bits.As32(), reg.K1)
		return
	}
	table := GP64()
	LEAQ(NewDataAddr(NewStaticSymbol("mask"), 24), table)
	SHLQ(Imm(3), last)
	SUBQ(last, table)
	VMOVDQU(Mem{Base: table}, reg.Y15)
}

// emitMasks writes the table from which AVX2 loads its masks: four words with all bits set, then three words
// of zeros.
func (m *machine) emitMasks() {
	if m.wide {
		return
	}
	GLOBL("mask", 8|16) // read-only, no pointers
	for k := range 7 {
		bits := uint64(0)
		if k < 4 {
			bits--
		}
		DATA(8*k, U64(bits))
	}
}

// sum returns the register that holds the sums for one vector of a row of the product C.
func (s *strip) sum(row, vector int) reg.Register { return s.vectors[row*s.across+vector] }

// row returns the register for a vector of a row of the matrix B. The registers of rows follow those of the
// sums.
func (s *strip) row(vector int) reg.Register { return s.vectors[s.rows*s.across+vector] }

// entry returns the register for an entry of the matrix A.
func (s *strip) entry() reg.Register { return s.row(s.across) }

// fetch loads a vector of a row of a matrix; the last vector of the row is loaded with the mask.
func (s *strip) fetch(from Mem, vector int, to reg.Register) {
	from.Disp += vector * s.width()
	switch {
	case vector < s.across-1:
		VMOVUPD(from, to)
	case s.wide:
		VMOVUPD_Z(from, reg.K1, to)
	default:
		VMASKMOVPD(from, reg.Y15, to)
	}
}

// put stores a vector of a row of a matrix; the last vector of the row is stored with the mask.
func (s *strip) put(from reg.Register, vector int, to Mem) {
	to.Disp += vector * s.width()
	switch {
	case vector < s.across-1:
		VMOVUPD(from, to)
	case s.wide:
		VMOVUPD(from, reg.K1, to)
	default:
		VMASKMOVPD(from, reg.Y15, to)
	}
}

// tile emits code for one tile of the matrix product C.
func (s *strip) tile() {
	s.begin()
	a, b, depth := base("a"), copyOf(s.b), argument("depth")
	s.repeat(depth, func() {
		for v := range s.across {
			s.fetch(Mem{Base: b}, v, s.row(v))
		}
		for r := range s.rows {
			VBROADCASTSD(s.place(a, r), s.entry())
			for v := range s.across {
				VFMADD231PD(s.row(v), s.entry(), s.sum(r, v))
			}
		}
		if !s.wide && s.across == 2 {
			PREFETCHT0(Mem{Base: b, Index: s.bStep, Scale: 8})
		}
		ADDQ(s.aStep, a)
		ADDQ(s.bStep, b)
	})
	c := copyOf(s.c)
	for r := range s.rows {
		for v := range s.across {
			s.put(s.sum(r, v), v, Mem{Base: c})
		}
		ADDQ(s.cRow, c)
	}
}

// begin emits code that sets the sums of a tile to βC, or to 0 if β = 0.
func (s *strip) begin() {
	zero, end := s.label("zero"), s.label("end")
	beta := GP64()
	MOVQ(parameterOf("beta"), beta)
	ADDQ(beta, beta) // drops the sign of a zero
	JZ(LabelRef(zero))
	factor, c := s.entry(), copyOf(s.c)
	VBROADCASTSD(parameterOf("beta"), factor)
	for r := range s.rows {
		for v := range s.across {
			s.fetch(Mem{Base: c}, v, s.sum(r, v))
			VMULPD(factor, s.sum(r, v), s.sum(r, v))
		}
		ADDQ(s.cRow, c)
	}
	JMP(LabelRef(end))
	Label(zero)
	for k := range s.rows * s.across {
		sum := s.vectors[k]
		if s.wide {
			VPXORQ(sum, sum, sum)
		} else {
			VPXOR(sum, sum, sum)
		}
	}
	Label(end)
}

// place returns the address of an entry in a row of the matrix A, given the address of the entry in row 0.
func (s *strip) place(a reg.GPVirtual, row int) Mem {
	switch row {
	case 0:
		return Mem{Base: a}
	case 1, 2, 4:
		return Mem{Base: a, Index: s.aRow, Scale: uint8(row)}
	case 3:
		return Mem{Base: a, Index: s.aRow3, Scale: 1}
	case 5:
		return Mem{Base: a, Index: s.aRow5, Scale: 1}
	case 6:
		return Mem{Base: a, Index: s.aRow3, Scale: 2}
	case 7:
		return Mem{Base: a, Index: s.aRow7, Scale: 1}
	}
	panic(fmt.Sprint("no place for row ", row))
}

// scale emits a kernel that applies the instruction f to each number of a slice and a second operand; f
// multiplies by a factor or divides by a divisor.
func (m *machine) scale(name string, f func(number, by, result Op)) {
	m.text(name, "func(to, from []float64, by float64)")
	to, from, left := base("to"), base("from"), length("to")
	by, number := m.vectors[0], m.vectors[1]
	VBROADCASTSD(parameterOf("by"), by)
	loop, last, end := m.label("loop"), m.label("last"), m.label("end")
	Label(loop)
	CMPQ(left, Imm(uint64(m.lanes())))
	JLT(LabelRef(last))
	VMOVUPD(Mem{Base: from}, number)
	f(number, by, number)
	VMOVUPD(number, Mem{Base: to})
	ADDQ(Imm(uint64(m.width())), from)
	ADDQ(Imm(uint64(m.width())), to)
	SUBQ(Imm(uint64(m.lanes())), left)
	JMP(LabelRef(loop))
	Label(last)
	TESTQ(left, left)
	JZ(LabelRef(end))
	s := &strip{machine: m, columns: left, across: 1}
	s.mask(m.lanes())
	s.fetch(Mem{Base: from}, 0, number)
	f(number, by, number)
	s.put(number, 0, Mem{Base: to})
	Label(end)
	m.finish()
}
