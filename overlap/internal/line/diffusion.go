// Package line is the diffusion of the overlap in the coordinate u = atanh z, where the ends
// are at infinity: what package overlap and those that solve equations along u share.
package line

import (
	"fmt"
)

// A Diffusion is the overlap in the coordinate u = atanh z:
//
//	du = ½ variance·slope dt + sqrt(variance) dB.
type Diffusion struct {
	Dim int // of the tokens; it sets the law of the uniform start
	Coefficients
	Minus, Plus End
	// Convex says that the slope of the scale never decreases with u.
	Convex bool
	// Velocity is du/dt where there is no noise, and nil where there is.
	Velocity func(at Position) float64
}

// The Coefficients of a diffusion.
type Coefficients interface {
	// Slope returns h'(u), where exp(-h(u)) du is the scale measure. It is finite.
	Slope(at Position) float64
	// Variance returns the squared diffusion coefficient of u per unit of time; +Inf
	// if that is no float64.
	Variance(at Position) float64
}

// Rise returns h(u+width) - h(u) by three Gauss nodes.
func (d *Diffusion) Rise(u, width float64) float64 {
	const offset = 0.3872983346207417 // sqrt(3/5)/2
	left := d.Slope(Of(u + float64((0.5-offset)*width)))
	middle := d.Slope(Of(u + float64(0.5*width)))
	right := d.Slope(Of(u + float64((0.5+offset)*width)))
	return width * (float64(5*(left+right)) + float64(8*middle)) / 18
}

// CheckClock returns an error if the variance does not let times be computed.
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
