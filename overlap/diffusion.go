package overlap

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// MaxBeta is the largest inverse temperature that New accepts.
const MaxBeta = 1000

// A Diffusion is the overlap Z = <X¹, X²> of two tokens, or of two clusters of
// equal mass, in the limit of infinite depth (Lemma 4):
//
//	dZ = Drift(Z) dt + sqrt(Variance(Z)) dB on [-1, 1].
//
// It is immutable; make one with New.
type Diffusion struct {
	dim       int
	beta      float64
	attention Attention
	sigma     float64
}

// New returns the overlap diffusion of two tokens on the unit sphere of R^dim at
// inverse temperature beta, when the entries of the value matrices have standard
// deviation sigma. It is an error if dim < 2, if beta is not in [0, MaxBeta], if
// attention is neither Softmax nor Unnormalized, or if sigma is not a positive
// finite number. Sigma and the attention set the clock only: boundaries, scale
// and probabilities do not depend on them.
func New(dim int, beta float64, attention Attention, sigma float64) (*Diffusion, error) {
	switch {
	case dim < 2:
		return nil, fmt.Errorf("overlap: dimension %d is not allowed: it must be 2 or more", dim)
	case !(beta >= 0 && beta <= MaxBeta):
		return nil, fmt.Errorf("overlap: beta %v is not allowed: it must be from 0 to %d", beta, MaxBeta)
	case attention != Softmax && attention != Unnormalized:
		return nil, fmt.Errorf("overlap: %v is not allowed: attention must be softmax or unnormalized", attention)
	case !(sigma > 0 && sigma <= math.MaxFloat64):
		return nil, fmt.Errorf("overlap: sigma %v is not allowed: it must be positive and finite", sigma)
	}
	return &Diffusion{dim, beta, attention, sigma}, nil
}

// Drift returns the drift of Z per unit of time at overlap z in [-1, 1],
//
//	σ² (1-z²) (p²+q²) (ψ(z) - z),
//
// from equations (20) and (21) in the form of the package comment. It is 0 at both
// ends. For unnormalized attention it is ±Inf where it exceeds the largest
// float64, which at σ = 1 starts near β = 353; it is never NaN. Drift panics if z
// is outside [-1, 1].
func (d *Diffusion) Drift(z float64) float64 {
	return times((1-z)*(1+z)*(d.psi(1-z)-z), d.strength(z))
}

// Variance returns the squared diffusion coefficient of Z per unit of time at
// overlap z in [-1, 1],
//
//	2 σ² (1-z²)² (p²+q²),
//
// from equation (20), and from (21) with the √2 that is missing there in print. It
// is 0 at both ends and overflows as Drift does. Variance panics if z is outside
// [-1, 1].
func (d *Diffusion) Variance(z float64) float64 {
	tangent := float64((1 - z) * (1 + z))
	return times(2*tangent*tangent, d.strength(z))
}

// strength returns σ²(p²+q²), +Inf if that is no float64. The token's own weight p
// is multiplied by σ in two halves, lest σ = 0+ meet e^β = +Inf.
func (d *Diffusion) strength(z float64) float64 {
	mustBeOverlap(z)
	ratio := elementary.Exp(-float64(d.beta * (1 - z)))
	own := d.sigma / (1 + ratio)
	if d.attention == Unnormalized {
		half := elementary.Exp(0.5 * d.beta)
		own = 0.5 * d.sigma * half * half
	}
	return own * own * (1 + float64(ratio*ratio))
}

// psi returns ψ = (d-2)/cosh(β(1-z)). It takes 1-z, which near z = 1 the caller
// may know better than z.
func (d *Diffusion) psi(oneMinusZ float64) float64 {
	return float64(float64(d.dim-2) * sech(float64(d.beta*oneMinusZ)))
}

// times returns a*b with 0 * ±Inf = 0.
func times(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a * b
}

func mustBeOverlap(z float64) {
	if !(z >= -1 && z <= 1) {
		panic(fmt.Sprintf("overlap: overlap %v is outside [-1, 1]", z))
	}
}
