package overlap

import (
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// Lyapunov returns the Lyapunov exponent of the antipodal pair per unit of time: the growth rate of
// log|X¹+X²| while z is near -1. It is negative if and only if -1 is Attracting. For two tokens under
// value matrices with independent entries it is
//
//	σ² (2(d-2)pq - p² - q²),
//
// which is the limit of L times the exponent of finitedepth.Antipodal. The second result is false for
// unequal masses, under which the tokens do not stay antipodal.
func (d *Diffusion) Lyapunov() (float64, bool) {
	if d.line.Minus.Enterable {
		return 0, false
	}
	// The exponent is the drift of u, as 1+z is about 2 exp(2u).
	end := line.Of(-d.line.Minus.Reach)
	if d.line.Velocity != nil {
		return d.line.Velocity(end), true
	}
	return float64(0.5 * times(d.line.Minus.Slope, d.line.Variance(end))), true
}

// Within returns the exponent, per unit of time, at which the distance between two tokens of the same
// cluster changes in the presence of two opposite clusters of equal size. It does not depend on the
// number of tokens. Under value matrices of covariance (A, B, C) it is
//
//	-½σ² (p-q)² (A(d-1) - B - C), with p and q at z = -1; (p-q)² is tanh²β with softmax.
//
// The attention A(y) of a token y to tokens at ±x depends on y only through <y,x>. So to first order all
// tokens x+ξ with ξ tangent at x have the same attention A = (p-q)x. Their differences change only because V
// A rotates x and the tokens are normalised. Within is the exponent within a cluster, and Lyapunov is the
// exponent between the clusters. Together they cover all modes except rotations: for every even number of
// tokens, opposite clusters of equal size are linearly stable if and only if both exponents are negative. An
// MLP adds -½c((d-1) - (d-3)r), and a drift μ adds -μ(p-q). The second result is false for unequal masses,
// for an MLP whose activation is not odd, and for models whose exponent is not known.
func (d *Diffusion) Within() (float64, bool) {
	if d.line.Minus.Enterable {
		return 0, false
	}
	if b, ok := d.model.(*block); ok {
		return b.within()
	}
	if h, ok := d.model.(equalClusters); ok {
		return h.within(), true
	}
	return 0, false
}

// equalClusters is a model whose exponent within opposite clusters of equal size is known.
type equalClusters interface {
	within() float64
	contrast() float64 // p-q at z = -1
}

// within returns the sum of the exponents of the parts of a layer.
func (b *block) within() (float64, bool) {
	rate, ok := b.base.Within()
	if !ok {
		return 0, false
	}
	for _, m := range b.mlps {
		rate += m.contraction()
	}
	for _, p := range b.pushes {
		rate -= float64(p.strength * b.base.model.(equalClusters).contrast())
	}
	return rate, true
}

func (c *clusters) within() float64 { return c.contraction(float64(c.dim - 1)) }

func (i *isotropic) within() float64 {
	return i.contraction(float64(i.covariance.A*float64(i.dim-1)) - i.covariance.B - i.covariance.C)
}

// within returns the exponent of recursion (7). The step X + (1/L + εv/√L) A with A = (p-q)x leaves the
// direction of x unchanged, and divides differences by 1 + (1/L + εv/√L)(p-q).
func (h *hybrid) within() float64 {
	p, q := h.weights(line.At(-1))
	return -float64((p - q) * (1 - float64(0.5*h.epsilon*h.epsilon*(p-q))))
}

func (h *hybrid) contrast() float64 {
	p, q := h.weights(line.At(-1))
	return p - q
}

// contrast returns tanh β with softmax, and sinh β with unnormalized attention.
func (c *clusters) contrast() float64 {
	lost := -elementary.Expm1(-2 * c.beta)
	if c.attention == Unnormalized {
		return 0.5 * lost * elementary.Exp(c.beta)
	}
	return lost / (2 - lost)
}

// contraction returns -½σ²(p-q)² factor at z = -1 for equal masses. There σ²e is 2σ²(p²+q²).
func (c *clusters) contraction(factor float64) float64 {
	lost := elementary.Expm1(-2 * c.beta)
	ratio := 1 + lost
	return 0 - float64(0.25*c.strength(line.At(-1))*(lost*lost/(1+float64(ratio*ratio)))*factor)
}

// HoldingExponent returns the exponent κ of the mean time from -1 to 0, which grows like c^(-κ) as c → 0.
// Here c is the strength of an additional noise that makes -1 an entrance, that is, of an MLP whose
// activation is not odd. As this noise matters only where 1+z is of order c, κ is half of -h' at -1. With
// softmax and independent entries
//
//	κ = (1 - (d-2)/cosh 2β)/2.
//
// The second result is false if -1 does not attract, and without noise.
func (d *Diffusion) HoldingExponent() (float64, bool) {
	if !d.line.Minus.Attracting || d.line.Velocity != nil {
		return 0, false
	}
	return -0.5 * d.line.Minus.Slope, true
}
