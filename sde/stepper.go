package sde

import (
	"antipode/sde/internal/attention"
	"antipode/sde/internal/steppers"
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
func NewStepper(c Cell) Stepper { return c.stepper(c.newAttention()) }

// stepper returns a stepper with the attention of the cell's tokens.
func (c Cell) stepper(a *attention.Attention) Stepper {
	if !c.Plain() && c.Model.recursion() != nil {
		return steppers.NewSublayers(a, c.layer())
	}
	stepper := c.Model.stepper(c, a)
	if !c.Resampling.none() {
		return steppers.NewResampled(stepper.(steppers.Recursion), a)
	}
	return stepper
}
