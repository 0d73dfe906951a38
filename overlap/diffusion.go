package overlap

import (
	"antipode/overlap/internal/line"
)

// A Diffusion is the overlap Z = <X¹, X²> of two tokens, or of two clusters of tokens, in the limit
// of infinite depth:
//
//	dZ = Drift(Z) dt + sqrt(Variance(Z)) dB on [-1, 1].
//
// A Diffusion is immutable. New, NewMasses, NewIsotropic, NewHybrid, NewResampled and NewKernel return a
// Diffusion.
type Diffusion struct {
	line  line.Diffusion
	model model
}

// A model gives drift and variance of the overlap diffusion inside (-1, 1).
type model interface {
	line.Coefficients
	// drift returns the drift of the overlap z per unit of time, or ±Inf if the drift exceeds float64.
	drift(at line.Position) float64
}

func newDiffusion(dim int, m model, minus, plus line.End, convex bool) *Diffusion {
	l := line.Diffusion{Dim: dim, Coefficients: m, Minus: minus, Plus: plus, Convex: convex}
	return &Diffusion{line: l, model: m}
}

// Line returns the diffusion of u = atanh Z, with which the subpackages of overlap compute.
func (d *Diffusion) Line() *line.Diffusion { return &d.line }

// Drift returns the drift of the overlap Z per unit of time at Z = z in [-1, 1]. The drift is 0 at z = +1,
// and at z = -1 if the end -1 is invariant. Drift returns ±Inf if the drift exceeds float64, as for
// unnormalized attention and σ = 1 from about β = 353 on, but never NaN. Drift panics if z is outside [-1,
// 1].
func (d *Diffusion) Drift(z float64) float64 {
	line.MustBeOverlap(z)
	switch z {
	case -1:
		return d.line.Minus.Drift
	case 1:
		return d.line.Plus.Drift
	}
	return d.model.drift(line.At(z))
}

// Variance returns the squared diffusion coefficient of the overlap Z per unit of time at Z = z in [-1, 1].
// The variance is 0 at both ends z = ±1. Variance returns +Inf if the variance exceeds float64. Variance
// panics if z is outside [-1, 1].
func (d *Diffusion) Variance(z float64) float64 {
	line.MustBeOverlap(z)
	tangent := float64((1 - z) * (1 + z))
	if tangent == 0 {
		return 0
	}
	return tangent * tangent * d.model.Variance(line.At(z))
}

// times returns the product a*b, with 0 * ±Inf = 0.
func times(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a * b
}
