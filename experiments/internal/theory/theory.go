// Package theory is where simulation and theory meet: what the theory says of the cells that
// are simulated.
package theory

import (
	"fmt"
	"strings"

	"antipode/overlap"
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

// Diffusion is the limit of the overlap of two tokens of a cell, whose interaction must be the
// identity, with many key dimensions where scores are resampled. Of the flow it is the hybrid without noise; Law, Depth, Scheme and Start do
// not matter.
func Diffusion(c sde.Cell) (*overlap.Diffusion, error) {
	attention := Attention(c.Attention)
	switch m := c.Model.(type) {
	case sde.Transformer:
		if spread := c.Resampling.Spread; spread > 0 {
			return overlap.NewResampled(c.Dim, c.Beta, attention, m.Sigma, spread, covariance(m.Covariance))
		}
		return overlap.NewIsotropic(c.Dim, c.Beta, attention, m.Sigma, covariance(m.Covariance), 1, 1)
	case sde.TransformerSDE:
		return overlap.NewIsotropic(c.Dim, c.Beta, attention, m.Sigma, covariance(m.Covariance), 1, 1)
	case sde.Hybrid:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.HybridSDE:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.Flow:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, 0)
	}
	panic(fmt.Sprintf("theory: there is no model %v", c.Model))
}

// covariance is that of value matrices in the words of the theory.
func covariance(v sde.Covariance) overlap.Covariance {
	if v == (sde.Covariance{}) {
		return overlap.Ginibre
	}
	return overlap.Covariance{A: v.A, B: v.B, C: v.C}
}

// Problem is what an error of package overlap says of a value, without the name and the value.
func Problem(err error) string {
	_, text, _ := strings.Cut(err.Error(), ": ")
	if _, problem, ok := strings.Cut(text, ": "); ok {
		return problem
	}
	return text
}
