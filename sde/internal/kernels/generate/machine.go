package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// machine describes an instruction set: how wide its vectors of float64 are, and which registers it has. The
// methods of machine emit kernels; the code of each kernel is written once, for any machine.
type machine struct {
	name      string // suffix of the names of the functions
	wide      bool   // whether this is AVX-512, with 8 lanes, broadcast operands and mask registers
	vectors   []reg.Register
	masks     []reg.Register
	constants map[uint64]int // index of each constant in the table, by the bits of the constant
	table     []uint64
	labels    int
	pins      []*node       // values that keep their registers from block to block
	slots     []Mem         // places on the stack of the current function for values without a register
	stack     reg.GPVirtual // first address on the stack that is a multiple of the size of a register
	offset    Mem           // offset, in bytes, of the half of each Vector in work (see eachHalf)
}

func newMachine(name string) *machine {
	m := &machine{name: name, constants: map[uint64]int{}}
	switch name {
	case "AVX2":
		m.vectors = []reg.Register{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
			reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}
	case "AVX512":
		m.wide = true
		m.vectors = []reg.Register{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
			reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
			reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
			reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}
		m.masks = []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}
	default:
		panic("unknown machine " + name)
	}
	return m
}

// lanes returns the number of float64 in a vector register.
func (m *machine) lanes() int {
	if m.wide {
		return 8
	}
	return 4
}

// width returns the size of a vector register in bytes.
func (m *machine) width() int { return 8 * m.lanes() }

// entry returns the size in bytes of a constant in the table. For AVX2 a constant is stored four times, as
// AVX2 instructions cannot broadcast an operand from memory.
func (m *machine) entry() int {
	if m.wide {
		return 8
	}
	return 32
}

const tableName = "constants"

// constant returns the address of a constant in the table of constants, and adds a new constant to the table.
func (m *machine) constant(bits uint64) Mem {
	k, known := m.constants[bits]
	if !known {
		k = len(m.table)
		m.constants[bits] = k
		m.table = append(m.table, bits)
	}
	return NewDataAddr(NewStaticSymbol(tableName), k*m.entry())
}

// emitTable writes the table of the constants that the kernels use.
func (m *machine) emitTable() {
	if len(m.table) == 0 {
		return
	}
	GLOBL(tableName, 8|16) // read-only, no pointers
	for k, bits := range m.table {
		for at := 0; at < m.entry(); at += 8 {
			DATA(k*m.entry()+at, U64(bits))
		}
	}
}

// function begins a kernel that may store values on the stack, with the given name and signature.
func (m *machine) function(name, signature string, doc ...string) {
	m.slots = nil
	m.text(name, signature, doc...)
	m.stack = GP64()
	start := AllocLocal(m.width())
	LEAQ(start, m.stack)
	ADDQ(Imm(uint64(m.width()-1)), m.stack)
	ANDQ(I32(int32(-m.width())), m.stack)
}

// text begins a kernel that stores nothing on the stack, with the given name and signature.
func (m *machine) text(name, signature string, doc ...string) {
	TEXT(name+m.name, 0, signature)
	Pragma("noescape")
	Doc(append([]string{name + m.name + " is " + name + " in " + m.name + " instructions."}, doc...)...)
}

// local returns a place on the stack for the value of one vector register. Nothing else is stored on the
// stack, and the places are aligned, so that none lies across two cache lines.
func (m *machine) local() Mem { return at(m.stack, AllocLocal(m.width()).Disp-m.width()) }

// finish ends a kernel: it emits the return from the function.
func (m *machine) finish() {
	VZEROUPPER()
	RET()
}

// label returns a new label of the assembly code.
func (m *machine) label(kind string) string {
	m.labels++
	return fmt.Sprintf("%s%d", kind, m.labels)
}

// repeat emits a loop that executes body count times. The count may be 0; the loop overwrites the register
// count.
func (m *machine) repeat(count reg.GPVirtual, body func()) {
	loop, end := m.label("loop"), m.label("end")
	TESTQ(count, count)
	JLE(LabelRef(end))
	Label(loop)
	body()
	DECQ(count)
	JNZ(LabelRef(loop))
	Label(end)
}

// halves emits code that executes body once for each part of a Vector that fits a register. With AVX-512 this
// part is the whole Vector. With AVX2 the parts are two halves; for the second half each pointer is moved by
// the given number of bytes, and then back.
func (m *machine) halves(pointers []reg.GPVirtual, bytes []int, body func()) {
	if m.wide {
		body()
		return
	}
	move := func(sign int) {
		for k, p := range pointers {
			ADDQ(I32(int32(sign*bytes[k])), p)
		}
	}
	half := GP64()
	XORQ(half, half)
	loop := m.label("half")
	Label(loop)
	body()
	move(1)
	INCQ(half)
	CMPQ(half, Imm(2))
	JNE(LabelRef(loop))
	move(-2)
}

// argument loads an argument of the kernel into a new register.
func argument(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// vector is the type Vector written out, as the signature of a kernel cannot name types of the package.
const vector = "[8]float64"

// base loads the pointer of an argument that is a slice.
func base(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name).Base(), r)
	return r
}

// length loads the length of an argument that is a slice.
func length(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name).Len(), r)
	return r
}

// parameterOf returns the address in memory of an argument of the kernel.
func parameterOf(name string) Mem {
	basic, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return basic.Addr
}

func copyOf(r reg.GPVirtual) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

// at returns the memory operand at a pointer plus a displacement in bytes.
func at(pointer reg.Register, displacement int) Mem { return Mem{Base: pointer, Disp: displacement} }

func bitsOf(x float64) uint64 { return math.Float64bits(x) }
