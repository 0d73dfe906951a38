package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/selfattention"
	"antipode/sde/internal/steppers"
	"antipode/sphere/activation"
)

// MLP adds W₂φ(W₁x) to the attention of a token in a layer, with weights that are sampled independently in
// each layer. The entries of W₁ are normal with mean 0 and variance Variance. The entries of W₂ are normal,
// with a variance for which every coordinate of W₂φ(W₁x) has variance Strength for tokens x on the unit
// sphere. All tokens of a layer share the weights of its MLP. The zero value of MLP adds nothing.
type MLP struct {
	Activation activation.Activation
	Strength   float64 // variance c of an output coordinate, in [0, 10^6]; 0 for no MLP
	Variance   float64 // variance w of pre-activations, from activation.LeastVariance to LargestVariance
	// Width is the number of hidden units, from 1 to 2^20; 0 stands for infinitely many hidden units, which
	// the method Chain simulates exactly in law.
	Width int
}

const (
	largestStrength = 1e6
	largestWidth    = 1 << 20
)

// none reports whether the layers of a cell have no MLP.
func (m MLP) none() bool { return m.Strength == 0 }

// numbers returns the number of weights of the MLP in a layer. The number of weights is returned as a real
// number, because an integer would overflow for cells that are far too large.
func (m MLP) numbers(dim float64) float64 {
	if m.none() {
		return 0
	}
	return 2 * float64(m.Width) * dim
}

// address returns a text that describes the MLP, after a space, for Cell.ID; the text is empty if there is no
// MLP.
func (m MLP) address() string {
	if m.none() {
		return ""
	}
	return fmt.Sprintf(" mlp=%v,%x,%x,%d", m.Activation, math.Float64bits(m.Strength),
		math.Float64bits(m.Variance), m.Width)
}

func (m MLP) validate(method Method) error {
	switch {
	case !(m.Strength >= 0 && m.Strength <= largestStrength):
		return fmt.Errorf("strength %v of the MLP: must be from 0 to 1e6", m.Strength)
	case m.none():
		return nil
	case method == Chain && m.Width != 0:
		return fmt.Errorf("width %d of the MLP: must be 0, for infinite width, by the method chain", m.Width)
	case method == Tokens && (m.Width < 1 || m.Width > largestWidth):
		return fmt.Errorf("width %d of the MLP: must be from 1 to 2^20", m.Width)
	}
	_, err := activation.NewCorrelation(m.Activation, m.Variance)
	return err
}

// layer returns the MLP of a layer of a recursion; nil if there is no MLP.
func (m MLP) layer() *steppers.MLP {
	if m.none() {
		return nil
	}
	layer := steppers.MLP(m)
	return &layer
}

// vectorMLP returns the MLP of a cell in the form that is computed by vector instructions.
func (c Cell) vectorMLP() *selfattention.Feedforward {
	m := c.MLP.layer()
	return &selfattention.Feedforward{
		Activation: m.Activation, Width: m.Width, Root: m.Root(),
		Scale: m.Scale() / math.Sqrt(float64(c.Depth)), InSequence: c.Arrangement == InSequence,
	}
}
