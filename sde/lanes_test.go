package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// Tokens in vectors follow the Stepper with the same random numbers, lane by lane, to rounding. Where the
// lanes draw a matrix on the span of the tokens only, the random numbers cannot be the same.
func TestVectorsFollowTheStepper(t *testing.T) {
	const width = 11 // lanes, of two Vectors
	for _, size := range [][2]int{{2, 3}, {5, 3}, {4, 9}} {
		for _, c := range models(size[0], size[1]) {
			if !c.inVectors() || c.Model.recursion().rank(c.Tokens, c.Dim) < c.Dim {
				continue
			}
			vectors, scalar := newLanes(c, 3, width, KeepApart, 1), newSteppedLanes(c, 3, width, false)
			one, other := make([]lanes.Lane, width), make([]lanes.Lane, width)
			for k := range width {
				one[k].Trajectory, other[k].Trajectory = int64(k), int64(k)
				for _, l := range []lanes.Lanes{vectors, scalar} {
					must.Do(t, l.Start(k, int64(k)))
				}
			}
			vectors.Advance(one, 10)
			scalar.Advance(other, 10)
			for k := range width {
				want := scalar.Tokens(k)
				for i, v := range vectors.Tokens(k) {
					if !(math.Abs(v-want[i]) <= 1e-11) {
						t.Fatalf("%s, lane %d: %v, stepper %v", name(c), k, vectors.Tokens(k), want)
					}
				}
			}
		}
	}
}

// Tokens with an MLP in vectors follow the Stepper with the same random numbers, with sublayers together and
// in sequence, for all activations.
func TestVectorsWithMLPFollowTheStepper(t *testing.T) {
	const width, layers, seed = 9, 4, 3
	for k := range activation.Names {
		for _, arrangement := range []Arrangement{Together, InSequence} {
			for _, model := range []Model{Transformer{Sigma: 1.2}, Hybrid{Law: Uniform, Epsilon: 0.9}} {
				c := Cell{Model: model, Tokens: 4, Dim: 5, Beta: 1.1, Depth: 8, Start: UniformStart{},
					Arrangement: arrangement}
				c.MLP = MLP{Activation: activation.Activation(k), Strength: 0.8, Variance: 2, Width: 5}
				if err := c.Validate(); err != nil || !c.inVectors() {
					t.Fatalf("%s: %v, in vectors: %v", name(c), err, c.inVectors())
				}
				l, all := newLanes(c, seed, width, KeepApart, 1), make([]lanes.Lane, width)
				var want [width][]float64
				for k := range all {
					all[k].Trajectory = int64(k)
					must.Do(t, l.Start(k, int64(k)))
					want[k] = append(want[k], l.Tokens(k)...)
				}
				l.Advance(all, layers)
				for k := range all {
					stepWithMLP(t, c, seed, want[k], int64(k), layers)
					for i, v := range l.Tokens(k) {
						if !(math.Abs(v-want[k][i]) <= 1e-11) {
							t.Fatalf("%s, %v, lane %d: %v, stepper %v", name(c), c.MLP.Activation, k,
								l.Tokens(k), want[k])
						}
					}
				}
			}
		}
	}
}

// stepWithMLP advances the tokens of a trajectory by one layer with the Stepper. Of the random numbers for
// the weights of a layer, the first m·d are the entries of W₁, in rows of d, and the others those of W₂, in
// rows of m.
func stepWithMLP(t *testing.T, c Cell, seed uint64, x []float64, trajectory, layers int64) {
	t.Helper()
	stepper, stream, own, m := NewStepper(c), c.stream(seed), c.IncrementLen(), c.MLP.Width
	increment, weights, size := make([]float64, stepper.IncrementLen()), make([]float64, 2*m*c.Dim), m*c.Dim
	for layer := range layers {
		c.Model.draw(increment[:own], c.Depth, stream, trajectory, layer)
		stream.Normals(weights, 1, kernels.Weights, trajectory, layer)
		copy(increment[own:], weights[:size])
		for i := range m {
			for j := range c.Dim {
				increment[own+size+i*c.Dim+j] = weights[size+j*m+i]
			}
		}
		must.Do(t, stepper.Step(x, increment))
	}
}
