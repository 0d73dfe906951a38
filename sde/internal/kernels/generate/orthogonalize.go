package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// pairCoefficients emits the kernel for the coefficients of two vectors a and b of dimension d in an
// orthonormal basis of their span, whose first vector is a/|a|. The coefficients of a are <a, a>/|a| and 0.
// The coefficients of b are <a, b>/|a| and the length of the part of b orthogonal to a. If the orthogonal
// part consists of rounding errors, its length is replaced by 0. The kernel replaces b by its part orthogonal
// to a.
func (m *machine) pairCoefficients() {
	m.function("pairCoefficients", "func(coefficients, vectors []"+vector+", d int)")
	squares, products := m.partialSums(), m.partialSums()
	ratio, inverse := m.pin(), m.pin()
	m.eachHalf(func() {
		size := vectorsIn(argument("d"))
		coefficients := m.here("coefficients")
		m.zero(squares...)
		m.zero(products...)
		x := m.here("vectors")
		m.groups(argument("d"), 8, func(items int) {
			b := m.block()
			for k := range items {
				u := b.load(at(x, 64*k))
				b.accumulate(squares[k%4], u, u)
				b.accumulate(products[k%4], u, b.read(along(x, size, 64*k)))
			}
			b.emit()
			advance(items, x)
		})
		b := m.block()
		square, product := b.total(squares), b.total(products)
		some := b.compare(lessOrEqual, b.number(0x1p-900), square)
		b.assign(inverse, b.choose(some, b.over(b.number(1), b.root(square)), b.number(0)))
		b.assign(ratio, b.choose(some, b.over(product, square), b.number(0)))
		b.store(at(coefficients, 0), b.times(square, inverse))
		b.store(at(coefficients, 64), b.number(0))
		b.store(at(coefficients, 128), b.times(product, inverse))
		b.emit()
		m.zero(squares...)
		m.zero(products...)
		x = m.here("vectors")
		m.groups(argument("d"), 8, func(items int) {
			b := m.block()
			for k := range items {
				u := b.load(at(x, 64*k))
				rest := b.minusFMA(ratio, u, b.load(along(x, size, 64*k)))
				b.disjoint = true
				b.store(along(x, size, 64*k), rest)
				b.accumulate(squares[k%4], rest, rest)
				b.accumulate(products[k%4], u, rest)
			}
			b.emit()
			advance(items, x)
		})
		b = m.block()
		square = b.total(squares)
		along := b.times(b.total(products), inverse)
		beside := b.minusFMA(along, along, square)
		sound := b.isDirection(square, beside)
		b.store(at(coefficients, 192), b.choose(sound, b.root(beside), b.number(0)))
		b.emit()
	})
	m.unpin(squares...)
	m.unpin(products...)
	m.unpin(ratio, inverse)
	m.finish()
}

// project emits the kernel that computes c_i = <q, a_i> and a_i ← a_i - c_i q for n vectors a_i of dimension
// d. The distance of successive coefficients c_i in memory is stride Vectors.
func (m *machine) project() {
	m.function("project", "func(a, coefficients, q []"+vector+", n, d, stride int)")
	sums := m.partialSums()
	m.eachHalf(func() {
		vector, coefficient, stride := m.here("a"), m.here("coefficients"), vectorsIn(argument("stride"))
		m.repeat(argument("n"), func() {
			m.zero(sums...)
			x, y := copyOf(vector), m.here("q")
			m.groups(argument("d"), 8, func(items int) {
				b := m.block()
				for k := range items {
					b.accumulate(sums[k%4], b.load(at(x, 64*k)), b.read(at(y, 64*k)))
				}
				b.emit()
				advance(items, x, y)
			})
			b := m.block()
			product := sums[0]
			b.assign(product, b.total(sums))
			b.store(at(coefficient, 0), product)
			b.emit()
			y = m.here("q")
			m.groups(argument("d"), 8, func(items int) {
				b := m.block()
				for k := range items {
					b.disjoint = true
					difference := b.minusFMA(product, b.load(at(y, 64*k)), b.load(at(vector, 64*k)))
					b.store(at(vector, 64*k), difference)
				}
				b.emit()
				advance(items, vector, y)
			})
			ADDQ(stride, coefficient)
		})
	})
	m.unpin(sums...)
	m.finish()
}

// isDirection returns the mask of the lanes in which a vector consists of more than rounding errors. The
// arguments before and square are the squared lengths of the vector before and after it was made orthogonal a
// second time.
func (b *block) isDirection(before, square *node) *node {
	return b.maskAnd(b.compare(less, b.times(before, b.number(0x1p-20)), square),
		b.compare(lessOrEqual, b.number(0x1p-900), square))
}

// direction emits the kernel that sets before ← |q|² if its argument fresh is not 0. For fresh = 0 the kernel
// sets q ← q/|q|, or q ← 0 if |q|² is at most 2^-20·before or below 2^-900.
func (m *machine) direction() {
	m.function("direction", "func(q, before []"+vector+", d, fresh int)")
	sums := m.partialSums()
	square := sums[0]
	m.eachHalf(func() {
		m.zero(sums...)
		x := m.here("q")
		m.groups(argument("d"), 8, func(items int) {
			b := m.block()
			for k := range items {
				v := b.load(at(x, 64*k))
				b.accumulate(sums[k%4], v, v)
			}
			b.emit()
			advance(items, x)
		})
		b := m.block()
		b.assign(square, b.total(sums))
		b.emit()
		before, fresh := m.here("before"), argument("fresh")
		old, end := m.label("old"), m.label("end")
		TESTQ(fresh, fresh)
		JZ(LabelRef(old))
		b = m.block()
		b.store(at(before, 0), square)
		b.emit()
		JMP(LabelRef(end))
		Label(old)
		b = m.block()
		good := b.isDirection(b.read(at(before, 0)), square)
		b.assign(square, b.choose(good, b.over(b.number(1), b.root(square)), b.number(0)))
		b.emit()
		m.multiplyBy(square, m.here("q"))
		Label(end)
	})
	m.unpin(sums...)
	m.finish()
}
