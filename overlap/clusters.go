package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

const (
	// MaxBeta is the largest inverse temperature β that package overlap accepts.
	MaxBeta = 1000
	// MaxMass is the largest ratio of the masses of two clusters that NewMasses accepts.
	MaxMass = 1e6
)

// New returns the overlap diffusion of two tokens, or of two clusters of equal mass, on the unit sphere of
// R^dim. The inverse temperature is beta, and the entries of the value matrices are independent with standard
// deviation sigma. Drift and variance of the overlap z are (Lemma 4)
//
//	drift σ² (1-z²) (p²+q²) (ψ(z)-z), variance 2σ² (1-z²)² (p²+q²),
//
// which are (20) and the corrected (21); see the comment of package overlap. The boundary classes of the
// ends, the scale function and the probabilities of New's diffusion depend neither on sigma nor on the
// attention. New returns an error if dim < 2, if beta is not in [0, MaxBeta], if attention is neither Softmax
// nor Unnormalized, or if sigma is not a positive finite number.
func New(dim int, beta float64, attention Attention, sigma float64) (*Diffusion, error) {
	return NewMasses(dim, beta, attention, sigma, 1, 1)
}

// NewMasses returns the overlap diffusion of two clusters of m1 and m2 tokens: (22) and (23) in the form of
// equations [1] and [2]. Only the ratio of the masses matters, and an exchange of the masses m1 and m2
// changes nothing. If the masses differ, the end -1 is an Entrance, or Reflecting for dim = 2: the clusters
// cannot stay antipodal. In addition to the errors of New, NewMasses returns an error if a mass is not a
// positive finite number or if one is more than MaxMass times the other.
func NewMasses(dim int, beta float64, attention Attention, sigma, m1, m2 float64) (*Diffusion, error) {
	if err := checkTokens(dim, beta, attention); err != nil {
		return nil, err
	}
	if err := checkSigma(sigma); err != nil {
		return nil, err
	}
	for _, m := range []float64{m1, m2} {
		if !(m > 0 && m <= math.MaxFloat64) {
			return nil, fmt.Errorf("overlap: mass %v is not allowed: it must be positive and finite", m)
		}
	}
	great, small := max(m1, m2), min(m1, m2)
	if !(great/small <= MaxMass) {
		return nil, fmt.Errorf("overlap: masses %v and %v are not allowed: "+
			"one may be at most %v times the other", m1, m2, MaxMass)
	}
	ratio := small / great
	c := &clusters{
		dim: dim, beta: beta, attention: attention, sigma: sigma,
		great: 1 / (1 + ratio), small: ratio / (1 + ratio), difference: (1 - ratio) / (1 + ratio),
	}
	return newDiffusion(dim, c, c.minusOne(), c.plusOne(), c.difference == 0), nil
}

func checkTokens(dim int, beta float64, attention Attention) error {
	switch {
	case dim < 2:
		return fmt.Errorf("overlap: dimension %d is not allowed: it must be 2 or more", dim)
	case !(beta >= 0 && beta <= MaxBeta):
		return fmt.Errorf("overlap: beta %v is not allowed: it must be from 0 to %d", beta, MaxBeta)
	case attention != Softmax && attention != Unnormalized:
		return fmt.Errorf("overlap: %v is not allowed: attention must be softmax or unnormalized", attention)
	}
	return nil
}

func checkSigma(sigma float64) error {
	if !(sigma > 0 && sigma <= math.MaxFloat64) {
		return fmt.Errorf("overlap: sigma %v is not allowed: it must be positive and finite", sigma)
	}
	return nil
}

// clusters is the model of the overlap of two clusters of tokens under value matrices of independent entries.
type clusters struct {
	dim          int
	beta         float64
	attention    Attention
	sigma        float64
	great, small float64 // the masses of the greater and the smaller cluster, with sum 1
	difference   float64 // great - small
}

// Slope returns the slope h' of equation [2] for two clusters.
func (c *clusters) Slope(at line.Position) float64 {
	slope := float64(c.psi(at.Below)*c.imbalance()) + at.Z
	if c.difference == 0 {
		return slope
	}
	w := c.asymmetry(at)
	return slope/(1+w) - float64(c.dim-3)*at.Z/(1+1/w)
}

// psi returns ψ = (d-2)/cosh(β(1-z)) of equation [3] for the given 1-z.
func (c *clusters) psi(oneMinusZ float64) float64 {
	return float64(float64(c.dim-2) * sech(float64(c.beta*oneMinusZ)))
}

// imbalance returns the ratio (m1²+m2²)/(2m1m2) of the cluster masses m1 and m2, which is 1 for equal masses.
func (c *clusters) imbalance() float64 {
	return 1 + float64(float64(c.difference*c.difference)/(2*c.great*c.small))
}

// asymmetry returns w/e of equation [1]: the variance due to unequal masses, relative to the remaining
// variance. The asymmetry grows like 1/(1+z) towards z = -1, and may be +Inf. The ratio of weights
// e^(-β(1-z)) and 1+z can both underflow. So asymmetry exponentiates the logarithm of the quotient of both.
func (c *clusters) asymmetry(at line.Position) float64 {
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	product := float64(c.great * c.small)
	squares := 1 + float64(ratio*ratio)
	common := float64(c.difference*c.difference) / (product * squares)
	if c.attention == Softmax {
		return common / c.denominator(ratio) * elementary.Exp(-float64(2*c.beta*at.Below)-at.LogAbove())
	}
	sum := float64(0.25*common*(1+ratio)*(1+ratio)) / at.Above
	if at.Below == 0 {
		return sum
	}
	apart := elementary.Expm1(-float64(c.beta * at.Below))
	return sum + float64(0.25*common*apart*apart)/at.Below
}

// denominator returns (m1+m2 r)(m2+m1 r) for cluster masses m1 and m2, where r is the ratio of attention
// weights.
func (c *clusters) denominator(ratio float64) float64 {
	return (c.great + float64(c.small*ratio)) * (c.small + float64(c.great*ratio))
}

func (c *clusters) Variance(at line.Position) float64 {
	strength := c.strength(at)
	if c.difference == 0 {
		return strength
	}
	return strength * (1 + c.asymmetry(at))
}

// strength returns σ²e of equation [1], the variance of u = atanh z without the effect of unequal masses. The
// weight e^β of a token for itself is multiplied by σ in two halves, so that e^β does not overflow when a
// tiny σ would compensate for it.
func (c *clusters) strength(at line.Position) float64 {
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	common := 2 * c.great * c.small * (1 + float64(ratio*ratio))
	if c.attention == Softmax {
		return c.sigma * (c.sigma * common / c.denominator(ratio))
	}
	half := elementary.Exp(0.5 * c.beta)
	own := c.sigma * half * half
	return own * own * common
}

// drift converts the drift ½γ²h' of u = atanh z to the drift of the overlap z by Itô's formula.
func (c *clusters) drift(at line.Position) float64 {
	return times(at.Above*at.Below*(float64(0.5*c.Slope(at))-at.Z), c.Variance(at))
}

// minusOne returns the end z = -1; for equal masses the boundary class of the end is that of Lemma 5. The
// code compares β with CriticalBeta(dim), and not cosh 2β with dim - 2, because cosh 2β exceeds float64
// beyond β = 355. Except at β = 0, no float64 satisfies cosh 2β = dim - 2 exactly, so the end -1 counts as
// non-attracting if β = CriticalBeta(dim).
func (c *clusters) minusOne() line.End {
	if c.difference != 0 {
		return c.entrance()
	}
	minus := line.Converging(-1, -c.attraction(), line.Asymptote)
	if critical, ok := CriticalBeta(c.dim); !ok || c.beta > critical {
		minus.Attracting = true // the end attracts even if its slope underflows
	}
	return minus
}

// entrance returns the end z = -1 for unequal masses. As z tends to -1, the asymmetry w/e grows like
// exp(-2u), from 1 at some u < 0. Where w/e is 2^52 or more, the slope h' equals its limit up to rounding.
func (c *clusters) entrance() line.End {
	ratio := elementary.Exp(-float64(2 * c.beta))
	apart := c.sigma * (2 * ratio * c.difference / c.denominator(ratio)) // |A¹+A²| at overlap -1
	if c.attention == Unnormalized {
		half := elementary.Exp(0.5 * c.beta)
		apart = c.sigma * half * half * c.difference * (1 + ratio)
	}
	reach := line.Asymptote + float64(2*c.beta) - elementary.Log(c.difference)
	drift := 0.5 * float64(c.dim-1) * apart * apart
	return line.End{Enterable: true, Slope: float64(c.dim - 3), Drift: drift, Reach: reach, Variance: -2}
}

// plusOne returns the end z = +1, which attracts for all masses (Lemma 5). At z = +1, A¹ = A², and h' of [2]
// is dim-1: the contributions of unequal masses to the two terms of [2] cancel.
func (c *clusters) plusOne() line.End { return line.Converging(1, float64(c.dim-1), line.Asymptote) }

// attraction returns a = 1 - (d-2)/cosh 2β, the exponential rate at which the scale density for equal masses
// falls towards u = -∞. With cosh 2βc = d-2, the rate a is 2 sinh(β+βc) sinh(β-βc)/cosh 2β, which neither
// suffers cancellation near βc nor overflows.
func (c *clusters) attraction() float64 {
	critical, ok := CriticalBeta(c.dim)
	if !ok {
		return 1
	}
	sum, difference := c.beta+critical, c.beta-critical
	product := elementary.Expm1(-2*sum) * elementary.Expm1(-2*difference)
	return float64(product / (1 + elementary.Exp(-4*c.beta)))
}

// sech returns the hyperbolic secant 1/cosh y for y ≥ 0. The hyperbolic secant underflows to 0 for large y;
// no intermediate value overflows.
func sech(y float64) float64 {
	e := elementary.Exp(-y)
	return 2 * e / (1 + float64(e*e))
}
