// Package theory is where simulation and theory meet: what the theory says of the cells that
// are simulated.
package theory

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
)

// Attention is the kind of attention in the words of the theory. A kind that does not exist
// panics.
func Attention(a sde.Attention) overlap.Attention {
	switch a {
	case sde.Softmax:
		return overlap.Softmax
	case sde.Unnormalized:
		return overlap.Unnormalized
	}
	panic(fmt.Sprintf("theory: there is no %v", a))
}

// Hybrid is the hybrid recursion of two tokens of a cell of that model, in the words of the theory at
// finite depth. A law that does not exist panics.
func Hybrid(c sde.Cell) finitedepth.Hybrid {
	m := c.Model.(sde.Hybrid)
	h := finitedepth.Hybrid{Beta: c.Beta, Attention: Attention(c.Attention), Epsilon: m.Epsilon, Depth: c.Depth}
	switch m.Law {
	case sde.Gaussian:
		h.Law = finitedepth.Normal
	case sde.Uniform:
		h.Law = finitedepth.Uniform
	case sde.TruncatedNormal:
		h.Law = finitedepth.TruncatedNormal
	case sde.Rademacher:
		h.Law = finitedepth.Signs
	default:
		panic(fmt.Sprintf("theory: there is no %v", m.Law))
	}
	return h
}

// Holds reports whether the overlap of two tokens of a cell is a diffusion in the limit, of which
// the theory speaks: B = I. With another B the scores depend on where the tokens are and not on their
// overlap alone.
func Holds(c sde.Cell) bool { return c.Interaction == nil }

// Diffusion is the limit of the overlap of two tokens of a cell, for which it Holds. Of the flow it is
// the hybrid without noise; Law, Depth, Scheme and Start do
// not matter.
func Diffusion(c sde.Cell) (*overlap.Diffusion, error) {
	attention := Attention(c.Attention)
	switch m := c.Model.(type) {
	case sde.Transformer:
		return overlap.New(c.Dim, c.Beta, attention, m.Sigma)
	case sde.TransformerSDE:
		return overlap.New(c.Dim, c.Beta, attention, m.Sigma)
	case sde.Hybrid:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.HybridSDE:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.Flow:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, 0)
	}
	panic(fmt.Sprintf("theory: there is no model %v", c.Model))
}
