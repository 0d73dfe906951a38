package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// layers emits the kernels of package rowwise, for the rows of matrices of a network whose length is a
// multiple of 4. A sum over a row is computed by four sums, so that the wider registers of AVX-512 would not
// help.
func (m *machine) layers() {
	m.mix()
	m.lessLargest()
	m.overSums()
	m.normalise()
	m.normaliseBackward()
}

// quads emits code that executes body for every four columns of a row. The argument of body is the distance
// in bytes of these columns from the start of the row.
func (m *machine) quads(columns reg.GPVirtual, body func(at reg.GPVirtual)) {
	place := GP64()
	XORQ(place, place)
	loop := m.label("quads")
	Label(loop)
	body(place)
	ADDQ(Imm(32), place)
	CMPQ(place, columns)
	JLT(LabelRef(loop))
}

// eachRow emits code that executes body for every row of a matrix, and moves the pointers on by columns, the
// size of a row in bytes.
func (m *machine) eachRow(rows, columns reg.GPVirtual, body func(), pointers ...reg.GPVirtual) {
	m.repeat(rows, func() {
		body()
		for _, p := range pointers {
			ADDQ(columns, p)
		}
	})
}

// in returns the memory operand at the distance place from the start p of a row.
func in(p, place reg.GPVirtual) Mem { return Mem{Base: p, Index: place, Scale: 1} }

// zeroed returns a register that holds zeros.
func zeroed() reg.VecVirtual {
	v := YMM()
	VXORPD(v, v, v)
	return v
}

// total emits code that leaves the total (a+b)+(c+d) of four sums in the first lane of their register.
func total(sums reg.VecVirtual) {
	upper := XMM()
	VEXTRACTF128(Imm(1), sums, upper)
	VHADDPD(upper, sums.AsX(), sums.AsX())
	VPERMILPD(Imm(1), sums.AsX(), upper)
	VADDSD(upper, sums.AsX(), sums.AsX())
}

// asNumber returns the number of columns as a float64, given the size of a row in bytes.
func asNumber(columns reg.GPVirtual) reg.VecVirtual {
	count, number := copyOf(columns), XMM()
	SHRQ(Imm(3), count)
	VXORPD(number, number, number)
	VCVTSI2SDQ(count, number, number)
	return number
}

// numberOne returns a register with the number 1 in the first lane.
func numberOne() reg.VecVirtual {
	bits, number := GP64(), XMM()
	MOVQ(U64(one), bits)
	VMOVQ(bits, number)
	return number
}

// spreadLane copies the first lane of a register to all lanes.
func spreadLane(v reg.VecVirtual) { VBROADCASTSD(v.AsX(), v) }

// mix emits the kernel that computes dst = a·x + b·y for rows x and y: b·y is rounded, and a·x fused with the
// addition.
func (m *machine) mix() {
	m.text("mix", "func(dst []float64, a float64, x []float64, b float64, y []float64)")
	a, b := YMM(), YMM()
	VBROADCASTSD(parameterOf("a"), a)
	VBROADCASTSD(parameterOf("b"), b)
	to, x, y, left := base("dst"), base("x"), base("y"), length("dst")
	m.groups(left, 4, func(items int) {
		switch items {
		case 4:
			v := YMM()
			VMULPD(at(y, 0), b, v)
			VFMADD231PD(at(x, 0), a, v)
			VMOVUPD(v, at(to, 0))
		case 2:
			v := XMM()
			VMULPD(at(y, 0), b.AsX(), v)
			VFMADD231PD(at(x, 0), a.AsX(), v)
			VMOVUPD(v, at(to, 0))
		case 1:
			v := XMM()
			VMULSD(at(y, 0), b.AsX(), v)
			VFMADD231SD(at(x, 0), a.AsX(), v)
			VMOVSD(v, at(to, 0))
		}
		for _, p := range []reg.GPVirtual{to, x, y} {
			ADDQ(Imm(uint64(8*items)), p)
		}
	})
	m.finish()
}

// lessLargest emits the kernel that subtracts, from each row of a matrix, the largest number of the row that
// is not NaN.
func (m *machine) lessLargest() {
	m.text("lessLargest", "func(x []float64, rows, columns int)")
	x, rows, columns := base("x"), argument("rows"), bytesOf("columns")
	infinity, bits := YMM(), GP64()
	MOVQ(U64(0xfff<<52), bits)
	VMOVQ(bits, infinity.AsX())
	spreadLane(infinity)
	m.eachRow(rows, columns, func() {
		largest, other := YMM(), YMM()
		VMOVAPD(infinity, largest)
		m.quads(columns, func(place reg.GPVirtual) {
			VMOVUPD(in(x, place), other)
			VMAXPD(largest, other, largest) // if the other number is NaN, the largest so far is kept
		})
		VPERM2F128(Imm(1), largest, largest, other)
		VMAXPD(other, largest, largest)
		VPERMILPD(Imm(5), largest, other)
		VMAXPD(other, largest, largest)
		m.quads(columns, func(place reg.GPVirtual) {
			VMOVUPD(in(x, place), other)
			VSUBPD(largest, other, other)
			VMOVUPD(other, in(x, place))
		})
	}, x)
	m.finish()
}

// overSums emits the kernel that multiplies each row of a matrix by the inverse of the sum of the row.
func (m *machine) overSums() {
	m.text("overSums", "func(x []float64, rows, columns int)")
	x, rows, columns, unit := base("x"), argument("rows"), bytesOf("columns"), numberOne()
	m.eachRow(rows, columns, func() {
		sum, v := zeroed(), YMM()
		m.quads(columns, func(place reg.GPVirtual) { VADDPD(in(x, place), sum, sum) })
		total(sum)
		VDIVSD(sum.AsX(), unit, sum.AsX())
		spreadLane(sum)
		m.quads(columns, func(place reg.GPVirtual) {
			VMULPD(in(x, place), sum, v)
			VMOVUPD(v, in(x, place))
		})
	}, x)
	m.finish()
}

// unless emits code that executes body unless the register zero is 0.
func (m *machine) unless(zero reg.GPVirtual, body func()) {
	end := m.label("none")
	TESTQ(zero, zero)
	JZ(LabelRef(end))
	body()
	Label(end)
}

// normalise emits the kernel that applies LayerNorm to rows, or RMSNorm if its argument centred is false.
func (m *machine) normalise() {
	m.text("normalise", "func(out, y, x, factors []float64, columns int, centred bool, epsilon float64, "+
		"gain, bias []float64)")
	out, y, x, factors, rows := base("out"), base("y"), base("x"), base("factors"), length("factors")
	gain, bias, columns, affine := base("gain"), base("bias"), bytesOf("columns"), length("gain")
	number, unit, centred := asNumber(columns), numberOne(), GP64()
	MOVBQZX(parameterOf("centred"), centred)
	m.eachRow(rows, columns, func() {
		mean, squares, v := zeroed(), zeroed(), YMM()
		m.unless(centred, func() {
			m.quads(columns, func(place reg.GPVirtual) { VADDPD(in(x, place), mean, mean) })
			total(mean)
			VDIVSD(number, mean.AsX(), mean.AsX())
			spreadLane(mean)
		})
		m.quads(columns, func(place reg.GPVirtual) {
			VMOVUPD(in(x, place), v)
			VSUBPD(mean, v, v)
			VMOVUPD(v, in(y, place))
			VFMADD231PD(v, v, squares)
		})
		total(squares)
		VDIVSD(number, squares.AsX(), squares.AsX())
		VADDSD(parameterOf("epsilon"), squares.AsX(), squares.AsX())
		VSQRTSD(squares.AsX(), squares.AsX(), squares.AsX())
		VDIVSD(squares.AsX(), unit, squares.AsX())
		VMOVSD(squares.AsX(), at(factors, 0))
		spreadLane(squares)
		m.quads(columns, func(place reg.GPVirtual) {
			VMULPD(in(y, place), squares, v)
			VMOVUPD(v, in(y, place))
			m.unless(affine, func() {
				VMOVUPD(in(gain, place), mean)
				VFMADD213PD(in(bias, place), mean, v)
				VMOVUPD(v, in(out, place))
			})
		})
		ADDQ(Imm(8), factors)
	}, out, y, x)
	m.finish()
}

// normaliseBackward emits the kernel for the backward pass of LayerNorm and RMSNorm.
func (m *machine) normaliseBackward() {
	m.text("normaliseBackward", "func(dy, y, factors []float64, columns int, centred bool, "+
		"gain, gainGradient, biasGradient []float64)")
	dy, y, factors, rows := base("dy"), base("y"), base("factors"), length("factors")
	gain, byGain, byBias := base("gain"), base("gainGradient"), base("biasGradient")
	columns, affine := bytesOf("columns"), length("gain")
	number, centred := asNumber(columns), GP64()
	MOVBQZX(parameterOf("centred"), centred)
	m.eachRow(rows, columns, func() {
		along, mean, v, sum := zeroed(), zeroed(), YMM(), YMM()
		m.quads(columns, func(place reg.GPVirtual) {
			VMOVUPD(in(dy, place), v)
			m.unless(affine, func() {
				VADDPD(in(byBias, place), v, sum)
				VMOVUPD(sum, in(byBias, place))
				VMOVUPD(in(byGain, place), sum)
				VFMADD231PD(in(y, place), v, sum)
				VMOVUPD(sum, in(byGain, place))
				VMULPD(in(gain, place), v, v)
				VMOVUPD(v, in(dy, place))
			})
			VFMADD231PD(in(y, place), v, along)
			VADDPD(v, mean, mean)
		})
		total(along)
		VDIVSD(number, along.AsX(), along.AsX())
		spreadLane(along)
		total(mean)
		VDIVSD(number, mean.AsX(), mean.AsX())
		spreadLane(mean)
		skip := m.label("centred")
		TESTQ(centred, centred)
		JNZ(LabelRef(skip))
		VXORPD(mean, mean, mean)
		Label(skip)
		VBROADCASTSD(at(factors, 0), sum)
		m.quads(columns, func(place reg.GPVirtual) {
			VMOVUPD(in(dy, place), v)
			VFNMADD231PD(in(y, place), along, v)
			VSUBPD(mean, v, v)
			VMULPD(v, sum, v)
			VMOVUPD(v, in(dy, place))
		})
		ADDQ(Imm(8), factors)
	}, dy, y)
	m.finish()
}
