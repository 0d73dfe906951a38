package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// advance moves pointers by so many Vectors.
func advance(vectors int, pointers ...reg.GPVirtual) {
	for _, p := range pointers {
		ADDQ(I32(int32(64*vectors)), p)
	}
}

// vectorsIn is the size in bytes of so many Vectors.
func vectorsIn(count reg.GPVirtual) reg.GPVirtual {
	bytes := copyOf(count)
	SHLQ(Imm(6), bytes)
	return bytes
}

// eachHalf is halves for kernels that are short of general registers: body fetches the
// pointers it needs by here.
func (m *machine) eachHalf(body func()) {
	if m.wide {
		body()
		return
	}
	m.offset = AllocLocal(8)
	MOVQ(I32(0), m.offset)
	loop := m.label("half")
	Label(loop)
	body()
	ADDQ(Imm(32), m.offset)
	CMPQ(m.offset, Imm(64))
	JNE(LabelRef(loop))
}

// here is the pointer of a slice of Vectors that is an argument, moved to the half at hand.
func (m *machine) here(name string) reg.GPVirtual {
	p := base(name)
	if !m.wide {
		ADDQ(m.offset, p)
	}
	return p
}

// byteHere is the same for a slice of two bytes a Vector.
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

// along is memory at two pointers' sum, displaced.
func along(pointer, distance reg.GPVirtual, displacement int) Mem {
	return Mem{Base: pointer, Index: distance, Scale: 1, Disp: displacement}
}

func sum(base, displacement reg.GPVirtual) reg.GPVirtual {
	s := copyOf(base)
	ADDQ(displacement, s)
	return s
}

// zero clears pinned registers.
func (m *machine) zero(pins ...*node) {
	b := m.block()
	for _, p := range pins {
		b.assign(p, b.number(0))
	}
	b.emit()
}

// attentionLaw is the parameters of an attention kernel: β, the factor of an unnormalised
// sum, and whether the sum is normalised.
type attentionLaw struct{ pointer reg.GPVirtual }

// theLaw loads the argument law.
func theLaw() attentionLaw { return attentionLaw{argument("law")} }

func (l attentionLaw) parameter(b *block, k int) *node { return b.readUniform(at(l.pointer, 32*k)) }

// weight is e^{β(product-1)}.
func (l attentionLaw) weight(b *block, product *node) *node {
	score := b.times(l.parameter(b, 0), b.minus(product, b.number(1)))
	return b.expModerate(b.maximum(score, b.number(-708)))
}

// factor is what a sum with the given total weight is multiplied by.
func (l attentionLaw) factor(b *block, total *node) *node {
	normalised := b.compare(less, b.number(0), l.parameter(b, 2))
	return b.choose(normalised, b.over(b.number(1), total), l.parameter(b, 1))
}

func (m *machine) fields() {
	m.pairField()
	m.attention()
}

// pairField emits the attention field of two tokens, each token's own term first.
func (m *machine) pairField() {
	m.function("pairField", "func(field, x, masses []"+vector+", d int, law *[3][4]float64)")
	m.eachHalf(func() {
		size := vectorsIn(argument("d"))
		first, second, both := m.pin(), m.pin(), m.pin()
		m.zero(first, second, both)
		x := m.here("x")
		m.groups(argument("d"), 4, func(items int) {
			b := m.block()
			for k := range items {
				u, v := b.load(at(x, 64*k)), b.load(along(x, size, 64*k))
				b.accumulate(first, u, u)
				b.accumulate(both, u, v)
				b.accumulate(second, v, v)
			}
			b.emit()
			advance(items, x)
		})
		own1, own2, other1, other2 := m.pin(), m.pin(), m.pin(), m.pin()
		b := m.block()
		law, masses := theLaw(), m.here("masses")
		m1, m2 := b.read(at(masses, 0)), b.read(at(masses, 64))
		w1, w2, w := law.weight(b, first), law.weight(b, second), law.weight(b, both)
		w11, w12 := b.times(w1, m1), b.times(w, m2)
		w22, w21 := b.times(w2, m2), b.times(w, m1)
		f1, f2 := law.factor(b, b.plus(w11, w12)), law.factor(b, b.plus(w22, w21))
		b.assign(own1, b.times(w11, f1))
		b.assign(other1, b.times(w12, f1))
		b.assign(own2, b.times(w22, f2))
		b.assign(other2, b.times(w21, f2))
		b.emit()
		x = m.here("x")
		field := m.here("field")
		m.groups(argument("d"), 4, func(items int) {
			b := m.block()
			for k := range items {
				u, v := b.load(at(x, 64*k)), b.load(along(x, size, 64*k))
				b.store(at(field, 64*k), b.fma(other1, v, b.times(own1, u)))
				b.store(along(field, size, 64*k), b.fma(other2, u, b.times(own2, v)))
			}
			b.emit()
			advance(items, x, field)
		})
		m.unpin(first, second, both, own1, own2, other1, other2)
	})
	m.finish()
}

const unrolled = 8 // dimensions up to here have code of their own

// attention emits the attention field of any number of tokens. The product of a pair and
// its weight serve both tokens; each sum runs over the tokens in their order.
func (m *machine) attention() {
	m.function("attention", "func(field, totals, own, x, masses []"+vector+", d int, law *[3][4]float64)")
	a := attentionKernel{m}
	m.eachHalf(func() {
		m.clear("totals")
		m.clear("field")
		end := m.label("done")
		for d := 1; d <= unrolled; d++ {
			next := m.label("next")
			CMPQ(argument("d"), Imm(uint64(d)))
			JNE(LabelRef(next))
			a.ownWeights(d)
			a.rows(func(row *attentionRow) { a.unrolledRow(row, d) })
			a.factors(d)
			JMP(LabelRef(end))
			Label(next)
		}
		a.rows(a.row)
		Label(end)
	})
	m.finish()
}

// clear writes zeros to a slice of Vectors that is an argument.
func (m *machine) clear(name string) {
	zero := m.pin()
	m.zero(zero)
	to := m.here(name)
	m.groups(length(name), 4, func(items int) {
		b := m.block()
		for k := range items {
			b.store(at(to, 64*k), zero)
		}
		b.emit()
		advance(items, to)
	})
	m.unpin(zero)
}

type attentionKernel struct{ *machine }

// attentionRow is the place of one token, of x and of its mass. Its field is a distance from
// x; its total and the weight of its own term are distances from its mass.
type attentionRow struct {
	x, mass                 reg.GPVirtual
	toField, toTotal, toOwn reg.GPVirtual
	others                  reg.GPVirtual // how many tokens come after it
	size                    reg.GPVirtual // of a token in bytes
}

func (r *attentionRow) token(k int) Mem { return at(r.x, 64*k) }
func (r *attentionRow) field(k int) Mem { return along(r.x, r.toField, 64*k) }
func (r *attentionRow) total(k int) Mem { return along(r.mass, r.toTotal, 64*k) }

// rows emits body for every token.
func (a attentionKernel) rows(body func(row *attentionRow)) {
	row := &attentionRow{a.here("x"), a.here("masses"), base("field"), base("totals"), base("own"), length("masses"), vectorsIn(argument("d"))}
	SUBQ(base("x"), row.toField)
	SUBQ(base("masses"), row.toTotal)
	SUBQ(base("masses"), row.toOwn)
	loop := a.label("row")
	Label(loop)
	DECQ(row.others)
	body(row)
	row.next()
	TESTQ(row.others, row.others)
	JNZ(LabelRef(loop))
}

func (r *attentionRow) next() {
	ADDQ(r.size, r.x)
	advance(1, r.mass)
}

// after is the place of the tokens after a row.
func (r *attentionRow) after() *attentionRow {
	after := *r
	after.x, after.mass, after.others = copyOf(r.x), copyOf(r.mass), copyOf(r.others)
	after.next()
	return &after
}

// dot is the inner product of two short vectors.
func (b *block) dot(x, y []*node) *node {
	product := b.times(x[0], y[0])
	for k := 1; k < len(x); k++ {
		product = b.fma(x[k], y[k], product)
	}
	return product
}

// ownWeights emits the weights of all tokens' own terms.
func (a attentionKernel) ownWeights(d int) {
	x, masses, own := a.here("x"), a.here("masses"), a.here("own")
	a.groups(length("masses"), 4, func(items int) {
		b := a.block()
		b.disjoint = true
		law := theLaw()
		for item := range items {
			token := make([]*node, d)
			for k := range token {
				token[k] = b.read(at(x, 64*(item*d+k)))
			}
			b.store(at(own, 64*item), b.times(law.weight(b, b.dot(token, token)), b.read(at(masses, 64*item))))
		}
		b.emit()
		advance(items*d, x)
		advance(items, masses, own)
	})
}

// factors emits the last multiplication of all sums.
func (a attentionKernel) factors(d int) {
	field, totals := a.here("field"), a.here("totals")
	a.groups(length("masses"), 4, func(items int) {
		b := a.block()
		b.disjoint = true
		law := theLaw()
		for item := range items {
			factor := law.factor(b, b.read(at(totals, 64*item)))
			for k := range d {
				place := at(field, 64*(item*d+k))
				b.store(place, b.times(b.load(place), factor))
			}
		}
		b.emit()
		advance(items*d, field)
		advance(items, totals)
	})
}

// unrolledRow emits a row's own term and its pairs with the tokens after it, for one small
// dimension. As much of the row as possible stays in registers.
func (a attentionKernel) unrolledRow(row *attentionRow, d int) {
	m := a.machine
	holdSums, holdTokens := m.wide || d <= 4, m.wide
	var sums, tokens []*node
	if holdSums {
		for range d + 1 { // the last is the total
			sums = append(sums, m.pin())
		}
	}
	if holdTokens {
		for range d {
			tokens = append(tokens, m.pin())
		}
	}
	place := func(k int) Mem {
		if k == d {
			return row.total(0)
		}
		return row.field(k)
	}
	token := func(b *block, k int) *node {
		if holdTokens {
			return tokens[k]
		}
		return b.read(row.token(k))
	}
	collect := func(b *block, weight *node, values []*node) {
		values = append(values, b.number(1))
		for k, v := range values {
			if holdSums {
				b.accumulate(sums[k], weight, v)
			} else {
				b.store(place(k), b.fma(weight, v, b.load(place(k))))
			}
		}
	}
	b := m.block()
	own := make([]*node, d)
	for k := range own {
		if holdTokens {
			b.assign(tokens[k], b.read(row.token(k)))
		}
		own[k] = token(b, k)
	}
	for k, s := range sums {
		b.assign(s, b.read(place(k)))
	}
	collect(b, b.read(along(row.mass, row.toOwn, 0)), own)
	b.emit()

	other, together := row.after(), 4
	if m.wide {
		together = 6
	}
	m.groups(other.others, together, func(items int) {
		b := m.block()
		b.disjoint = true
		own := make([]*node, d)
		for k := range own {
			own[k] = token(b, k)
		}
		law := theLaw()
		for item := range items {
			values := make([]*node, d)
			for k := range values {
				values[k] = b.read(other.token(item*d + k))
			}
			weight := law.weight(b, b.dot(own, values))
			mine, theirs := b.times(weight, b.read(at(other.mass, 64*item))), b.times(weight, b.read(at(row.mass, 0)))
			collect(b, mine, values)
			for k, v := range own {
				place := other.field(item*d + k)
				b.store(place, b.fma(theirs, v, b.read(place)))
			}
			total := other.total(item)
			b.store(total, b.plus(b.read(total), theirs))
		}
		b.emit()
		advance(items*d, other.x)
		advance(items, other.mass)
	})

	if holdSums {
		b = m.block()
		for k, s := range sums {
			b.store(place(k), s)
		}
		b.emit()
	}
	m.unpin(sums...)
	m.unpin(tokens...)
}

// row emits the same for any dimension.
func (a attentionKernel) row(row *attentionRow) {
	m := a.machine
	product, mine, theirs := m.pin(), m.pin(), m.pin()
	// each goes along a token's coordinates: token is a further one beside it.
	each := func(row, token *attentionRow, body func(b *block, place, beside, field Mem)) {
		r, t := *row, *token
		r.x, t.x = copyOf(row.x), copyOf(token.x)
		m.groups(argument("d"), 8, func(items int) {
			for first := 0; first < items; first += 4 {
				b := m.block()
				for k := first; k < min(first+4, items); k++ {
					body(b, r.token(k), t.token(k), r.field(k))
				}
				b.emit()
			}
			advance(items, r.x, t.x)
		})
	}
	dot := func(token *attentionRow) {
		m.zero(product)
		each(row, token, func(b *block, place, beside, _ Mem) {
			b.accumulate(product, b.load(place), b.read(beside))
		})
	}
	// collect adds weight·token to the row's sum.
	collect := func(row, token *attentionRow, weight *node) {
		each(row, token, func(b *block, _, beside, field Mem) {
			b.store(field, b.fma(weight, b.read(beside), b.load(field)))
		})
	}
	dot(row)
	b := m.block()
	b.assign(mine, b.times(theLaw().weight(b, product), b.read(at(row.mass, 0))))
	b.store(row.total(0), b.plus(b.load(row.total(0)), mine))
	b.emit()
	collect(row, row, mine)

	other := row.after()
	m.repeat(other.others, func() {
		dot(other)
		b := m.block()
		weight := theLaw().weight(b, product)
		b.assign(mine, b.times(weight, b.read(at(other.mass, 0))))
		b.assign(theirs, b.times(weight, b.read(at(row.mass, 0))))
		b.store(row.total(0), b.plus(b.load(row.total(0)), mine))
		b.store(other.total(0), b.plus(b.load(other.total(0)), theirs))
		b.emit()
		collect(row, other, mine)
		collect(other, row, theirs)
		other.next()
	})

	b = m.block()
	b.assign(product, theLaw().factor(b, b.load(row.total(0))))
	b.emit()
	each(row, row, func(b *block, _, _, field Mem) {
		b.store(field, b.times(b.load(field), product))
	})
	m.unpin(product, mine, theirs)
}

// retract emits x_i ← normalise(x_i + scale·G c_i) for every token: G has a row for each
// coordinate, c_i is the token's coefficients. A byte of good gets the lanes whose square
// is in the range where it has all digits; others are not normalised.
func (m *machine) retract() {
	m.function("retract", "func(x, matrix, coefficients []"+vector+", good [][2]uint8, d, r int, scale float64)")
	scale, factor, squares := m.pin(), m.pin(), m.partialSums()
	b := m.block()
	b.assign(scale, b.spread(parameterOf("scale")))
	b.emit()
	m.eachHalf(func() {
		token, coefficient, good := m.here("x"), m.here("coefficients"), m.byteHere("good")
		size := vectorsIn(argument("r"))
		m.repeat(length("good"), func() {
			m.zero(squares...)
			to, row := copyOf(token), m.here("matrix")
			m.groups(argument("d"), 8, func(items int) { m.updateRows(items, to, row, coefficient, size, scale, squares) })
			b := m.block()
			square := squares[0]
			b.assign(square, b.total(squares))
			inRange := b.maskAnd(b.compare(lessOrEqual, b.number(0x1p-900), square), b.compare(lessOrEqual, square, b.number(0x1p900)))
			b.assign(factor, b.choose(inRange, b.over(b.number(1), b.root(square)), b.number(1)))
			b.storeMask(Mem{Base: good}, inRange)
			b.emit()
			m.multiplyBy(factor, token)
			ADDQ(size, coefficient)
			ADDQ(Imm(2), good)
		})
	})
	m.unpin(scale, factor)
	m.unpin(squares...)
	m.finish()
}

// updateRows emits the update of one or eight coordinates, adds their squares, and moves the
// pointers on.
func (m *machine) updateRows(items int, to, row, coefficient, size reg.GPVirtual, scale *node, squares []*node) {
	updates := make([]*node, items)
	for k := range updates {
		updates[k] = m.pin()
	}
	m.zero(updates...)
	// Rows 0, 3 and 6, from which one index reaches the two after them.
	bases := []reg.GPVirtual{copyOf(row)}
	for len(bases) < (items+2)/3 {
		next := GP64()
		LEAQ(Mem{Base: bases[len(bases)-1], Index: size, Scale: 2}, next)
		ADDQ(size, next)
		bases = append(bases, next)
	}
	places := make([]Mem, items)
	for k := range places {
		places[k] = Mem{Base: bases[k/3]}
		if k%3 > 0 {
			places[k].Index, places[k].Scale = size, uint8(k%3)
		}
	}
	c := copyOf(coefficient)
	m.repeat(argument("r"), func() {
		b := m.block()
		v := b.load(at(c, 0))
		for k, u := range updates {
			b.accumulate(u, v, b.read(places[k]))
		}
		b.emit()
		advance(1, c)
		advance(1, bases...)
	})
	b := m.block()
	for k, u := range updates {
		v := b.fma(scale, u, b.load(at(to, 64*k)))
		b.store(at(to, 64*k), v)
		b.accumulate(squares[k%4], v, v)
	}
	b.emit()
	m.unpin(updates...)
	advance(items, to)
	LEAQ(Mem{Base: row, Index: size, Scale: uint8(items)}, row)
}

// multiplyBy multiplies the d Vectors at a pointer, which moves beyond them.
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

// project emits c_i = <q, a_i>, a_i ← a_i - c_i q for n vectors a_i of dimension d; the
// coefficients are stride Vectors apart.
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
					b.store(at(vector, 64*k), b.minusFMA(product, b.load(at(y, 64*k)), b.load(at(vector, 64*k))))
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

// direction emits before = |q|² if fresh, and else q ← q/|q|, or 0 where |q|² is at most
// 2^-20·before or below 2^-900.
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
		good := b.maskAnd(b.compare(less, b.times(b.read(at(before, 0)), b.number(0x1p-20)), square), b.compare(lessOrEqual, b.number(0x1p-900), square))
		b.assign(square, b.choose(good, b.over(b.number(1), b.root(square)), b.number(0)))
		b.emit()
		m.multiplyBy(square, m.here("q"))
		Label(end)
	})
	m.unpin(sums...)
	m.finish()
}

// partialSums are four sums that an inner product is collected in, so that one term need
// not wait for the last: term k goes to sum k%4 of its group of eight, four, two or one.
func (m *machine) partialSums() []*node { return []*node{m.pin(), m.pin(), m.pin(), m.pin()} }

// total is the sum of four partial sums.
func (b *block) total(sums []*node) *node {
	return b.plus(b.plus(sums[0], sums[1]), b.plus(sums[2], sums[3]))
}

func (m *machine) tokens() {
	m.retract()
	m.project()
	m.direction()
}
