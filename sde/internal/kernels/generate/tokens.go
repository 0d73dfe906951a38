package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// advance emits code that moves pointers on by a number of Vectors.
func advance(vectors int, pointers ...reg.GPVirtual) {
	for _, p := range pointers {
		ADDQ(I32(int32(64*vectors)), p)
	}
}

// vectorsIn returns the size in bytes of a number of Vectors.
func vectorsIn(count reg.GPVirtual) reg.GPVirtual {
	bytes := copyOf(count)
	SHLQ(Imm(6), bytes)
	return bytes
}

// eachHalf emits code that executes body once for each part of a Vector that fits a register, as halves does.
// The code of eachHalf needs fewer general registers, as body itself loads each pointer by the method here.
func (m *machine) eachHalf(body func()) {
	if m.wide {
		body()
		return
	}
	m.offset = m.local()
	MOVQ(I32(0), m.offset)
	loop := m.label("half")
	Label(loop)
	body()
	ADDQ(Imm(32), m.offset)
	CMPQ(m.offset, Imm(64))
	JNE(LabelRef(loop))
}

// here loads the pointer of an argument that is a slice of Vectors, and moves the pointer to the current half
// of the first Vector.
func (m *machine) here(name string) reg.GPVirtual {
	p := base(name)
	if !m.wide {
		ADDQ(m.offset, p)
	}
	return p
}

// byteHere loads the pointer of a slice that has two bytes for each Vector, and moves the pointer to the byte
// of the current half.
func (m *machine) byteHere(name string) reg.GPVirtual {
	p := base(name)
	if !m.wide {
		half := GP64()
		MOVQ(m.offset, half)
		SHRQ(Imm(5), half)
		ADDQ(half, p)
	}
	return p
}

// along returns the memory operand at a pointer plus a distance in a register plus a displacement.
func along(pointer, distance reg.GPVirtual, displacement int) Mem {
	return Mem{Base: pointer, Index: distance, Scale: 1, Disp: displacement}
}

// zero emits code that sets pinned registers to 0.
func (m *machine) zero(pins ...*node) {
	b := m.block()
	for _, p := range pins {
		b.assign(p, b.number(0))
	}
	b.emit()
}

// retract emits the kernel that computes x_i ← normalise(x_i + scale·G c_i) for every token x_i. The matrix G
// has one row for each coordinate, and c_i is the row of coefficients of token i. The squared length of a
// token loses digits if it is very small or very large. A byte of good gets the mask of the lanes whose
// squared length has all its digits; tokens in the other lanes are not normalised. AVX-512 has enough
// registers to load an entry of G once for two tokens.
func (m *machine) retract() {
	m.function("retract",
		"func(x, matrix, coefficients []"+vector+", good [][2]uint8, d, r int, scale float64)")
	together := 1
	if m.wide {
		together = 2
	}
	scale := m.pin()
	b := m.block()
	b.assign(scale, b.spread(parameterOf("scale")))
	b.emit()
	m.eachHalf(func() {
		token, coefficient, good := m.here("x"), m.here("coefficients"), m.byteHere("good")
		size := vectorsIn(argument("r"))
		m.groups(length("good"), together, func(tokens int) {
			u := update{machine: m, to: copyOf(token), row: m.here("matrix"), tokens: tokens,
				coefficient: coefficient, size: size, scale: scale}
			for range tokens {
				u.squares = append(u.squares, m.partialSums())
				m.zero(u.squares[len(u.squares)-1]...)
			}
			if tokens > 1 {
				u.length = vectorsIn(argument("d"))
			}
			m.groups(argument("d"), 8, u.rows)
			factors := make([]*node, tokens)
			b := m.block()
			for k, squares := range u.squares {
				factors[k] = squares[0]
				square := b.total(squares)
				inRange := b.maskAnd(b.compare(lessOrEqual, b.number(0x1p-900), square),
					b.compare(lessOrEqual, square, b.number(0x1p900)))
				b.assign(factors[k], b.choose(inRange, b.over(b.number(1), b.root(square)), b.number(1)))
				b.storeMask(Mem{Base: good, Disp: 2 * k}, inRange)
			}
			b.emit()
			for _, factor := range factors {
				m.multiplyBy(factor, token)
				ADDQ(size, coefficient)
			}
			ADDQ(Imm(uint64(2*tokens)), good)
			for _, squares := range u.squares {
				m.unpin(squares...)
			}
		})
	})
	m.unpin(scale)
	m.finish()
}

// addProducts emits the kernel that computes x_i ← x_i + scale·G c_i for n tokens x_i, with G and c_i as in
// retract.
func (m *machine) addProducts() {
	m.function("addProducts", "func(x, matrix, coefficients []"+vector+", n, d, r int, scale float64)")
	together := 1
	if m.wide {
		together = 2
	}
	scale := m.pin()
	b := m.block()
	b.assign(scale, b.spread(parameterOf("scale")))
	b.emit()
	m.eachHalf(func() {
		token, coefficient := m.here("x"), m.here("coefficients")
		size, length := vectorsIn(argument("r")), vectorsIn(argument("d"))
		m.groups(argument("n"), together, func(tokens int) {
			u := update{machine: m, to: copyOf(token), row: m.here("matrix"), tokens: tokens,
				coefficient: coefficient, size: size, scale: scale, length: length}
			m.groups(argument("d"), 8, u.rows)
			for range tokens {
				ADDQ(length, token)
				ADDQ(size, coefficient)
			}
		})
	})
	m.unpin(scale)
	m.finish()
}

// update describes the change of the coordinates of one token, or of two tokens that lie one after the other.
type update struct {
	*machine
	to, row, coefficient reg.GPVirtual
	length, size         reg.GPVirtual // sizes, in bytes, of a token (used for two tokens), and of a row of G
	scale                *node
	tokens               int
	squares              [][]*node // partial sums of squares for each token; nil if they are not needed
}

// rows emits code that changes items coordinates of a token, one to eight, adds the squares of the new
// coordinates, and moves the pointers on.
func (u update) rows(items int) {
	updates := make([][]*node, u.tokens)
	for t := range updates {
		for range items {
			updates[t] = append(updates[t], u.pin())
		}
		u.zero(updates[t]...)
	}
	// The code has pointers to rows 0, 3 and 6; each pointer reaches the next two rows by a scaled index.
	bases := []reg.GPVirtual{copyOf(u.row)}
	for len(bases) < (items+2)/3 {
		next := GP64()
		LEAQ(Mem{Base: bases[len(bases)-1], Index: u.size, Scale: 2}, next)
		ADDQ(u.size, next)
		bases = append(bases, next)
	}
	c := copyOf(u.coefficient)
	u.repeat(argument("r"), func() {
		b := u.block()
		var coefficients []*node
		for t := range updates {
			place := at(c, 0)
			if t > 0 {
				place = along(c, u.size, 0)
			}
			coefficients = append(coefficients, b.load(place))
		}
		for k := range items {
			place := Mem{Base: bases[k/3]}
			if k%3 > 0 {
				place.Index, place.Scale = u.size, uint8(k%3)
			}
			entry := b.read(place)
			if len(updates) > 1 {
				entry = b.load(place)
			}
			for t := range updates {
				b.accumulate(updates[t][k], coefficients[t], entry)
			}
		}
		b.emit()
		advance(1, c)
		advance(1, bases...)
	})
	u.add(updates)
	for _, sums := range updates {
		u.unpin(sums...)
	}
	advance(items, u.to)
	LEAQ(Mem{Base: u.row, Index: u.size, Scale: uint8(items)}, u.row)
}

// add emits code that adds the updates to the coordinates of each token and, if needed, the squares of the
// new coordinates to the field squares.
func (u update) add(updates [][]*node) {
	b := u.block()
	b.disjoint = true
	for t := range updates {
		for k, sum := range updates[t] {
			place := at(u.to, 64*k)
			if t > 0 {
				place = along(u.to, u.length, 64*k)
			}
			v := b.fma(u.scale, sum, b.load(place))
			b.store(place, v)
			if u.squares != nil {
				b.accumulate(u.squares[t][k%4], v, v)
			}
		}
	}
	b.emit()
}

// multiplyBy emits the multiplication of the d Vectors at a pointer by a factor, and moves the pointer past
// these Vectors.
func (m *machine) multiplyBy(factor *node, pointer reg.GPVirtual) {
	m.groups(argument("d"), 8, func(items int) {
		b := m.block()
		for k := range items {
			b.store(at(pointer, 64*k), b.times(b.load(at(pointer, 64*k)), factor))
		}
		b.emit()
		advance(items, pointer)
	})
}

// partialSums reserves registers for four partial sums of an inner product, so that a term does not have to
// wait for the sum of all earlier terms. Term k of each group of eight, four, two or one is added to sum k%4.
func (m *machine) partialSums() []*node { return []*node{m.pin(), m.pin(), m.pin(), m.pin()} }

// total returns the sum of four partial sums.
func (b *block) total(sums []*node) *node {
	return b.plus(b.plus(sums[0], sums[1]), b.plus(sums[2], sums[3]))
}

func (m *machine) tokens() {
	m.retract()
	m.addProducts()
	m.pairCoefficients()
	m.project()
	m.direction()
}
