package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// attentionRow is the place of one token, of x and of its mass. Its field and its product with
// the mass are distances from x; its total is a distance from its mass.
type attentionRow struct {
	x, mass                   reg.GPVirtual
	toField, toHeavy, toTotal reg.GPVirtual
	others                    reg.GPVirtual // how many tokens come after it
	size                      reg.GPVirtual // of a token in bytes
}

func (r *attentionRow) token(k int) Mem { return at(r.x, 64*k) }
func (r *attentionRow) field(k int) Mem { return along(r.x, r.toField, 64*k) }
func (r *attentionRow) heavy(k int) Mem { return along(r.x, r.toHeavy, 64*k) }
func (r *attentionRow) weigh() Mem      { return at(r.mass, 0) }
func (r *attentionRow) total() Mem      { return along(r.mass, r.toTotal, 0) }

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

// rows emits the field for any dimension, token by token.
func (a attentionKernel) rows() {
	row := &attentionRow{
		a.here("x"), a.here("masses"), base("field"), a.weighedTokens(), base("totals"),
		length("masses"), vectorsIn(argument("d")),
	}
	SUBQ(base("x"), row.toField)
	SUBQ(row.x, row.toHeavy)
	SUBQ(base("masses"), row.toTotal)
	loop := a.label("row")
	Label(loop)
	DECQ(row.others)
	a.row(row)
	row.next()
	TESTQ(row.others, row.others)
	JNZ(LabelRef(loop))
}

// row emits a token's own term, its pairs with those after it, and the last multiplication of
// its sum, which then has all terms.
func (a attentionKernel) row(row *attentionRow) {
	m := a.machine
	product, weight := m.pin(), m.pin()
	// each goes along a token's coordinates: token is a further one beside it.
	each := func(row, token *attentionRow, body func(b *block, place, beside, heavy, field Mem)) {
		r, t := *row, *token
		r.x, t.x = copyOf(row.x), copyOf(token.x)
		m.groups(argument("d"), 8, func(items int) {
			for first := 0; first < items; first += 4 {
				b := m.block()
				for k := first; k < min(first+4, items); k++ {
					body(b, r.token(k), t.token(k), t.heavy(k), r.field(k))
				}
				b.emit()
			}
			advance(items, r.x, t.x)
		})
	}
	dot := func(token *attentionRow) {
		m.zero(product)
		each(row, token, func(b *block, place, beside, _, _ Mem) {
			b.accumulate(product, b.load(place), b.read(beside))
		})
	}
	// collect adds a token's term to the row's sum.
	collect := func(row, token *attentionRow) {
		each(row, token, func(b *block, _, _, heavy, field Mem) {
			b.store(field, b.fma(weight, b.read(heavy), b.load(field)))
		})
	}
	dot(row)
	b := m.block()
	b.assign(weight, theLaw().weight(b, product))
	b.store(row.total(), b.fma(weight, b.read(row.weigh()), b.load(row.total())))
	b.emit()
	collect(row, row)

	other := row.after()
	m.repeat(other.others, func() {
		dot(other)
		b := m.block()
		b.assign(weight, theLaw().weight(b, product))
		b.store(row.total(), b.fma(weight, b.read(other.weigh()), b.load(row.total())))
		b.store(other.total(), b.fma(weight, b.read(row.weigh()), b.load(other.total())))
		b.emit()
		collect(row, other)
		collect(other, row)
		other.next()
	})

	b = m.block()
	b.assign(product, theLaw().factor(b, b.load(row.total())))
	b.emit()
	each(row, row, func(b *block, _, _, _, field Mem) {
		b.store(field, b.times(b.load(field), product))
	})
	m.unpin(product, weight)
}
