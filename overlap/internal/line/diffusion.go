// Package line describes the diffusion of the overlap z of two clusters of tokens in the coordinate u = atanh
// z, in which the ends z = ±1 are at infinity. Package overlap and its subpackages that solve equations along
// u share package line.
package line

import (
	"fmt"
	"math"
)

// A Diffusion is the diffusion of the overlap z in the coordinate u = atanh z:
//
//	du = ½ variance·slope dt + sqrt(variance) dB.
type Diffusion struct {
	Dim int // dimension of the tokens, which determines the law of the uniform start
	Coefficients
	Minus, Plus End
	// Convex tells whether the function h is convex, so that the slope h' never decreases with u.
	Convex bool
	// Velocity is du/dt for a diffusion without noise, and nil otherwise.
	Velocity func(at Position) float64
}

// Coefficients are the coefficients of a diffusion of u = atanh z.
type Coefficients interface {
	// Slope returns the slope h'(u), where exp(-h(u)) du is the scale measure. The slope is finite.
	Slope(at Position) float64
	// Variance returns the squared diffusion coefficient of u per unit of time, or +Inf if the variance
	// exceeds float64.
	Variance(at Position) float64
}

// Rise returns the increase h(u+width) - h(u), computed from the slope h' at three Gauss-Legendre nodes.
func (d *Diffusion) Rise(u, width float64) float64 {
	const offset = 0.3872983346207417 // sqrt(3/5)/2
	left := d.Slope(Of(u + float64((0.5-offset)*width)))
	middle := d.Slope(Of(u + float64(0.5*width)))
	right := d.Slope(Of(u + float64((0.5+offset)*width)))
	return width * (float64(5*(left+right)) + float64(8*middle)) / 18
}

// CheckClock returns an error if the variance of u is so near the limits of float64 that times cannot be
// computed. CheckClock also returns an error if the product of variance and slope at an invariant end -1 is
// not twice the drift of u, as the slope exceeds float64 or the variance underflows.
func (d *Diffusion) CheckClock() error {
	for _, z := range []float64{0, 1} {
		if v := d.Variance(At(z)); !inRange(v) {
			return fmt.Errorf("overlap: times are not available: "+
				"the variance of this diffusion per unit of time, %v at overlap %v, "+
				"must be above 1e-290 and below 1e290 (unnormalized attention: e^(2β) σ²)", v, z)
		}
	}
	if d.Minus.Enterable {
		return nil
	}
	at := At(-1)
	product, pull := float64(d.Variance(at)*d.Slope(at)), d.Pull(at)
	if lost := math.Abs(product - pull); !(lost <= negligiblePull || lost < 1e-6*math.Abs(pull)) {
		return fmt.Errorf("overlap: times are not available: the drift of this diffusion per unit of time " +
			"exceeds its variance, near overlap -1, by more than float64 can tell")
	}
	return nil
}

// CheckScale returns an error if a slope h' between the positions from and to is beyond Steepest, so that
// times that are integrals over the scale measure there cannot be computed. It looks every quarter of a unit
// of u.
func (d *Diffusion) CheckScale(from, to float64) error {
	const step = 0.25
	for u := min(from, to); u <= max(from, to); u += step {
		if at := Of(u); math.Abs(d.Slope(at)) > Steepest {
			return fmt.Errorf("overlap: times are not available: the drift of this diffusion per unit of "+
				"time is more than %v times its variance at overlap %v", 0.5*Steepest, at.Z)
		}
	}
	return nil
}

// negligiblePull is a γ²h' whose effect on u is negligible at all times up to 1e15.
const negligiblePull = 1e-90

// A pulling is the coefficients of a diffusion that know γ²h' = variance·slope by itself.
type pulling interface {
	// Pull returns variance·slope, twice the drift of u, even where the slope exceeds float64 or the variance
	// underflows.
	Pull(at Position) float64
}

// Pull returns variance·slope, twice the drift of u. Where the slope is beyond Steepest, or where the
// variance leaves the range of float64, Pull asks the coefficients themselves, if they know.
func (d *Diffusion) Pull(at Position) float64 {
	_, pull := d.VarianceAndPull(at)
	return pull
}

// VarianceAndPull returns the variance of u and what Pull returns.
func (d *Diffusion) VarianceAndPull(at Position) (variance, pull float64) {
	variance = d.Variance(at)
	slope := d.Slope(at)
	if p, ok := d.Coefficients.(pulling); ok && !(inRange(variance) && math.Abs(slope) < Steepest) {
		return variance, p.Pull(at)
	}
	return variance, variance * slope
}

// inRange reports whether a variance is so far from the limits of float64 that times can be computed.
func inRange(variance float64) bool { return variance > 1e-290 && variance < 1e290 }
