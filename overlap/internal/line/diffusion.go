// Package line describes the diffusion of the overlap z of two clusters of tokens in the coordinate u = atanh
// z, in which the ends z = ±1 are at infinity. Package overlap and its subpackages that solve equations along
// u share package line.
package line

import (
	"fmt"
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

// CheckClock returns an error if the variance of u is 0 or exceeds float64, so that times cannot be computed.
func (d *Diffusion) CheckClock() error {
	for _, z := range []float64{0, 1} {
		if v := d.Variance(At(z)); !(v > 1e-290 && v < 1e290) {
			return fmt.Errorf("overlap: times are not available: "+
				"the variance of this diffusion per unit of time, %v at overlap %v, "+
				"is 0 or beyond float64 (unnormalized attention: e^(2β) σ²)", v, z)
		}
	}
	return nil
}
