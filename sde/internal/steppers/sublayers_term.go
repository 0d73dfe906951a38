package steppers

import (
	"math"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// sublayersTerm adds a drift and an MLP to an equation of tokens Y_i. In a time step dt the MLP adds √dt
// W₂φ(W₁Y_i), with new weights in every step. Up to order dt², the increment of the MLP has the first three
// moments of Gaussian noise with covariance cφ̂(<Y_i,Y_j>), where c is the Strength and φ̂ the Correlation of
// the MLP. Three correct moments of an increment suffice for weak order 1. Given W₁, the Stratonovich
// correction ½ Dg[g] is radial on average, as E φ(w·Y)φ'(w·Y) P_Y w = 0. So the MLP has the same tangent
// drift in the Itô and in the Stratonovich calculus.
type sublayersTerm[C Calculus] struct {
	Term[C]
	attention *attention.Attention // attention for the drift; nil without a drift
	drift     float64
	mlp       *feedforward
	field     []float64
}

// WithSublayers adds a drift, which is the number drift times the attention of the tokens computed by a, and
// an MLP to an equation. The arguments a and mlp may be nil.
func WithSublayers[C Calculus](term Term[C], a *attention.Attention, drift float64, mlp *MLP) Term[C] {
	tokens, dim := term.Shape()
	return &sublayersTerm[C]{Term: term, attention: a, drift: drift, mlp: newFeedforward(mlp, tokens, dim),
		field: make([]float64, tokens*dim)}
}

// NoiseLen implements Term.
func (s *sublayersTerm[C]) NoiseLen() int {
	if s.mlp == nil {
		return s.Term.NoiseLen()
	}
	return s.Term.NoiseLen() + s.mlp.Numbers(s.mlp.d)
}

// Increment implements Term.
func (s *sublayersTerm[C]) Increment(dst, x []float64, dt float64, noise []float64) {
	own := s.Term.NoiseLen()
	s.Term.Increment(dst, x, dt, noise[:own])
	_, d := s.Shape()
	if s.attention != nil {
		s.attention.Field(s.field, x)
		s.addTangents(dst, x, s.field, float64(s.drift*dt), d)
	}
	if s.mlp != nil {
		s.addTangents(dst, x, s.mlp.of(x, noise[own:]), math.Sqrt(dt), d)
	}
}

// addTangents adds, to dst, factor times the parts of the vectors that are tangent to the sphere at the
// tokens x. addTangents overwrites the slice vectors.
func (s *sublayersTerm[C]) addTangents(dst, x, vectors []float64, factor float64, d int) {
	for i := 0; i < len(x); i += d {
		sphere.Project(vectors[i:i+d], x[i:i+d], vectors[i:i+d])
		linear.AddScaled(dst[i:i+d], factor, vectors[i:i+d])
	}
}
