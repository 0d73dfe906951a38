package sde

import (
	"fmt"
	"math"

	"antipode/sphere"
)

// Stepper advances the tokens of one trajectory by one layer, or one step 1/L of time. It keeps
// working memory, so it must not be used concurrently, and it does not allocate.
//
// After every step each token's norm differs from 1 by at most (4+√d)·2^-53.
// Tokens that coincide bit for bit stay so, and so do two opposite tokens, unless each
// has a noise of its own.
type Stepper interface {
	// IncrementLen is the number of entries of an increment: d² for the
	// transformer, 1 for the hybrid, 0 for the flow; N times that if each token has a
	// noise of its own.
	IncrementLen() int
	// Step replaces the tokens x (N×d) by those of the next layer, given the
	// layer's increment: for a recursion the value matrix or amplitude, for an SDE the
	// Brownian increment, of variance 1/L. It fails if a token becomes zero or not finite.
	Step(x, increment []float64) error
}

// NewStepper returns a stepper for the cell's model. The cell must be valid.
func NewStepper(c Cell) Stepper {
	if !c.Plain() && c.Model.recursion() != nil {
		return newSublayersStepper(c)
	}
	if !c.Resampling.none() {
		return newResampledStepper(c)
	}
	return c.Model.stepper(c)
}

// transformerStepper is eq. (4): X_i ← normalise(X_i + L^{-1/2} V A_i), the
// increment being the value matrix V (d×d, row-major), common to all tokens.
type transformerStepper struct {
	attention *attention
	field     []float64
	update    []float64
	scale     float64 // L^{-1/2}
}

// SetMasses implements lanes.MassStepper.
func (s *transformerStepper) SetMasses(masses []float64) { s.attention.setMasses(masses) }

func (s *transformerStepper) IncrementLen() int { return s.attention.d * s.attention.d }

func (s *transformerStepper) Step(x, value []float64) error {
	s.attention.field(s.field, x)
	d := s.attention.d
	for i := range s.attention.n {
		multiply(s.update, value, s.field[i*d:(i+1)*d])
		if err := advance(x[i*d:(i+1)*d], s.update, s.scale, i); err != nil {
			return err
		}
	}
	return nil
}

// hybridStepper is eq. (7): X_i ← normalise(X_i + (1/L + ε v L^{-1/2}) A_i), the
// increment being the scalar v.
type hybridStepper struct {
	attention *attention
	field     []float64
	drift     float64 // 1/L
	noise     float64 // ε L^{-1/2}
}

func newHybridStepper(c Cell, epsilon float64) *hybridStepper {
	depth := float64(c.Depth)
	return &hybridStepper{newAttention(c), make([]float64, c.Tokens*c.Dim), 1 / depth,
		epsilon / math.Sqrt(depth)}
}

// SetMasses implements lanes.MassStepper.
func (s *hybridStepper) SetMasses(masses []float64) { s.attention.setMasses(masses) }

func (s *hybridStepper) IncrementLen() int { return 1 }

func (s *hybridStepper) Step(x, increment []float64) error {
	return s.step(x, math.FMA(s.noise, increment[0], s.drift))
}

func (s *hybridStepper) step(x []float64, scale float64) error {
	s.attention.field(s.field, x)
	d := s.attention.d
	for i := range s.attention.n {
		if err := advance(x[i*d:(i+1)*d], s.field[i*d:(i+1)*d], scale, i); err != nil {
			return err
		}
	}
	return nil
}

// flowStepper is eq. (7) with ε = 0: the Euler scheme with retraction for the
// attention flow of Lemma 2. It takes no increment.
type flowStepper struct{ *hybridStepper }

func (flowStepper) IncrementLen() int { return 0 }

func (s flowStepper) Step(x, _ []float64) error { return s.step(x, s.drift) }

// advance replaces token i by normalise(token + scale·update).
func advance(token, update []float64, scale float64, i int) error {
	for k, u := range update {
		token[k] = math.FMA(scale, u, token[k])
	}
	return checkNorm(sphere.Normalize(token, token), i)
}

// checkNorm refuses the norm of a token that is zero or not finite, and so has no direction.
func checkNorm(norm float64, i int) error {
	if norm > 0 && norm <= math.MaxFloat64 {
		return nil
	}
	return fmt.Errorf("token %d has norm %v and no direction", i, norm)
}
