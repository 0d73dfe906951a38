package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Attention kernels compute the sums of tokens tile by tile. A tile is the set of pairs of two tokens, the
// rows, with up to four later tokens, the columns. A coordinate of a token that is loaded serves all pairs of
// this token. While an operation of one pair waits for the previous operation, operations of other pairs run.

const (
	tileRows    = 2
	tileColumns = 4
)

// adjacent points to the first of some tokens that lie one after the other in memory: the rows or the columns
// of a tile.
type adjacent struct {
	attentionKernel
	x, mass     reg.GPVirtual
	size, size3 reg.GPVirtual // sizes, in bytes, of one token and of three tokens
}

// from returns an adjacent that points to the first token.
func (a attentionKernel) from(size, size3 reg.GPVirtual) *adjacent {
	return &adjacent{a, a.here("x"), a.here("masses"), size, size3}
}

func (t *adjacent) advance(tokens int) {
	LEAQ(Mem{Base: t.x, Index: t.size, Scale: uint8(tokens)}, t.x)
	advance(tokens, t.mass)
}

// of returns the address of a coordinate of one of four adjacent tokens, given the address for the first
// token.
func (t *adjacent) of(pointer reg.GPVirtual, token int) Mem {
	switch token {
	case 0:
		return at(pointer, 0)
	case 3:
		return along(pointer, t.size3, 0)
	}
	return Mem{Base: pointer, Index: t.size, Scale: uint8(token)}
}

// load loads one coordinate of the first tokens of an adjacent, as many as given.
func (t *adjacent) load(b *block, pointer reg.GPVirtual, tokens int) []*node {
	nodes := make([]*node, tokens)
	for k := range nodes {
		nodes[k] = b.load(t.of(pointer, k))
	}
	return nodes
}

// in returns the address of the first token in another array of the same shape, given the start of the array.
func (t *adjacent) in(array reg.GPVirtual) reg.GPVirtual {
	SUBQ(t.here("x"), array)
	ADDQ(t.x, array)
	return array
}

// totals returns a pointer to the total weight of the first token of the adjacent tokens.
func (t *adjacent) totals() reg.GPVirtual {
	totals := t.here("totals")
	SUBQ(t.here("masses"), totals)
	ADDQ(t.mass, totals)
	return totals
}

// tiles emits code that executes visit for every tile of pairs of tokens, for any number of tokens and any
// dimension.
func (a attentionKernel) tiles(visit func(t *tile)) {
	size, size3, left := vectorsIn(argument("d")), GP64(), length("masses")
	LEAQ(Mem{Base: size, Index: size, Scale: 2}, size3)
	columns := a.from(size, size3)
	MOVQ(I32(0), a.before)
	a.groups(left, tileColumns, func(items int) {
		rows, tiles := a.from(size, size3), GP64()
		MOVQ(a.before, tiles)
		SHRQ(Imm(1), tiles) // the number of rows before the columns of a tile is even
		a.repeat(tiles, func() {
			a.tile(rows, columns, tileRows, items, visit)
			rows.advance(tileRows)
		})
		a.tile(columns, columns, items, items, visit)
		columns.advance(items)
		ADDQ(I32(int32(items)), a.before)
	})
}

// tile emits a visit of the pairs of some rows with some columns. If rows and columns are the same tokens, it
// emits a visit of the pairs among these tokens.
func (a attentionKernel) tile(rows, columns *adjacent, down, across int, visit func(t *tile)) {
	t := tile{attentionKernel: a, rows: rows, columns: columns, weights: make([][]*node, down)}
	for r := range t.weights {
		t.weights[r] = make([]*node, across)
		for k := range t.weights[r] {
			if rows == columns && k < r {
				t.weights[r][k] = t.weights[k][r]
			} else {
				t.weights[r][k] = a.pin()
				t.pairs = append(t.pairs, [2]int{r, k})
			}
		}
	}
	visit(&t)
	for _, p := range t.pairs {
		a.unpin(t.weights[p[0]][p[1]])
	}
}

type tile struct {
	attentionKernel
	rows, columns *adjacent
	weights       [][]*node // weights[row][column]; before weigh, inner products
	pairs         [][2]int  // row and column of each pair; pairs of the same tokens are listed once
}

// multiply computes the inner products of the pairs of tokens of the tile.
func (t *tile) multiply() {
	for _, p := range t.pairs {
		t.zero(t.weights[p[0]][p[1]])
	}
	x, y := copyOf(t.rows.x), copyOf(t.columns.x)
	t.repeat(argument("d"), func() {
		b := t.block()
		row, column := t.rows.load(b, x, len(t.weights)), t.columns.load(b, y, len(t.weights[0]))
		for _, p := range t.pairs {
			b.accumulate(t.weights[p[0]][p[1]], row[p[0]], column[p[1]])
		}
		b.emit()
		advance(1, x, y)
	})
}

// weigh replaces the inner products of the pairs of the tile by attention weights, and adds the weights to
// the totals of the tokens.
func (t *tile) weigh() {
	b := t.block()
	b.disjoint = true
	b.horizon = 8 // all pairs use the same constants
	law := theLaw()
	for _, p := range t.pairs {
		w := t.weights[p[0]][p[1]]
		b.assign(w, law.weight(b, w))
	}
	t.addTotals(b)
	b.emit()
}

// addTotals adds the weights of the pairs of the tile, multiplied by masses, to the totals of the tokens.
func (t *tile) addTotals(b *block) {
	vector := func(pointer reg.GPVirtual) func(int) Mem {
		return func(k int) Mem { return at(pointer, 64*k) }
	}
	t.add(b, vector(t.rows.totals()), vector(t.columns.totals()), vector(t.rows.mass), vector(t.columns.mass))
}

// keep stores the inner products of the pairs of tokens of the tile in memory.
func (t *tile) keep() {
	b, place := t.block(), t.kept()
	for k, p := range t.pairs {
		b.store(at(place, 64*k), t.weights[p[0]][p[1]])
	}
	b.emit()
}

// fetch loads the weights of the pairs of the tile from the places where keep has stored their inner
// products, and adds the weights to the totals of the tokens.
func (t *tile) fetch() {
	b, place := t.block(), t.kept()
	b.disjoint = true
	for k, p := range t.pairs {
		b.assign(t.weights[p[0]][p[1]], b.load(at(place, 64*k)))
	}
	t.addTotals(b)
	b.emit()
}

// kept returns a pointer to the stored values of the pairs of the tile, and moves the field place to the
// stored values of the next tile.
func (t *tile) kept() reg.GPVirtual {
	place := GP64()
	MOVQ(t.place, place)
	ADDQ(I32(int32(64*len(t.pairs))), t.place)
	return place
}

// collect adds the terms of the pairs of the tile to the sums of the tokens, coordinate by coordinate.
func (t *tile) collect() {
	rowField, rowHeavy := t.rows.in(t.here("field")), t.rows.in(t.weighedTokens())
	columnField, columnHeavy := t.columns.in(t.here("field")), t.columns.in(t.weighedTokens())
	coordinate := func(tokens *adjacent, pointer reg.GPVirtual) func(int) Mem {
		return func(k int) Mem { return tokens.of(pointer, k) }
	}
	t.repeat(argument("d"), func() {
		b := t.block()
		b.disjoint = true
		t.add(b, coordinate(t.rows, rowField), coordinate(t.columns, columnField),
			coordinate(t.rows, rowHeavy), coordinate(t.columns, columnHeavy))
		b.emit()
		advance(1, rowField, rowHeavy, columnField, columnHeavy)
	})
}

// add adds the terms of the columns to the sum of each row, and the terms of the rows to the sum of each
// column, unless rows and columns are the same tokens.
func (t *tile) add(b *block, rowSum, columnSum, rowTerm, columnTerm func(int) Mem) {
	columns := make([]*node, len(t.weights[0]))
	for k := range columns {
		columns[k] = b.load(columnTerm(k))
	}
	for r, weights := range t.weights {
		sum := b.load(rowSum(r))
		for k, w := range weights {
			sum = b.fma(w, columns[k], sum)
		}
		b.store(rowSum(r), sum)
	}
	if t.rows == t.columns {
		return
	}
	rows := make([]*node, len(t.weights))
	for r := range rows {
		rows[r] = b.load(rowTerm(r))
	}
	for k := range columns {
		sum := b.load(columnSum(k))
		for r, row := range rows {
			sum = b.fma(t.weights[r][k], row, sum)
		}
		b.store(columnSum(k), sum)
	}
}
