// Package theory applies the theory to simulated cells.
//
//	limit, err := theory.Diffusion(cell)
package theory

import (
	"fmt"
	"strings"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
)

// Attention converts the kind of attention to that of the theory. It panics for a kind that does not exist.
func Attention(a sde.Attention) overlap.Attention {
	switch a {
	case sde.Softmax:
		return overlap.Softmax
	case sde.Unnormalized:
		return overlap.Unnormalized
	}
	panic(fmt.Sprintf("theory: there is no %v", a))
}

// Hybrid returns the hybrid recursion of two tokens of a hybrid cell, in the terms of the theory at finite
// depth. It panics for a law that does not exist.
func Hybrid(c sde.Cell) finitedepth.Hybrid {
	m := c.Model.(sde.Hybrid)
	return finitedepth.Hybrid{
		Beta: c.Beta, Attention: Attention(c.Attention), Epsilon: m.Epsilon, Law: ScalarLaw(m.Law),
		Depth: c.Depth,
	}
}

// Isotropic returns recursion (4) of two tokens of a cell of a transformer, in the terms of the theory at
// finite depth.
func Isotropic(c sde.Cell) finitedepth.Isotropic {
	m := c.Model.(sde.Transformer)
	return finitedepth.Isotropic{
		Dim: c.Dim, Beta: c.Beta, Attention: Attention(c.Attention), Sigma: m.Sigma,
		Covariance: m.Covariance.OrGinibre(), Spread: c.Resampling.Spread, Depth: c.Depth,
	}
}

// ScalarLaw converts the law of the hybrid's scalar to that of the theory. It panics for a law that does not
// exist.
func ScalarLaw(l sde.Law) finitedepth.ScalarLaw {
	switch l {
	case sde.Gaussian:
		return finitedepth.Gaussian
	case sde.Uniform:
		return finitedepth.Uniform
	case sde.TruncatedNormal:
		return finitedepth.TruncatedNormal
	case sde.Rademacher:
		return finitedepth.Rademacher
	}
	panic(fmt.Sprintf("theory: there is no %v", l))
}

// Holds reports whether the overlap of two tokens of a cell is, in the limit, a diffusion that the theory
// describes. It is one if B = I. In a transformer, random queries and keys with infinitely many key
// dimensions may be added. With another B the scores depend on the positions of the tokens, not only on their
// overlap.
func Holds(c sde.Cell) bool {
	_, transformer := c.Model.(sde.Transformer)
	random := c.Resampling.Spread > 0
	return c.Interaction == nil && (!random || transformer && c.Resampling.Keys == 0)
}

// Diffusion returns the limit of the overlap of two tokens of a cell for which Holds is true. For the flow it
// returns the hybrid without noise. The cell's Law, Depth, Scheme and Start have no effect. The number of
// heads and the width of an MLP have no effect either.
func Diffusion(c sde.Cell) (*overlap.Diffusion, error) {
	d, err := ofAttention(c)
	if err != nil || c.Plain() {
		return d, err
	}
	return Beside(d, MLP(c), c.Drift)
}

// Beside returns a diffusion to which an MLP and a drift are added.
func Beside(d *overlap.Diffusion, m overlap.MLP, drift float64) (*overlap.Diffusion, error) {
	d, err := d.WithMLP(m)
	if err != nil {
		return nil, err
	}
	return d.WithDrift(drift)
}

// MLP returns the MLP of a cell in the terms of the theory.
func MLP(c sde.Cell) overlap.MLP {
	return overlap.MLP{Activation: c.MLP.Activation, Strength: c.MLP.Strength, Variance: c.MLP.Variance}
}

// ofAttention returns the diffusion of attention alone.
func ofAttention(c sde.Cell) (*overlap.Diffusion, error) {
	attention := Attention(c.Attention)
	switch m := c.Model.(type) {
	case sde.Transformer:
		if spread := c.Resampling.Spread; spread > 0 {
			return overlap.NewResampled(c.Dim, c.Beta, attention, m.Sigma, spread, m.Covariance.OrGinibre())
		}
		return overlap.NewIsotropic(c.Dim, c.Beta, attention, m.Sigma, m.Covariance.OrGinibre(), 1, 1)
	case sde.TransformerSDE:
		return overlap.NewIsotropic(c.Dim, c.Beta, attention, m.Sigma, m.Covariance.OrGinibre(), 1, 1)
	case sde.Hybrid:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.HybridSDE:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.Flow:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, 0)
	}
	panic(fmt.Sprintf("theory: there is no model %v", c.Model))
}

// Problem returns the text of an error of package overlap without the name of the parameter and its value.
func Problem(err error) string {
	_, text, _ := strings.Cut(err.Error(), ": ")
	if _, problem, ok := strings.Cut(text, ": "); ok {
		return problem
	}
	return text
}
