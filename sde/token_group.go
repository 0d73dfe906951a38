package sde

import (
	"math"

	"antipode/sde/internal/kernels"
)

// tokenGroup is the lanes of one Vector.
type tokenGroup struct {
	cell    Cell
	tokens  *kernels.Tokens // atoms, and some of mass 0
	rows    int             // of tokens
	numbers *kernels.Lanes
	draw    func(matrix []kernels.Vector)
}

func newTokenGroup(c Cell, stream kernels.Stream) *tokenGroup {
	attention := kernels.NewAttention(c.Beta, c.Tokens, c.Attention == Softmax)
	g := &tokenGroup{cell: c, rows: c.Tokens, numbers: kernels.NewLanes(stream, 1)}
	model, scale := c.Model.recursion(), 0.
	g.draw, scale = model.matrices(c, g.numbers)
	g.tokens = kernels.NewTokens(c.Tokens, c.Dim, scale, attention, model.rank(c.Tokens, c.Dim) < c.Dim)
	for i := range c.Tokens { // until a trajectory comes
		for k := range lanesOfVector {
			g.tokens.X[i*c.Dim][k] = 1
		}
	}
	return g
}

// resize gives the lanes so many rows; those that are new have mass 0.
func (g *tokenGroup) resize(rows int) {
	g.tokens.Resize(rows)
	d, x := g.cell.Dim, g.tokens.X
	for i := g.rows; i < rows; i++ {
		copy(x[i*d:(i+1)*d], x[:d])
		g.tokens.Masses[i] = kernels.Vector{}
	}
	g.rows = rows
}

// put sets a lane to atoms x of given masses.
func (g *tokenGroup) put(lane int, x, masses []float64) {
	if len(masses) > g.rows {
		g.resize(len(masses))
	}
	d := g.cell.Dim
	for i := range g.rows {
		atom, mass := 0, 0.0 // a row of no tokens is somewhere on the sphere
		if i < len(masses) {
			atom, mass = i, masses[i]
		}
		for k, v := range x[atom*d : (atom+1)*d] {
			g.tokens.X[i*d+k][lane] = v
		}
		g.tokens.Masses[i][lane] = mass
	}
}

// get writes the first rows of a lane to x.
func (g *tokenGroup) get(x []float64, lane, rows int) {
	for k := range rows * g.cell.Dim {
		x[k] = g.tokens.X[k][lane]
	}
}

// unit reports whether the tokens of a lane are unit vectors.
func (g *tokenGroup) unit(lane int) bool {
	d := g.cell.Dim
	for i := range g.rows {
		square := 0.0
		for k := range d {
			v := g.tokens.X[i*d+k][lane]
			square += float64(v * v)
		}
		if !(math.Abs(square-1) < 1e-3) {
			return false
		}
	}
	return true
}
