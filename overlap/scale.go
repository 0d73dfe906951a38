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
	minus, plus end
	convex      bool
}

// scale returns the scale measure of d.
func (d *Diffusion) scale() scale {
	slope := func(u float64) float64 { return d.model.slope(positionOf(u)) }
	return scale{slope, d.minus, d.plus, d.convex}
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

// tail integrates exp(-(h-h(u))) from u until another point or infinity, in either
// direction. It stops where the rest is negligible, which relies on h being convex:
// where h rises at a rate r, the rest is at most exp(-h)/r.
func (s scale) tail(u, until float64) tail {
	direction, last := 1.0, s.plus
	if until < u {
		direction, last = -1, s.minus
	}
	limit := direction * last.slope
	if math.IsInf(until, 0) && limit <= 0 {
		return boundless
	}
	var mass, lost, rise, uncertainty float64
	p := panel{start: u, width: direction}
	for stop := min(last.reach, direction*until); direction*p.start < stop; {
		p.shorten(stop - float64(direction*p.start))
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
			if s.convex {
				return tail{mass, lost / mass}
			}
			if q, ok := s.ahead(p.start, direction, stop); ok {
				rise += q.wholeRise
				uncertainty += q.uncertainty
				p.start += q.width
			}
		}
	}
	rest := float64(elementary.Exp(-rise) * straight(limit, direction*(until-p.start)))
	mass += rest
	lost += float64(rest * (uncertainty + limitError/max(limitError, math.Abs(limit))))
	if mass > math.MaxFloat64 {
		return boundless
	}
	return tail{mass, min(1, lost/mass)}
}

// logTail returns the logarithm of a tail, also of one beyond float64, which it takes from the
// other end or in two parts. It is +Inf where the tail is infinite.
func (s scale) logTail(u, until float64) float64 {
	if t := s.tail(u, until); t != boundless {
		return elementary.Log(t.mass)
	}
	middle := 0.5 * (u + until)
	if math.IsInf(until, 0) {
		last := s.plus
		if until < u {
			last = s.minus
		}
		if middle = math.Copysign(last.reach, until); !(math.Abs(u) < last.reach && last.slope*middle > 0) {
			return math.Inf(1)
		}
	} else if t := s.tail(until, u); t != boundless {
		return elementary.Log(t.mass) - (s.rise(until) - s.rise(u))
	}
	return logSum(s.logTail(u, middle), s.logTail(middle, until)-(s.rise(middle)-s.rise(u)))
}

// logSum returns log(e^a + e^b).
func logSum(a, b float64) float64 {
	high := max(a, b)
	if math.IsInf(high, 0) {
		return high
	}
	return high + elementary.Log1p(elementary.Exp(min(a, b)-high))
}

// ahead returns a panel in a direction from a point where the density is negligible,
// which need not be resolved on it as long as h rises; it reports false if h does not.
func (s scale) ahead(start, direction, stop float64) (p panel, ok bool) {
	p = panel{start: start, width: direction}
	p.shorten(max(0, stop-float64(direction*start)))
	p.fit(s.slope, math.Inf(1))
	for _, slope := range p.slope {
		if !(direction*slope > 0) {
			return p, false
		}
	}
	return p, p.width != 0
}

// straight returns ∫ exp(-rate·x) dx over [0, length]; the length may be infinite if
// the rate is positive.
func straight(rate, length float64) float64 {
	if length <= 0 {
		return 0
	}
	if rate == 0 {
		return length
	}
	return -elementary.Expm1(-float64(rate*length)) / rate
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
// is the density of the scale function, s(x) of Appendix C.2 with x0 = 0. The error is below 1e-11 (1 +
// |log s|). LogScaleDensity panics if z is outside the open interval.
func (d *Diffusion) LogScaleDensity(z float64) float64 {
	if !(z > -1 && z < 1) {
		panic(fmt.Sprintf("overlap: overlap %v is outside (-1, 1)", z))
	}
	return -d.scale().rise(atanh(z)) - elementary.Log(float64((1-z)*(1+z)))
}

// LogScale returns log(S(1) - S(z)) for z in [-1, 1], the logarithm of the scale
// function counted from +1, with S'(0) = 1. If +1 is Attracting it is -Inf at z = 1,
// otherwise it is +Inf everywhere. At z = -1 it is +Inf if that end is NonAttracting
// or an Entrance. The error is below 1e-11 (1 + |LogScale|). LogScale panics if z is
// outside [-1, 1].
func (d *Diffusion) LogScale(z float64) float64 {
	mustBeOverlap(z)
	s := d.scale()
	switch {
	case d.plus.class != Attracting:
		return math.Inf(1)
	case z == 1:
		return math.Inf(-1)
	case z > -1:
		u := atanh(z)
		return s.logTail(u, math.Inf(1)) - s.rise(u)
	case d.minus.slope < 0:
		return elementary.Log(s.tail(0, math.Inf(-1)).mass + s.tail(0, math.Inf(1)).mass)
	}
	return math.Inf(1)
}
