package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The field of tokens of small dimension goes by columns, some tokens that stay in the
// nearest cache while all before them pass by. While the terms of a row are added, the
// weights of the next are computed already: a weight is a chain of operations that wait for
// one another, much longer than the processor looks ahead.

// together is the number of columns: more would leave the weights too few registers.
func (a attentionKernel) together() int {
	if a.wide {
		return 4
	}
	return 3
}

// attentionTokens is the place of some tokens, of the given dimension.
type attentionTokens struct {
	x, heavy, field, mass, total reg.GPVirtual
	d                            int
}

func (a attentionKernel) tokens(d int) *attentionTokens {
	x, field, mass, total := a.here("x"), a.here("field"), a.here("masses"), a.here("totals")
	return &attentionTokens{x, a.weighedTokens(), field, mass, total, d}
}

func (t *attentionTokens) advance(tokens int) {
	advance(tokens*t.d, t.x, t.heavy, t.field)
	advance(tokens, t.mass, t.total)
}

// token is a token's coordinates.
func (t *attentionTokens) token(b *block, item int) []*node {
	nodes := make([]*node, t.d)
	for k := range nodes {
		nodes[k] = b.read(at(t.x, 64*(item*t.d+k)))
	}
	return nodes
}

// weighed is a token times its mass, and then the mass.
func (t *attentionTokens) weighed(b *block, item int) []*node {
	nodes := make([]*node, t.d, t.d+1)
	for k := range nodes {
		nodes[k] = b.read(at(t.heavy, 64*(item*t.d+k)))
	}
	return append(nodes, b.read(at(t.mass, 64*item)))
}

// sums are a token's field, and then the total weight.
func (t *attentionTokens) sums(b *block, item int) []*node {
	nodes := make([]*node, t.d+1)
	for k := range nodes {
		nodes[k] = b.read(t.sum(item, k))
	}
	return nodes
}

func (t *attentionTokens) sum(item, k int) Mem {
	if k == t.d {
		return at(t.total, 64*item)
	}
	return at(t.field, 64*(item*t.d+k))
}

func (t *attentionTokens) store(b *block, item int, sums []*node) {
	for k, s := range sums {
		b.store(t.sum(item, k), s)
	}
}

// addTerm is sums with a token's term added.
func (b *block) addTerm(sums []*node, weight *node, weighed []*node) []*node {
	added := make([]*node, len(sums))
	for k, s := range sums {
		added[k] = b.fma(weight, weighed[k], s)
	}
	return added
}

// columns emits the sums of all tokens.
func (a attentionKernel) columns(d int) {
	columns, left := a.tokens(d), length("masses")
	c := columnsKernel{attentionKernel: a, columns: columns}
	c.holdLaw()
	MOVQ(I32(0), a.before)
	a.groups(left, a.together(), func(items int) {
		c.weights = c.carried(items)
		c.masses = c.held(items)
		c.rowsBefore()
		c.triangle()
		columns.advance(items)
		ADDQ(I32(int32(items)), a.before)
		if a.wide {
			a.unpin(append(c.weights, c.masses...)...)
		}
	})
	if a.wide {
		a.unpin(c.law[:]...)
	}
}

type columnsKernel struct {
	attentionKernel
	columns *attentionTokens
	law     [2]*node // scale and rounding of a weight
	masses  []*node  // of the columns
	weights []*node  // that the next row of the columns finds, pinned or in slots
}

// block is a block whose places in memory are different tokens'.
func (c *columnsKernel) block() *block {
	b := c.machine.block()
	b.disjoint = true
	b.horizon = 8
	return b
}

func (c *columnsKernel) holdLaw() {
	b := c.machine.block()
	law := theLaw()
	for k := range c.law {
		if c.wide {
			c.law[k] = c.pin()
			b.assign(c.law[k], law.parameter(b, k))
			continue
		}
		slot := c.slots[k]
		b.store(slot, law.parameter(b, k))
		c.law[k] = &node{memory: &slot}
	}
	b.emit()
}

// held are the masses of the columns, in registers if there are enough.
func (c *columnsKernel) held(items int) []*node {
	masses := make([]*node, items)
	b := c.block()
	for k := range masses {
		masses[k] = b.read(at(c.columns.mass, 64*k))
		if c.wide {
			masses[k] = b.assign(c.pin(), masses[k])
		}
	}
	b.emit()
	return masses
}

// carried is where that many weights are kept.
func (c *columnsKernel) carried(items int) []*node {
	weights := make([]*node, items)
	for k := range weights {
		if c.wide {
			weights[k] = c.pin()
		} else {
			weights[k] = &node{memory: &c.slots[2+k]}
		}
	}
	return weights
}

// rowsBefore emits the pairs of the columns with all rows before them, and the weights of the
// columns' own first row.
func (c *columnsKernel) rowsBefore() {
	row, left := c.tokens(c.columns.d), GP64()
	b := c.block()
	c.weigh(b, row, 0)
	b.emit()
	MOVQ(c.before, left)
	c.repeat(left, func() {
		b := c.block()
		c.collect(b, row)
		c.weigh(b, row, 1)
		b.emit()
		row.advance(1)
	})
}

// weigh computes the weights of a row that the next collect uses.
func (c *columnsKernel) weigh(b *block, row *attentionTokens, item int) {
	token := row.token(b, item)
	for k, w := range c.weights {
		weight := c.weight(b, token, c.columns.token(b, k))
		if c.wide {
			b.assign(w, weight)
		} else {
			b.store(*w.memory, weight)
		}
	}
}

func (c *columnsKernel) weight(b *block, x, y []*node) *node {
	law := c.law
	if !c.wide {
		for k, l := range law {
			law[k] = b.read(*l.memory)
		}
	}
	return b.weight(b.dot(x, y), law[0], law[1])
}

// carriedWeight is the weight of the row at hand and a column.
func (c *columnsKernel) carriedWeight(b *block, k int) *node {
	if c.wide {
		return c.weights[k]
	}
	return b.load(*c.weights[k].memory)
}

// collect adds the terms of a row and all columns to the sums of both.
func (c *columnsKernel) collect(b *block, row *attentionTokens) {
	mine, weighed := row.sums(b, 0), row.weighed(b, 0)
	if c.wide || row.d <= 4 {
		// In AVX2 more coordinates leave no register for it.
		weighed[row.d] = b.load(at(row.mass, 0))
	}
	for k := range c.weights {
		w := c.carriedWeight(b, k)
		column := c.columns.weighed(b, k)
		column[row.d] = c.masses[k]
		mine = b.addTerm(mine, w, column)
		c.columns.store(b, k, b.addTerm(c.columns.sums(b, k), w, weighed))
	}
	row.store(b, 0, mine)
}

// triangle emits the own terms of the columns and their pairs among each other.
func (c *columnsKernel) triangle() {
	b := c.block()
	t, items := c.columns, len(c.weights)
	sums, tokens, weighed := make([][]*node, items), make([][]*node, items), make([][]*node, items)
	for k := range items {
		sums[k], tokens[k], weighed[k] = t.sums(b, k), t.token(b, k), t.weighed(b, k)
	}
	for i := range items {
		for j := i; j < items; j++ {
			w := c.carriedWeight(b, j)
			if i > 0 {
				w = c.weight(b, tokens[i], tokens[j])
			}
			sums[i] = b.addTerm(sums[i], w, weighed[j])
			if j > i {
				sums[j] = b.addTerm(sums[j], w, weighed[i])
			}
		}
		t.store(b, i, sums[i])
	}
	b.emit()
}
