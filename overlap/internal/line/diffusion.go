// Package line describes the diffusion of the overlap in the coordinate u = atanh z, in which the ends
// are at infinity. Package overlap and the packages that solve equations along u share it.
package line

import (
	"fmt"
)

// A Diffusion is the overlap in the coordinate u = atanh z:
//
//	du = ½ variance·slope dt + sqrt(variance) dB.
type Diffusion struct {
	Dim int // dimension of the tokens; it determines the law of the uniform start
	Coefficients
	Minus, Plus End
	// Convex reports whether h is convex, so that its slope never decreases with u.
	Convex bool
	// Velocity is du/dt if there is no noise, and nil otherwise.
	Velocity func(at Position) float64
}

// Coefficients of a diffusion.
type Coefficients interface {
	// Slope returns h'(u), where exp(-h(u)) du is the scale measure. It is finite.
	Slope(at Position) float64
	// Variance returns the squared diffusion coefficient of u per unit of time. It is +Inf if this
	// exceeds float64.
	Variance(at Position) float64
}

// Rise returns h(u+width) - h(u), computed from three Gauss nodes.
func (d *Diffusion) Rise(u, width float64) float64 {
	const offset = 0.3872983346207417 // sqrt(3/5)/2
	left := d.Slope(Of(u + float64((0.5-offset)*width)))
	middle := d.Slope(Of(u + float64(0.5*width)))
	right := d.Slope(Of(u + float64((0.5+offset)*width)))
	return width * (float64(5*(left+right)) + float64(8*middle)) / 18
}

// CheckClock returns an error if the variance is 0 or exceeds float64, so that times cannot be computed.
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
