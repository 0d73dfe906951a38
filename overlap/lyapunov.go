package overlap

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// Lyapunov returns the Lyapunov exponent of the antipodal pair per unit of time: the growth rate of
// log|X¹+X²| while z is near -1. The Lyapunov exponent is negative if and only if the end -1 is Attracting.
// For two tokens under value matrices with independent entries the exponent is
//
//	σ² (2(d-2)pq - p² - q²),
//
// which is the limit, for depth L → ∞, of L times the exponent of finitedepth.Antipodal. The second result of
// Lyapunov is false for unequal masses, under which the tokens do not stay antipodal.
func (d *Diffusion) Lyapunov() (float64, bool) {
	if d.line.Minus.Enterable {
		return 0, false
	}
	// Near -1 the exponent is the drift of u = atanh z, as 1+z is about 2 exp(2u).
	end := line.Of(-d.line.Minus.Reach)
	if d.line.Velocity != nil {
		return d.line.Velocity(end), true
	}
	if variance := d.line.Variance(end); math.Abs(d.line.Minus.Slope) < line.Steepest {
		return float64(0.5 * times(d.line.Minus.Slope, variance)), true
	}
	return float64(0.5 * d.line.Pull(line.At(-1))), true
}

// Within returns the exponent, per unit of time, at which the distance between two tokens of the same cluster
// changes in the presence of two opposite clusters of equal size. The exponent within a cluster does not
// depend on the number of tokens. Under value matrices of covariance (A, B, C) the exponent is
//
//	-½σ² (p-q)² (A(d-1) - B - C), with p and q at z = -1; (p-q)² is tanh²β with softmax.
//
// The attention A(y) of a token y to tokens at ±x depends on y only through <y,x>. So to first order all
// tokens x+ξ with ξ tangent at x have the same attention A = (p-q)x. The differences between tokens near x
// change only because VA, with the value matrix V, rotates x and the tokens are normalised. Within is the
// exponent within a cluster, and Lyapunov is the exponent between the clusters. The exponents Within and
// Lyapunov together cover all modes except rotations: for every even number of tokens, opposite clusters of
// equal size are linearly stable if and only if both exponents are negative. An MLP of strength c with r =
// φ̂'(1) adds -½c((d-1) - (d-3)r) to the exponent within a cluster, and a drift μ adds -μ(p-q). The second
// result of Within is false for unequal masses, for an MLP whose activation is not odd, and for models whose
// exponent is not known.
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

// within returns the sum of the exponents within a cluster of the parts of a block.
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

// within returns the exponent within a cluster of recursion (7), the hybrid model. The step X + (1/L + εv/√L)
// A with A = (p-q)x leaves the direction of the token x unchanged, and divides the differences between tokens
// near x by 1 + (1/L + εv/√L)(p-q).
func (h *hybrid) within() float64 {
	p, q := h.weights(line.At(-1))
	return -float64((p - q) * (1 - float64(0.5*h.epsilon*h.epsilon*(p-q))))
}

func (h *hybrid) contrast() float64 {
	p, q := h.weights(line.At(-1))
	return p - q
}

// contrast returns p-q at overlap -1: tanh β with softmax, and sinh β with unnormalized attention.
func (c *clusters) contrast() float64 {
	lost := -elementary.Expm1(-2 * c.beta)
	if c.attention == Unnormalized {
		return 0.5 * lost * elementary.Exp(c.beta)
	}
	return lost / (2 - lost)
}

// contraction returns -½σ²(p-q)²·factor at overlap z = -1 for clusters of equal masses, for which σ²e is
// 2σ²(p²+q²).
func (c *clusters) contraction(factor float64) float64 {
	lost := elementary.Expm1(-2 * c.beta)
	ratio := 1 + lost
	return 0 - float64(0.25*c.strength(line.At(-1))*(lost*lost/(1+float64(ratio*ratio)))*factor)
}

// HoldingExponent returns the exponent κ of the mean time that the overlap takes from -1 to 0, which grows
// like c^(-κ) as c → 0, where c is the strength of an additional MLP whose activation is not odd and makes -1
// an entrance. As the noise of the MLP matters only where 1+z is of order c, the exponent κ is half of -h' at
// -1. With softmax and value matrices of independent entries
//
//	κ = (1 - (d-2)/cosh 2β)/2.
//
// The second result of HoldingExponent is false if the end -1 does not attract, without noise, and
// if κ is 5e299 or more.
func (d *Diffusion) HoldingExponent() (float64, bool) {
	if !d.line.Minus.Attracting || d.line.Velocity != nil || !(d.line.Minus.Slope > -steepestSlope) {
		return 0, false
	}
	return -0.5 * d.line.Minus.Slope, true
}
