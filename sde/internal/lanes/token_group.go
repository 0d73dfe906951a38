package lanes

import (
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
)

// tokenGroup holds the tokens of the eight trajectories in the lanes of one Vector.
type tokenGroup struct {
	dim     int
	tokens  *selfattention.Tokens // atoms of the trajectories; rows that a lane does not use have mass 0
	rows    int                   // number of rows of tokens
	numbers *kernels.Lanes
	weights *kernels.Lanes // addresses of the entries of the MLP; nil without an MLP
	draw    func(matrix []kernels.Vector)
}

func newTokenGroup(r Recursion) *tokenGroup {
	attention := selfattention.NewAttention(r.Beta, r.Count, r.Softmax)
	switch {
	case r.Weigh != nil:
		attention = selfattention.NewOwnAttention(r.Weigh, r.Count, r.Softmax)
	case r.Kernel != nil:
		attention = selfattention.NewRowAttention(r.Kernel, r.Count, r.Dim)
	}
	numbers := kernels.NewLanes(r.Stream, 1)
	g := &tokenGroup{
		dim: r.Dim, rows: r.Count, numbers: numbers,
		tokens: selfattention.NewTokens(r.Count, r.Dim, r.Scale, attention, r.Rank < r.Dim),
		draw:   func(matrix []kernels.Vector) { r.Draw(matrix, numbers) },
	}
	if r.MLP != nil {
		m, weights := *r.MLP, kernels.NewLanes(r.Stream, 1)
		m.Draw = func(entries []kernels.Vector) { weights.Normals(entries, 1, 0) }
		g.weights = weights
		g.tokens.Add(&m)
	}
	for i := range r.Count { // lanes without a trajectory hold unit vectors
		for k := range PerVector {
			g.tokens.X[i*r.Dim][k] = 1
		}
	}
	return g
}

// set sets the addresses of the random numbers of a lane to the current layer of its trajectory.
func (g *tokenGroup) set(lane int, at Lane) {
	g.numbers.Set(lane, kernels.Increments, at.Trajectory, at.Layer)
	if g.weights != nil {
		g.weights.Set(lane, kernels.Weights, at.Trajectory, at.Layer)
	}
}

// nextLayer moves the addresses of the random numbers of all lanes on to the next layer.
func (g *tokenGroup) nextLayer() {
	g.numbers.Advance()
	if g.weights != nil {
		g.weights.Advance()
	}
}

// resize sets the number of rows of tokens of the group; new rows have mass 0.
func (g *tokenGroup) resize(rows int) {
	g.tokens.Resize(rows)
	d, x := g.dim, g.tokens.X
	for i := g.rows; i < rows; i++ {
		copy(x[i*d:(i+1)*d], x[:d])
		g.tokens.Masses[i] = kernels.Vector{}
	}
	g.rows = rows
}

// put writes the atoms x, of the given masses, to a lane.
func (g *tokenGroup) put(lane int, x, masses []float64) {
	if len(masses) > g.rows {
		g.resize(len(masses))
	}
	d := g.dim
	for i := range g.rows {
		atom, mass := 0, 0.0 // a row of mass 0 may be any unit vector
		if i < len(masses) {
			atom, mass = i, masses[i]
		}
		for k, v := range x[atom*d : (atom+1)*d] {
			g.tokens.X[i*d+k][lane] = v
		}
		g.tokens.Masses[i][lane] = mass
	}
}

// get writes the first rows of tokens of a lane to x.
func (g *tokenGroup) get(x []float64, lane, rows int) {
	for k := range rows * g.dim {
		x[k] = g.tokens.X[k][lane]
	}
}

// unit reports whether the tokens of a lane are unit vectors.
func (g *tokenGroup) unit(lane int) bool {
	d := g.dim
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
