package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// tangents are lanes of recursion (4), linearised about two opposite clusters of equal size: tokens stay at
// ±x, and two tangent vectors at them, one of each invariant space below, follow the derivative of a layer
// and are renormalised in each. Their growth is the sum of the logarithms of their lengths.
//
//   - Within: differences of tokens of one cluster, of which the mean is 0. All of them begin with one
//     direction: every layer multiplies them by one matrix, and as its law looks the same in every basis, the
//     logarithm of their length is a random walk from the first layer on. Of vectors of several directions
//     the longest would count, by and by.
//   - Between: the same displacement of all tokens. Tokens at x and -x lose their opposition by it; it is the
//     overlap of two opposite tokens.
//
// What is left, opposite displacements of the two clusters, turns the axis and does not grow. As rounding
// leads from one space to the others, vectors are put back in each layer.
//
// A layer is U_i = X_i + L^{-1/2} V A_i, X_i' = U_i/|U_i|, and takes a tangent vector ξ to P_i'[ξ_i +
// L^{-1/2} V Σ_j J_ij ξ_j]/|U_i| with J_ij = ∂A_i/∂X_j of all N tokens.
type tangents struct {
	cell       Cell
	stream     kernels.Stream
	scale      float64 // L^{-1/2}
	normals    kernels.NormalSequence
	derivative *fieldDerivative
	increment  []float64
	field      []float64 // N×d
	next       []float64 // N×d
	change     []float64 // of a token's field, d
	states     []tangentState
}

// tangentState is a trajectory: its tokens, tangent vectors and their growth.
type tangentState struct {
	tokens  []float64    // N×d, the first half of them at x and the others at -x
	vectors [2][]float64 // N×d: within and between
	growth  [2]float64
}

func newTangents(c Cell, seed uint64, count int) *tangents {
	size := c.Tokens * c.Dim
	l := &tangents{
		cell: c, stream: c.stream(seed), scale: 1 / math.Sqrt(float64(c.Depth)),
		derivative: newFieldDerivative(c, CommonNoise, newAttention(c)),
		increment:  make([]float64, c.IncrementLen()), field: make([]float64, size),
		next: make([]float64, size), change: make([]float64, c.Dim),
		states: make([]tangentState, count),
	}
	for k := range l.states {
		l.states[k] = tangentState{make([]float64, size),
			[2][]float64{make([]float64, size), make([]float64, size)},
			[2]float64{}}
	}
	return l
}

// validateTangent refuses a cell that has no two opposite clusters of equal size under random matrices.
func (c Cell) validateTangent() error {
	start, opposite := c.Start.(OppositeStart)
	_, transformer := c.Model.(Transformer)
	switch {
	case !c.Tangent:
		return nil
	case !transformer || c.Method != Tokens || c.Interaction != nil:
		return fmt.Errorf("tangent: is for the tokens of model transformer, " +
			"with the identity as interaction matrix")
	case !opposite || start.First != start.Second:
		return fmt.Errorf("tangent: needs opposite clusters of equal size, not start %v", c.Start)
	}
	return nil
}

func (l *tangents) Start(k int, trajectory int64) error {
	s := &l.states[k]
	l.normals.Restart(l.stream, kernels.Starts, trajectory, 0)
	if err := l.cell.Start.Fill(s.tokens, l.cell.Dim, trajectory, l.normals.Next); err != nil {
		return err
	}
	for mode, vector := range s.vectors {
		direction := l.next[:l.cell.Dim]
		for i := range direction {
			direction[i] = l.normals.Next()
		}
		sphere.Project(direction, s.tokens[:l.cell.Dim], direction)
		for i := 0; i < len(vector); i += l.cell.Dim {
			length := 1.
			if mode == 0 {
				length = l.normals.Next()
			}
			scale(vector[i:i+l.cell.Dim], length, direction)
		}
		l.confine(mode, vector)
		s.growth[mode] = 0
	}
	return nil
}

// confine puts a vector back into its space, and makes its length 1. It returns the length before, which is 0
// within clusters of one token.
func (l *tangents) confine(mode int, vector []float64) float64 {
	half := len(vector) / 2
	if mode == 0 {
		l.center(vector[:half])
		l.center(vector[half:])
	} else {
		mean, d := l.change, l.cell.Dim
		l.mean(mean, vector)
		for i := 0; i < len(vector); i += d {
			copy(vector[i:i+d], mean)
		}
	}
	return sphere.Normalize(vector, vector)
}

// mean writes the mean of vectors to dst.
func (l *tangents) mean(dst, vectors []float64) {
	d := len(dst)
	clear(dst)
	for i := 0; i < len(vectors); i += d {
		addScaled(dst, 1, vectors[i:i+d])
	}
	scale(dst, float64(d)/float64(len(vectors)), dst)
}

// center subtracts their mean from vectors.
func (l *tangents) center(vectors []float64) {
	mean, d := l.change, l.cell.Dim
	l.mean(mean, vectors)
	for i := 0; i < len(vectors); i += d {
		addScaled(vectors[i:i+d], -1, mean)
	}
}

func (l *tangents) Tokens(k int) []float64 { return l.states[k].tokens }

func (*tangents) Pair(int) (p lanes.Pair, ok bool) { return p, false }

func (l *tangents) Move(k, from int) { l.states[k], l.states[from] = l.states[from], l.states[k] }

func (l *tangents) Copy(k, from int) {
	a, b := &l.states[k], &l.states[from]
	copy(a.tokens, b.tokens)
	for mode := range a.vectors {
		copy(a.vectors[mode], b.vectors[mode])
	}
	a.growth = b.growth
}

// Growth returns the logarithms of what the vectors have grown by: of one within clusters of a single token
// it has no meaning.
func (l *tangents) Growth(k int) (within, between float64) {
	return l.states[k].growth[0], l.states[k].growth[1]
}

func (l *tangents) Advance(all []lanes.Lane, layers int64) {
	for k := range all {
		at := &all[k]
		for end := at.Layer + layers; at.Layer < end && at.Err == nil; {
			l.cell.Model.draw(l.increment, l.cell.Depth, l.stream, at.Trajectory, at.Layer)
			if at.Layer++; !l.step(&l.states[k]) {
				at.Err = fmt.Errorf("layer %d: a token has no direction", at.Layer)
			}
		}
	}
}

// step takes a trajectory to the next layer, and reports whether its tokens have a direction.
func (l *tangents) step(s *tangentState) bool {
	d, half := l.cell.Dim, len(s.tokens)/2
	l.derivative.field(l.field, s.tokens)
	l.derivative.takeWeights()
	axis := l.next[:d] // of the next layer
	multiply(l.change, l.increment, l.field[:d])
	copy(axis, s.tokens[:d])
	addScaled(axis, l.scale, l.change)
	length := sphere.Normalize(axis, axis)
	if checkNorm(length, 0) != nil {
		return false
	}
	moved := l.next[d : 2*d]
	for mode, vector := range s.vectors {
		copy(l.derivative.tangents, vector)
		for i := 0; i < len(vector); i += d {
			l.derivative.alongTangents(l.change, s.tokens, l.field, i/d)
			multiply(moved, l.increment, l.change)
			to := vector[i : i+d]
			addScaled(to, l.scale, moved)
			sphere.Project(to, axis, to)
			scale(to, 1/length, to)
		}
		s.growth[mode] += elementary.Log(l.confine(mode, vector))
	}
	for i := 0; i < len(s.tokens); i += d {
		sign := 1.
		if i >= half {
			sign = -1
		}
		scale(s.tokens[i:i+d], sign, axis)
	}
	return true
}
