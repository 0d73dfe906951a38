// Package theory applies the theory of two and three tokens to simulated cells: it converts a cell to a
// diffusion of the overlap at infinite depth, or to a recursion at finite depth, and computes the
// probabilities of the outcomes.
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

// Attention converts the kind of attention of a simulation to that of package overlap. Attention panics for a
// kind that does not exist.
func Attention(a sde.Attention) overlap.Attention {
	switch a {
	case sde.Softmax:
		return overlap.Softmax
	case sde.Unnormalized:
		return overlap.Unnormalized
	}
	panic(fmt.Sprintf("theory: there is no %v", a))
}

// Hybrid returns the hybrid recursion (7) of two tokens of a cell as package finitedepth describes it. Hybrid
// panics for a law that does not exist.
func Hybrid(c sde.Cell) finitedepth.Hybrid {
	m := c.Model.(sde.Hybrid)
	return finitedepth.Hybrid{
		Beta: c.Beta, Attention: Attention(c.Attention), Epsilon: m.Epsilon, Law: ScalarLaw(m.Law),
		Depth: c.Depth,
	}
}

// Isotropic returns recursion (4) of two tokens of a transformer cell as package finitedepth describes it.
func Isotropic(c sde.Cell) finitedepth.Isotropic {
	m := c.Model.(sde.Transformer)
	return finitedepth.Isotropic{
		Dim: c.Dim, Beta: c.Beta, Attention: Attention(c.Attention), Sigma: m.Sigma,
		Covariance: m.Covariance.OrGinibre(), Spread: c.Resampling.Spread, Depth: c.Depth,
	}
}

// ScalarLaw converts the law of the random scalar in the hybrid recursion to that of package finitedepth.
// ScalarLaw panics for a law that does not exist.
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

// Holds reports whether the overlap of two tokens of a cell is, at infinite depth, a diffusion that the
// theory describes. The overlap is a diffusion if B = I. In a transformer, random queries and keys with
// infinitely many key dimensions may be added to B = I. With another B the attention scores depend on the
// positions of the tokens, not only on their overlap.
func Holds(c sde.Cell) bool {
	_, transformer := c.Model.(sde.Transformer)
	random := c.Resampling.Spread > 0
	return c.Interaction == nil && (!random || transformer && c.Resampling.Keys == 0)
}

// Diffusion returns the diffusion that the overlap of two tokens of a cell follows at infinite depth. Holds
// must be true for the cell. The diffusion of a flow is that of the hybrid without noise. The cell's Law,
// Depth, Scheme and Start have no effect on the diffusion. The number of heads and the width of an MLP have
// no effect either.
func Diffusion(c sde.Cell) (*overlap.Diffusion, error) {
	return ClustersDiffusion(c, [2]float64{1, 1})
}

// ClustersDiffusion returns the diffusion, as Diffusion does, of the overlap of two clusters with the given
// numbers of tokens in place of two tokens. The numbers must be equal if the model of the cell is not a
// transformer, and if queries and keys are random.
func ClustersDiffusion(c sde.Cell, tokens [2]float64) (*overlap.Diffusion, error) {
	d, err := ofAttention(c, tokens)
	if err != nil || c.Plain() {
		return d, err
	}
	return Beside(d, MLP(c), c.Drift)
}

// Beside returns the diffusion d of the overlap with an MLP and a drift of the value matrices added.
func Beside(d *overlap.Diffusion, m overlap.MLP, drift float64) (*overlap.Diffusion, error) {
	d, err := d.WithMLP(m)
	if err != nil {
		return nil, err
	}
	return d.WithDrift(drift)
}

// MLP returns the MLP of a cell as package overlap describes it, without the width.
func MLP(c sde.Cell) overlap.MLP {
	return overlap.MLP{Activation: c.MLP.Activation, Strength: c.MLP.Strength, Variance: c.MLP.Variance}
}

// ofAttention returns the diffusion of the overlap of two clusters with the given numbers of tokens under the
// attention of a cell, without the MLP and the drift.
func ofAttention(c sde.Cell, tokens [2]float64) (*overlap.Diffusion, error) {
	attention, m1, m2 := Attention(c.Attention), tokens[0], tokens[1]
	switch m := c.Model.(type) {
	case sde.Transformer:
		if spread := c.Resampling.Spread; spread > 0 {
			return overlap.NewResampled(c.Dim, c.Beta, attention, m.Sigma, spread, m.Covariance.OrGinibre())
		}
		return overlap.NewIsotropic(c.Dim, c.Beta, attention, m.Sigma, m.Covariance.OrGinibre(), m1, m2)
	case sde.TransformerSDE:
		return overlap.NewIsotropic(c.Dim, c.Beta, attention, m.Sigma, m.Covariance.OrGinibre(), m1, m2)
	case sde.Hybrid:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.HybridSDE:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, m.Epsilon)
	case sde.Flow:
		return overlap.NewHybrid(c.Dim, c.Beta, attention, 0)
	}
	panic(fmt.Sprintf("theory: there is no model %v", c.Model))
}

// Problem returns the problem that an error of package overlap states, without the name of the parameter and
// its value.
func Problem(err error) string {
	_, text, _ := strings.Cut(err.Error(), ": ")
	if _, problem, ok := strings.Cut(text, ": "); ok {
		return problem
	}
	return text
}
