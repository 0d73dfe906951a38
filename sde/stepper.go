package sde

import (
	"antipode/sde/internal/attention"
	"antipode/sde/internal/steppers"
)

// Stepper advances the tokens of one trajectory by one layer, or by a time step 1/L. It reuses working
// memory: it does not allocate, and must not be used concurrently.
//
// After every step each token's norm differs from 1 by at most (4+√d)·2^-53. Unless each token has its own
// noise, tokens that coincide bit for bit stay coincident bit for bit, and two opposite tokens stay opposite
// bit for bit.
type Stepper interface {
	// IncrementLen returns the number of entries of an increment: d² for the transformer, 1 for the hybrid, 0
	// for the flow; N times that if each token has its own noise.
	IncrementLen() int
	// Step replaces the tokens x (N×d) by those of the next layer, given the layer's increment: for a
	// recursion the value matrix or amplitude, for an SDE the Brownian increment, of variance 1/L. It returns
	// an error if a token becomes zero or is not finite.
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
