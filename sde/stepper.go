package sde

import (
	"antipode/sde/internal/attention"
	"antipode/sde/internal/steppers"
)

// Stepper advances the tokens of one trajectory by one layer, or by a time step 1/L. A stepper reuses its
// working memory: it does not allocate, and must not be used concurrently.
//
// After every step each token's norm differs from 1 by at most (4+√d)·2^-53. Unless each token has its own
// noise, tokens that coincide bit for bit stay coincident bit for bit, and two opposite tokens stay opposite
// bit for bit.
type Stepper interface {
	// IncrementLen returns the number of entries of an increment: d² for the models Transformer and
	// TransformerSDE, 1 for Hybrid and HybridSDE, 0 for Flow. With IndependentNoise each of the N tokens has
	// its own increment, so the number is N times as large.
	IncrementLen() int
	// Step replaces the tokens x (N×d) by those of the next layer, given the increment of the layer: for a
	// recursion the increment is the value matrix or amplitude, for a stochastic differential equation (SDE)
	// it is the Brownian increment, of variance 1/L. Step returns an error if a token becomes zero or is not
	// finite.
	Step(x, increment []float64) error
}

// NewStepper returns a stepper for the cell's model. The cell must be valid.
func NewStepper(c Cell) Stepper { return c.stepper(c.newAttention()) }

// stepper returns a stepper for the cell's model, whose tokens have the attention a.
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
