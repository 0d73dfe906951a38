package sde

import (
	"errors"
	"math"

	"antipode/sde/internal/kernels"
)

// inVectors reports whether the tokens of a cell are advanced in vectors. Eight large
// trajectories at a time would take too much memory, and too long a layer to interrupt.
func (c Cell) inVectors() bool {
	const largestNumbers, mostTokens = 1 << 20, 1 << 12 // of coordinates, or of a matrix
	numbers := float64(c.Dim) * float64(max(c.Tokens, c.rank()))
	return c.Method == Tokens && c.Model == Transformer && c.Interaction == nil &&
		c.Tokens > 1 && c.Tokens <= mostTokens && numbers <= largestNumbers
}

// rank is the number of columns of the value matrices that are drawn: with Gaussian entries
// a matrix on the span of N tokens has as many.
func (c Cell) rank() int {
	if c.Law == Gaussian {
		return min(c.Tokens, c.Dim)
	}
	return c.Dim
}

// vectorTokenLanes are lanes of the tokens of recursion (4), in vectors.
type vectorTokenLanes struct {
	cell    Cell
	stream  kernels.Stream
	normals kernels.NormalSequence
	groups  []*tokenGroup
	atoms   []atoms // of each lane
	merge   bool
	// distance at which tokens merge.
	distance float64
	state    []float64 // N×d of one lane
	view     []float64
}

func newVectorTokenLanes(c Cell, seed uint64, count int, merge bool) *vectorTokenLanes {
	stream := c.stream(seed)
	size := c.Tokens * c.Dim
	l := &vectorTokenLanes{
		cell: c, stream: stream, merge: merge, distance: mergeDistance,
		state: make([]float64, size), view: make([]float64, size),
	}
	for len(l.groups)*lanesOfVector < count {
		l.groups = append(l.groups, newTokenGroup(c, stream))
	}
	for range len(l.groups) * lanesOfVector {
		l.atoms = append(l.atoms, newAtoms(c.Tokens))
	}
	return l
}

// at returns the group of a lane, and the lane's number in it.
func (l *vectorTokenLanes) at(k int) (*tokenGroup, int) {
	return l.groups[k/lanesOfVector], k % lanesOfVector
}

func (l *vectorTokenLanes) start(k int, trajectory int64) error {
	l.normals.Restart(l.stream, kernels.Starts, trajectory, 0)
	err := l.cell.Start.Fill(l.state, l.cell.Dim, trajectory, l.normals.Next)
	l.atoms[k].reset()
	group, lane := l.at(k)
	group.put(lane, l.state, l.atoms[k].masses)
	return err
}

func (l *vectorTokenLanes) move(k, from int) {
	group, lane := l.at(from)
	group.get(l.state, lane, len(l.atoms[from].masses))
	l.atoms[k], l.atoms[from] = l.atoms[from], l.atoms[k]
	group, lane = l.at(k)
	group.put(lane, l.state, l.atoms[k].masses)
}

func (l *vectorTokenLanes) see(k int) []float64 {
	group, lane := l.at(k)
	a := &l.atoms[k]
	group.get(l.state, lane, len(a.masses))
	return a.expand(l.view, l.state, l.cell.Dim)
}

func (l *vectorTokenLanes) advance(all []lane, layers int64) {
	for first := 0; first < len(all); first += lanesOfVector {
		part := all[first:min(first+lanesOfVector, len(all))]
		l.advanceGroup(l.groups[first/lanesOfVector], part, l.atoms[first:first+len(part)], layers)
	}
}

func (l *vectorTokenLanes) advanceGroup(g *tokenGroup, all []lane, atoms []atoms, layers int64) {
	for k, at := range all {
		g.numbers.Set(k, kernels.Increments, at.trajectory, at.layer)
	}
	g.fit(atoms)
	for range layers {
		failed := g.tokens.Step(g.draw) != nil
		g.numbers.Advance()
		merged := false
		for k := range all {
			at := &all[k]
			if at.layer++; failed && at.err == nil && !g.unit(k) {
				at.err = errors.New("a token has no direction")
			}
			if l.merge && at.layer%mergeInterval == 0 {
				merged = l.mergeLane(g, k, &atoms[k]) || merged
			}
		}
		if merged {
			g.fit(atoms)
		}
	}
}

// mergeLane merges the tokens of a lane that coincide, and reports whether there were any.
func (l *vectorTokenLanes) mergeLane(g *tokenGroup, k int, a *atoms) bool {
	before := len(a.masses)
	if before == 1 {
		return false
	}
	x := l.state[:before*l.cell.Dim]
	g.get(x, k, before)
	a.merge(x, l.cell.Dim, l.distance)
	if len(a.masses) == before {
		return false
	}
	g.put(k, x, a.masses)
	return true
}

// tokenGroup is the lanes of one Vector.
type tokenGroup struct {
	cell    Cell
	tokens  *kernels.Tokens
	rows    int               // of tokens: atoms, and some of mass 0
	sizes   []*kernels.Tokens // by the number of rows, if it has been needed
	numbers *kernels.Lanes
	draw    func(matrix []kernels.Vector)
}

func newTokenGroup(c Cell, stream kernels.Stream) *tokenGroup {
	g := &tokenGroup{cell: c, sizes: make([]*kernels.Tokens, c.Tokens+1), numbers: kernels.NewLanes(stream, 1)}
	g.draw = func(matrix []kernels.Vector) { c.Law.drawLanes(matrix, c.Sigma, g.numbers) }
	g.resize(c.Tokens)
	for i := range c.Tokens { // until a trajectory comes
		for k := range lanesOfVector {
			g.tokens.X[i*c.Dim][k] = 1
		}
	}
	return g
}

// fit makes as many rows as the lanes have atoms at the most. Where the rank of the draws
// depends on the rows it keeps all, and it keeps more than two, as two of them are advanced
// by other operations: what a lane does must not depend on the others.
func (g *tokenGroup) fit(atoms []atoms) {
	rows := 3
	for _, a := range atoms {
		rows = max(rows, len(a.masses))
	}
	if g.cell.Tokens <= max(3, g.cell.Dim) {
		rows = g.cell.Tokens
	}
	if rows != g.rows {
		g.resize(rows)
	}
}

// resize gives the lanes so many rows.
func (g *tokenGroup) resize(rows int) {
	c, old := g.cell, g.tokens
	if g.sizes[rows] == nil {
		attention := kernels.NewAttention(c.Beta, c.Tokens, c.Attention == Softmax)
		g.sizes[rows] = kernels.NewTokens(rows, c.Dim, 1/math.Sqrt(float64(c.Depth)), attention, c.rank() < c.Dim)
	}
	g.tokens = g.sizes[rows]
	if old != nil {
		copy(g.tokens.X, old.X)
		copy(g.tokens.Masses, old.Masses)
		for i := g.rows; i < rows; i++ {
			copy(g.tokens.X[i*c.Dim:(i+1)*c.Dim], old.X[:c.Dim])
			g.tokens.Masses[i] = kernels.Vector{}
		}
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
