package overlap

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// A differentiable model of the overlap provides derivatives of its slope h' with respect to parameters.
type differentiable interface {
	// has reports whether the model knows the derivative of its slope with respect to a parameter.
	has(by Parameter) bool
	// slopeBy returns the derivative of the slope h' with respect to a parameter for which has returns true.
	slopeBy(by Parameter, at line.Position) float64
}

// A differentiableNoise is a model that provides derivatives of its slope h' and of its variance γ².
type differentiableNoise interface {
	differentiable
	// everywhere reports whether slopeBy and varianceBy are correct at every overlap, for each parameter that
	// the model has. If everywhere is false, slopeBy and varianceBy are correct only where the limiting
	// probability depends on them.
	everywhere() bool
	varianceBy(by Parameter, at line.Position) float64
}

// CoefficientsBy returns the derivatives of the coefficients of Line with respect to a parameter.
// CoefficientsBy returns false if the derivatives are not known: if AntipodalFromDerivative returns false,
// for unequal masses, and without noise.
func (d *Diffusion) CoefficientsBy(by Parameter) (line.Coefficients, bool) {
	model, ok := d.model.(differentiableNoise)
	if !ok || !model.has(by) || !model.everywhere() || d.line.Velocity != nil {
		return nil, false
	}
	return coefficientsBy{model, by}, true
}

// coefficientsBy provides the derivatives of slope and variance of a model with respect to one parameter.
type coefficientsBy struct {
	model differentiableNoise
	by    Parameter
}

func (c coefficientsBy) Slope(at line.Position) float64 { return c.model.slopeBy(c.by, at) }

func (c coefficientsBy) Variance(at line.Position) float64 { return c.model.varianceBy(c.by, at) }

// has implements differentiable: the parameters of clusters are β and σ. For clusters of unequal masses the
// limiting probability depends on no parameter.
func (c *clusters) has(by Parameter) bool { return by == ByBeta || by == BySigma }

// everywhere implements differentiableNoise: derivatives are correct everywhere for clusters of equal masses.
func (c *clusters) everywhere() bool { return c.difference == 0 }

// slopeBy differentiates the slope for clusters of equal masses, h' = ψ + z with ψ = (d-2)/cosh(β(1-z)).
func (c *clusters) slopeBy(by Parameter, at line.Position) float64 {
	if by == BySigma {
		return 0
	}
	square := elementary.Exp(-float64(2 * c.beta * at.Below))
	tanh := -elementary.Expm1(-float64(2*c.beta*at.Below)) / (1 + square)
	return -c.psi(at.Below) * tanh * at.Below
}

// varianceBy differentiates the variance γ² for clusters of equal masses. With r = e^(-β(1-z)) the variance
// γ² is 2σ²(1+r²)/(1+r)² for softmax, and ½σ²e^(2β)(1+r²) for unnormalized attention.
func (c *clusters) varianceBy(by Parameter, at line.Position) float64 {
	if by == BySigma {
		return 2 * c.strength(at) / c.sigma
	}
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	growth := -float64(at.Below * ratio) // the derivative dr/dβ
	if c.attention == Softmax {
		cube := (1 + ratio) * (1 + ratio) * (1 + ratio)
		return 4 * c.sigma * c.sigma * (ratio - 1) / cube * growth
	}
	own := c.sigma * elementary.Exp(c.beta)
	return float64(2*c.strength(at)) + float64(own*own*ratio*growth)
}

// has implements differentiable: the parameters of the hybrid model are β and ε.
func (h *hybrid) has(by Parameter) bool { return by == ByBeta || by == ByEpsilon }

// slopeBy differentiates the slope h' = (1/ε² - p)/q of the hybrid model. With r = e^(β(1-z)) the slope is
// (t-1)r, t = (threshold/ε)², for unnormalized attention, and (1+r)/ε² - r for softmax.
func (h *hybrid) slopeBy(by Parameter, at line.Position) float64 {
	ratio := elementary.Exp(float64(h.beta * at.Below))
	if h.attention == Unnormalized {
		root := h.single / h.epsilon
		threshold := float64(root * root)
		if by == ByEpsilon {
			return bounded(-2 * threshold / h.epsilon * ratio)
		}
		return bounded(ratio * (float64((threshold-1)*at.Below) - threshold))
	}
	if by == ByEpsilon {
		return bounded(-2 * (1 + ratio) / h.epsilon / h.epsilon / h.epsilon)
	}
	return bounded(times((1-h.epsilon)*(1+h.epsilon), ratio) * at.Below / h.epsilon / h.epsilon)
}

// everywhere implements differentiableNoise: the derivatives of the hybrid model are correct everywhere.
func (h *hybrid) everywhere() bool { return true }

// varianceBy differentiates the variance γ² = 4ε²q² of the hybrid model. The attention weight q is ½e^(βz)
// for unnormalized attention, and r/(1+r) with r = e^(-β(1-z)) for softmax.
func (h *hybrid) varianceBy(by Parameter, at line.Position) float64 {
	p, _ := h.weights(at)
	variance := float64(h.Variance(at))
	switch {
	case by == ByEpsilon:
		return 2 * variance / h.epsilon
	case h.attention == Unnormalized:
		return 2 * variance * at.Z
	}
	return -2 * variance * p * at.Below
}

// has implements differentiable: the parameters of isotropic value matrices are β and σ. For unequal masses
// and a covariance (A, B, C) with A > 0 the limiting probability depends on no parameter. For unequal masses
// and A = 0 the derivatives are not known.
func (i *isotropic) has(by Parameter) bool {
	return (by == ByBeta || by == BySigma) && (i.difference == 0 || i.covariance.A > 0)
}

// slopeBy differentiates the slope for equal masses under value matrices of covariance (A, B, C),
//
//	h' = {A[2(d-2)r + (1+r²)z] + B[-2r + (1-r²)z] - 2Cr} / {(A+B)(1+r²) + 2Cr²}, r = e^(-β(1-z)).
func (i *isotropic) slopeBy(by Parameter, at line.Position) float64 {
	if by == BySigma {
		return 0
	}
	v := i.covariance
	r := elementary.Exp(-float64(i.beta * at.Below))
	square := float64(r * r)
	linear := 2 * (float64(v.A*float64(i.dim-2)) - v.B - v.C)
	above := float64(linear*r) + float64(at.Z*(float64(v.A*(1+square))+float64(v.B*(1-square))))
	below := float64((v.A+v.B)*(1+square)) + float64(2*v.C*square)
	aboveBy := linear + float64(2*at.Z*r*(v.A-v.B))
	belowBy := 2 * r * (v.A + v.B + float64(2*v.C))
	slope := (float64(aboveBy*below) - float64(above*belowBy)) / below / below
	return -at.Below * r * slope
}

// varianceBy differentiates the variance γ² for equal masses under value matrices of covariance (A, B, C):
// with r = e^(-β(1-z)), γ² is A+B+2Cr²/(1+r²) times the variance for independent entries.
func (i *isotropic) varianceBy(by Parameter, at line.Position) float64 {
	v := i.covariance
	r := elementary.Exp(-float64(i.beta * at.Below))
	square := float64(r * r)
	factor := v.A + v.B + float64(2*v.C*square/(1+square))
	value := float64(i.clusters.varianceBy(by, at) * factor)
	if by == ByBeta {
		value -= i.strength(at) * 4 * v.C * square * at.Below / (1 + square) / (1 + square)
	}
	return value
}

// has implements differentiable: a block whose value matrices have independent entries has their parameters.
func (b *block) has(by Parameter) bool {
	base, ok := b.base.model.(*clusters)
	return ok && base.has(by)
}

// slopeBy differentiates the slope of a block, which is a quotient of sums over the sublayers. The
// contribution of an MLP depends on no Parameter.
func (b *block) slopeBy(by Parameter, at line.Position) float64 {
	base := b.base.model.(*clusters)
	variance, pull := b.sums(at)
	varianceBy := base.varianceBy(by, at)
	pullBy := float64(varianceBy*b.base.model.Slope(at)) +
		float64(b.base.model.Variance(at)*base.slopeBy(by, at))
	if by == ByBeta {
		for _, p := range b.pushes {
			pullBy += float64(2 * p.strength * base.crossingByBeta(at))
		}
	}
	return bounded((pullBy - float64(pull/variance*varianceBy)) / variance)
}

// everywhere implements differentiableNoise: a block has correct derivatives wherever its attention has.
func (b *block) everywhere() bool { return b.base.model.(*clusters).everywhere() }

// varianceBy differentiates the variance of the attention sublayer alone, as the variance of no other
// sublayer depends on a Parameter.
func (b *block) varianceBy(by Parameter, at line.Position) float64 {
	return b.base.model.(*clusters).varianceBy(by, at)
}

// crossingByBeta returns the derivative with respect to β of q₁+q₂ (crossing) for clusters of equal masses.
// With r = e^(-β(1-z)), q₁+q₂ is 2r/(1+r) with softmax, and e^(βz) with unnormalized attention.
func (c *clusters) crossingByBeta(at line.Position) float64 {
	if c.attention == Unnormalized {
		return at.Z * elementary.Exp(float64(c.beta*at.Z))
	}
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	return -2 * at.Below * ratio / (1 + ratio) / (1 + ratio)
}

// Trajectories returns the number of independent trajectories needed in each of two samples to tell two
// probabilities apart. With this number of trajectories, a two-sided test of the equality of the two
// fractions at level 5 % has power 80 %. The number is +Inf for equal probabilities.
func Trajectories(one, other float64) float64 {
	const level, power = 1.959963984540054, 0.8416212335729143 // normal quantiles of 97.5 % and 80 %
	root := (level + power) / (one - other)
	return math.Ceil(root * root * (float64(one*(1-one)) + float64(other*(1-other))))
}
