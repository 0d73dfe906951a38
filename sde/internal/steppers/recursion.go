package steppers

import (
	"fmt"
	"math"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// Transformer is a stepper for recursion (4): X_i ← normalise(X_i + L^{-1/2} V A_i), where A_i is the
// attention of token X_i. The increment of a layer is the value matrix V (d×d, row-major), which all tokens
// share.
type Transformer struct {
	attention *attention.Attention
	field     []float64
	update    []float64
	scale     float64 // scale L^{-1/2} of the noise of a layer
}

// NewTransformer returns a stepper for recursion (4) with depth L.
func NewTransformer(a *attention.Attention, depth int) *Transformer {
	tokens, dim := a.Shape()
	return &Transformer{a, make([]float64, tokens*dim), make([]float64, dim), 1 / math.Sqrt(float64(depth))}
}

// SetMasses implements lanes.MassStepper.
func (s *Transformer) SetMasses(masses []float64) { s.attention.SetMasses(masses) }

// IncrementLen returns d², the number of entries of a value matrix.
func (s *Transformer) IncrementLen() int { return len(s.update) * len(s.update) }

// Step advances the tokens by one layer of recursion (4).
func (s *Transformer) Step(x, value []float64) error {
	s.attention.Field(s.field, x)
	n, d := s.attention.Shape()
	for i := range n {
		linear.Multiply(s.update, value, s.field[i*d:(i+1)*d])
		if err := advance(x[i*d:(i+1)*d], s.update, s.scale, i); err != nil {
			return err
		}
	}
	return nil
}

// Hybrid is a stepper for recursion (7): X_i ← normalise(X_i + (1/L + ε v L^{-1/2}) A_i), where A_i is the
// attention of token X_i. The increment of a layer of recursion (7) is the random scalar v.
type Hybrid struct {
	attention *attention.Attention
	field     []float64
	drift     float64 // mean 1/L of the factor of attention
	noise     float64 // standard deviation ε L^{-1/2} of this factor
}

// NewHybrid returns a stepper for recursion (7) with depth L and noise amplitude ε.
func NewHybrid(a *attention.Attention, epsilon float64, depth int) *Hybrid {
	tokens, dim := a.Shape()
	return &Hybrid{a, make([]float64, tokens*dim), 1 / float64(depth), epsilon / math.Sqrt(float64(depth))}
}

// SetMasses implements lanes.MassStepper.
func (s *Hybrid) SetMasses(masses []float64) { s.attention.SetMasses(masses) }

// IncrementLen returns 1: the increment of recursion (7) is a scalar.
func (s *Hybrid) IncrementLen() int { return 1 }

// Step advances the tokens by one layer of recursion (7).
func (s *Hybrid) Step(x, increment []float64) error {
	return s.step(x, math.FMA(s.noise, increment[0], s.drift))
}

func (s *Hybrid) step(x []float64, scale float64) error {
	s.attention.Field(s.field, x)
	n, d := s.attention.Shape()
	for i := range n {
		if err := advance(x[i*d:(i+1)*d], s.field[i*d:(i+1)*d], scale, i); err != nil {
			return err
		}
	}
	return nil
}

// Flow is a stepper for recursion (7) with ε = 0, which is the Euler scheme with retraction for the attention
// flow of Lemma 2. A layer of Flow has no random increment.
type Flow struct{ Hybrid }

// NewFlow returns a stepper for the attention flow with L steps per unit of time.
func NewFlow(a *attention.Attention, depth int) *Flow { return &Flow{*NewHybrid(a, 0, depth)} }

// IncrementLen returns 0: the attention flow has no random increment.
func (*Flow) IncrementLen() int { return 0 }

// Step advances the tokens by one layer of recursion (7) with ε = 0.
func (s *Flow) Step(x, _ []float64) error { return s.step(x, s.drift) }

// Resampled is a recursion in which the scores of attention have a random part. The increment of a layer is
// that of the recursion, followed by the random numbers of the scores.
type Resampled struct {
	Recursion
	attention *attention.Attention
	own       int
}

// Recursion is a stepper for a recursion over layers in which tokens may merge: see lanes.MassStepper.
type Recursion interface {
	SetMasses(masses []float64)
	IncrementLen() int
	Step(x, increment []float64) error
}

// NewResampled returns the recursion r with random scores, given the attention a of r, which must have random
// scores.
func NewResampled(r Recursion, a *attention.Attention) *Resampled {
	return &Resampled{r, a, r.IncrementLen()}
}

// IncrementLen returns the number of random numbers of a layer: those of the recursion and those of the
// scores.
func (s *Resampled) IncrementLen() int { return s.own + len(s.attention.Numbers()) }

// Step advances the tokens by one layer of the recursion with random scores.
func (s *Resampled) Step(x, increment []float64) error {
	copy(s.attention.Numbers(), increment[s.own:])
	return s.Recursion.Step(x, increment[:s.own])
}

// advance replaces token by normalise(token + scale·update); i is the index of the token in an error.
func advance(token, update []float64, scale float64, i int) error {
	for k, u := range update {
		token[k] = math.FMA(scale, u, token[k])
	}
	return checkNorm(sphere.Normalize(token, token), i)
}

// checkNorm returns an error for token i if its norm is zero or not finite, so that the token has no
// direction.
func checkNorm(norm float64, i int) error {
	if norm > 0 && norm <= math.MaxFloat64 {
		return nil
	}
	return fmt.Errorf("token %d has norm %v and no direction", i, norm)
}
