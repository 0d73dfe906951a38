package lanes

import (
	"fmt"
	"math"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/linear"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// tangents are Lanes of recursion (4), linearised about two opposite clusters of equal size. The tokens stay
// at two opposite points x and -x. Two tangent vectors, one in each of the invariant spaces Within and
// Between, are multiplied by the derivative of every layer and then renormalised. The growth of a vector is
// the sum of the logarithms of its lengths before the renormalisations.
//
//   - Within: the tokens of each cluster are displaced, and the mean displacement of each cluster is 0. At
//     the start all displacements within clusters are multiples of one direction. Every layer multiplies all
//     displacements by the same matrix, whose law is the same in every basis, so that the logarithm of their
//     length is a random walk from the first layer on. With displacements in several directions, the longest
//     displacement would dominate after some layers, and the mean growth would be above the Lyapunov
//     exponent.
//   - Between: all tokens have the same displacement, so that tokens at x and -x are no longer opposite. A
//     displacement of all tokens by the same vector changes the overlap of two opposite tokens.
//
// In the third invariant space the two clusters have opposite displacements, which turn the axis of the
// clusters and do not grow. Rounding errors lead out of each invariant space, so that vectors are projected
// back to their space in each layer.
//
// A layer maps tokens X_i with attention A_i to X_i' = U_i/|U_i| with U_i = X_i + L^{-1/2} V A_i. The
// derivative of the layer maps a tangent vector ξ to P_i'[ξ_i + L^{-1/2} V Σ_j J_ij ξ_j]/|U_i|, where J_ij =
// ∂A_i/∂X_j, P_i' is the projection to the tangent space at X_i', and the sum runs over all N tokens.
type tangents struct {
	process    Process
	scale      float64 // scale L^{-1/2} of the noise
	draw       Draw
	normals    kernels.NormalSequence
	derivative *attention.Derivative
	increment  []float64 // value matrix V, d×d
	field      []float64 // attention of the tokens, N×d
	next       []float64 // working memory, N×d
	change     []float64 // derivative of the attention of a token along the tangent vector, d
	states     []tangentState
}

// tangentState is the state of a linearised trajectory: its tokens, its tangent vectors and the growth of
// these vectors.
type tangentState struct {
	tokens  []float64    // N×d, the first half of the tokens at x and the other half at -x
	vectors [2][]float64 // tangent vectors in the spaces Within and Between, N×d each
	growth  [2]float64
}

// NewTangents returns count lanes of recursion (4), linearised about two opposite clusters of equal size, at
// which p.Start must put the tokens. The function draw samples the value matrices, which are multiplied by
// scale = L^{-1/2}.
func NewTangents(p Process, a *attention.Attention, draw Draw, scale float64, count int) Lanes {
	size := p.Count * p.Dim
	l := &tangents{
		process: p, scale: scale, draw: draw,
		derivative: attention.NewDerivative(a, false),
		increment:  make([]float64, p.Dim*p.Dim), field: make([]float64, size),
		next: make([]float64, size), change: make([]float64, p.Dim),
		states: make([]tangentState, count),
	}
	for k := range l.states {
		l.states[k] = tangentState{make([]float64, size),
			[2][]float64{make([]float64, size), make([]float64, size)},
			[2]float64{}}
	}
	return l
}

func (l *tangents) Start(k int, trajectory int64) error {
	s := &l.states[k]
	l.normals.Restart(l.process.Stream, kernels.Starts, trajectory, 0)
	if err := l.process.Start(s.tokens, l.process.Dim, trajectory, l.normals.Next); err != nil {
		return err
	}
	for mode, vector := range s.vectors {
		direction := l.next[:l.process.Dim]
		for i := range direction {
			direction[i] = l.normals.Next()
		}
		sphere.Project(direction, s.tokens[:l.process.Dim], direction)
		for i := 0; i < len(vector); i += l.process.Dim {
			length := 1.
			if mode == 0 {
				length = l.normals.Next()
			}
			linear.Scale(vector[i:i+l.process.Dim], length, direction)
		}
		l.confine(mode, vector)
		s.growth[mode] = 0
	}
	return nil
}

// confine projects a tangent vector onto an invariant space, normalises the vector, and returns its length
// before the normalisation. Mode 0 is the space Within, and mode 1 is the space Between. For clusters of one
// token the space Within is {0}, and the returned length is 0.
func (l *tangents) confine(mode int, vector []float64) float64 {
	half := len(vector) / 2
	if mode == 0 {
		l.center(vector[:half])
		l.center(vector[half:])
	} else {
		mean, d := l.change, l.process.Dim
		l.mean(mean, vector)
		for i := 0; i < len(vector); i += d {
			copy(vector[i:i+d], mean)
		}
	}
	return sphere.Normalize(vector, vector)
}

// mean writes the mean of the displacements in vectors to dst.
func (l *tangents) mean(dst, vectors []float64) {
	d := len(dst)
	clear(dst)
	for i := 0; i < len(vectors); i += d {
		linear.AddScaled(dst, 1, vectors[i:i+d])
	}
	linear.Scale(dst, float64(d)/float64(len(vectors)), dst)
}

// center subtracts the mean of the displacements in vectors from each displacement.
func (l *tangents) center(vectors []float64) {
	mean, d := l.change, l.process.Dim
	l.mean(mean, vectors)
	for i := 0; i < len(vectors); i += d {
		linear.AddScaled(vectors[i:i+d], -1, mean)
	}
}

func (l *tangents) Tokens(k int) []float64 { return l.states[k].tokens }

func (*tangents) Pair(int) (p Pair, ok bool) { return p, false }

func (l *tangents) Move(k, from int) { l.states[k], l.states[from] = l.states[from], l.states[k] }

func (l *tangents) Copy(k, from int) {
	a, b := &l.states[k], &l.states[from]
	copy(a.tokens, b.tokens)
	for mode := range a.vectors {
		copy(a.vectors[mode], b.vectors[mode])
	}
	a.growth = b.growth
}

// Growth returns the logarithms of the factors by which the tangent vectors of lane k have grown. The result
// within has no meaning for clusters of a single token.
func (l *tangents) Growth(k int) (within, between float64) {
	return l.states[k].growth[0], l.states[k].growth[1]
}

func (l *tangents) Advance(all []Lane, layers int64) {
	for k := range all {
		at := &all[k]
		for end := at.Layer + layers; at.Layer < end && at.Err == nil; {
			l.draw(l.increment, l.process.Stream, at.Trajectory, at.Layer)
			if at.Layer++; !l.step(&l.states[k]) {
				at.Err = fmt.Errorf("layer %d: a token has no direction", at.Layer)
			}
		}
	}
}

// step advances a linearised trajectory by one layer, and reports whether its tokens have a direction after
// the layer.
func (l *tangents) step(s *tangentState) bool {
	d, half := l.process.Dim, len(s.tokens)/2
	l.derivative.Field(l.field, s.tokens)
	l.derivative.TakeWeights()
	axis := l.next[:d] // position x of the first cluster after the layer
	linear.Multiply(l.change, l.increment, l.field[:d])
	copy(axis, s.tokens[:d])
	linear.AddScaled(axis, l.scale, l.change)
	length := sphere.Normalize(axis, axis)
	if !(length > 0 && length <= math.MaxFloat64) {
		return false
	}
	moved := l.next[d : 2*d]
	for mode, vector := range s.vectors {
		copy(l.derivative.Tangents, vector)
		for i := 0; i < len(vector); i += d {
			l.derivative.AlongTangents(l.change, s.tokens, l.field, i/d)
			linear.Multiply(moved, l.increment, l.change)
			to := vector[i : i+d]
			linear.AddScaled(to, l.scale, moved)
			sphere.Project(to, axis, to)
			linear.Scale(to, 1/length, to)
		}
		s.growth[mode] += elementary.Log(l.confine(mode, vector))
	}
	for i := 0; i < len(s.tokens); i += d {
		sign := 1.
		if i >= half {
			sign = -1
		}
		linear.Scale(s.tokens[i:i+d], sign, axis)
	}
	return true
}
