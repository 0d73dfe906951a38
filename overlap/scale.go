package overlap

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// A scale is the scale measure dS of a diffusion in the coordinate u = atanh z. Its
// density is exp(-h(u)) du; h is known by its slope and the limits of the slope.
type scale struct {
	slope       func(u float64) float64
	left, right float64 // h'(-∞), h'(+∞)
}

// scale returns the scale measure of d, for which h' = ψ + tanh u. The slope
// increases with u, so the density is log-concave.
func (d *Diffusion) scale() scale {
	return scale{
		slope: func(u float64) float64 {
			t := elementary.Exp(2 * u)
			return d.psi(2/(1+t)) + (t-1)/(t+1)
		},
		left:  -d.attraction(),
		right: float64(d.dim - 1),
	}
}

// attraction returns 1 - (d-2)/cosh 2β, the rate at which the scale density falls
// towards u = -∞. With cosh 2βc = d-2 it is 2 sinh(β+βc) sinh(β-βc)/cosh 2β, which
// neither cancels near βc nor overflows.
func (d *Diffusion) attraction() float64 {
	critical, ok := CriticalBeta(d.dim)
	if !ok {
		return 1
	}
	sum, difference := d.beta+critical, d.beta-critical
	return float64(elementary.Expm1(-2*sum) * elementary.Expm1(-2*difference) / (1 + elementary.Exp(-4*d.beta)))
}

const (
	// asymptote is the |u| beyond which the slope is taken for its limit. They
	// differ by O((1+β) e^(-2|u|)), which makes 2e-18 of a tail at β = 1000.
	asymptote = 24
	// limitError bounds the error of a limit of the slope: βc is below 6 for every
	// dimension to 10,000, and d(attraction)/dβ ≤ 2.
	limitError = 0x1p-48
	// negligible ends a tail; it is far below one rounding.
	negligible = 0x1p-60
)

// A tail is the integral of exp(-(h-h(u))) from a point u to one of the infinities,
// and a bound of its relative error.
type tail struct {
	mass, uncertainty float64
}

// boundless stands for a tail that is infinite or beyond float64.
var boundless = tail{math.MaxFloat64, 1}

// tail integrates from u to +∞ if direction is +1 and to -∞ if it is -1. It stops
// where the rest is negligible, which relies on h being convex: where h rises at a
// rate r, the rest is at most exp(-h)/r.
func (s scale) tail(u, direction float64) tail {
	limit := s.right
	if direction < 0 {
		limit = -s.left
	}
	if limit <= 0 {
		return boundless
	}
	var mass, lost, rise, uncertainty float64
	p := panel{start: u, width: direction}
	for direction*p.start < asymptote {
		p.shorten(asymptote - float64(direction*p.start))
		p.fit(s.slope, steepest)
		uncertainty += p.uncertainty
		part := float64(elementary.Exp(-rise) * p.mass())
		mass += part
		lost += float64(part * uncertainty)
		if mass > math.MaxFloat64 {
			return boundless
		}
		rise += p.wholeRise
		p.advance()
		rate := float64(direction * s.slope(p.start))
		if rate > 0 && elementary.Exp(-rise) < negligible*rate*mass {
			return tail{mass, lost / mass}
		}
	}
	rest := elementary.Exp(-rise) / limit
	mass += rest
	lost += float64(rest * (uncertainty + limitError/limit))
	if mass > math.MaxFloat64 {
		return boundless
	}
	return tail{mass, min(1, lost/mass)}
}

// rise returns h(u) - h(0).
func (s scale) rise(u float64) float64 {
	sum := 0.0
	for p := (panel{width: u}); p.start != u; p.advance() {
		p.width = u - p.start
		p.fit(s.slope, math.Inf(1))
		sum += p.wholeRise
	}
	return sum
}

// LogScaleDensity returns log s(z) for z in the open interval (-1, 1), where
//
//	s(z) = S'(z) = exp(-∫_0^z 2 Drift/Variance)
//
// is the density of the scale function, s(x) of Appendix C.2 with x0 = 0. Towards
// z = -1 it grows without bound, towards z = +1 it grows for dim = 2, has a limit
// for dim = 3 and falls without bound for dim > 3. The error is below 1e-11 (1 +
// |log s|). LogScaleDensity panics if z is outside the open interval.
func (d *Diffusion) LogScaleDensity(z float64) float64 {
	if !(z > -1 && z < 1) {
		panic(fmt.Sprintf("overlap: overlap %v is outside (-1, 1)", z))
	}
	return -d.scale().rise(atanh(z)) - elementary.Log(float64((1-z)*(1+z)))
}

// LogScale returns log(S(1) - S(z)) for z in [-1, 1], the logarithm of the scale
// function counted from +1, the end where it is always finite, with S'(0) = 1. It is
// -Inf at z = 1, and at z = -1 it is +Inf if that end is NonAttracting. The error is
// below 1e-11 (1 + |LogScale|). LogScale panics if z is outside [-1, 1].
//
// The probability to reach -1+a from z before +1 follows for any a > 0:
// exp(LogScale(z) - LogScale(-1+a)).
func (d *Diffusion) LogScale(z float64) float64 {
	mustBeOverlap(z)
	s := d.scale()
	switch {
	case z == 1:
		return math.Inf(-1)
	case z > -1:
		u := atanh(z)
		return elementary.Log(s.tail(u, 1).mass) - s.rise(u)
	case d.MinusOne() == Attracting:
		return elementary.Log(s.tail(0, -1).mass + s.tail(0, 1).mass)
	}
	return math.Inf(1)
}
