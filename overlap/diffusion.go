package overlap

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// A Diffusion is the overlap Z = <X¹, X²> of two tokens, or of two clusters of
// tokens, in the limit of infinite depth:
//
//	dZ = Drift(Z) dt + sqrt(Variance(Z)) dB on [-1, 1].
//
// It is immutable; make one with New, NewMasses, NewHybrid, NewKernel or
// NewHybridKernel.
type Diffusion struct {
	dim         int // of the tokens; it sets the law of the uniform start
	model       model
	minus, plus end
	// convex says that the slope of the scale never decreases with u.
	convex bool
}

// A model gives the coefficients of a diffusion inside (-1, 1). In the coordinate
// u = atanh z it is du = ½ variance·slope dt + sqrt(variance) dB.
type model interface {
	// slope returns h'(u), where exp(-h(u)) du is the scale measure. It is finite.
	slope(at position) float64
	// variance returns the squared diffusion coefficient of u per unit of time; +Inf
	// if that is no float64.
	variance(at position) float64
	// drift returns the drift of z per unit of time; ±Inf if that is no float64.
	drift(at position) float64
}

// A position is a point of (-1, 1) with what cancels near the ends.
type position struct {
	u, z         float64 // z = tanh u
	above, below float64 // 1+z and 1-z
}

// positionOf returns the position at u = atanh z.
func positionOf(u float64) position {
	t := elementary.Exp(-2 * math.Abs(u))
	z, far, near := (1-t)/(1+t), 2/(1+t), 2*t/(1+t)
	if u < 0 {
		return position{u, -z, near, far}
	}
	return position{u, z, far, near}
}

// positionAt returns the position at the overlap z in [-1, 1].
func positionAt(z float64) position {
	return position{atanh(z), z, 1 + z, 1 - z}
}

// Drift returns the drift of Z per unit of time at overlap z in [-1, 1]. It is 0 at
// both ends, except at -1 for unequal masses. Where the drift exceeds the largest
// float64, as it does for unnormalized attention and σ = 1 from about β = 353 on,
// it is ±Inf; it is never NaN. Drift panics if z is outside [-1, 1].
func (d *Diffusion) Drift(z float64) float64 {
	mustBeOverlap(z)
	switch z {
	case -1:
		return d.minus.drift
	case 1:
		return d.plus.drift
	}
	return d.model.drift(positionAt(z))
}

// Variance returns the squared diffusion coefficient of Z per unit of time at
// overlap z in [-1, 1]. It is 0 at both ends and overflows as Drift does. Variance
// panics if z is outside [-1, 1].
func (d *Diffusion) Variance(z float64) float64 {
	mustBeOverlap(z)
	tangent := float64((1 - z) * (1 + z))
	if tangent == 0 {
		return 0
	}
	return tangent * tangent * d.model.variance(positionAt(z))
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

// logAbove returns log(1+z), also where 1+z is no float64.
func (p position) logAbove() float64 {
	if p.u < -20 { // (1+z) / (2 exp(2u)) differs from 1 by exp(-40)
		return float64(2*p.u) + math.Ln2
	}
	return elementary.Log(p.above)
}
