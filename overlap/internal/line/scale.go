package line

import (
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A Scale is the scale measure dS = exp(-h(u)) du of an overlap diffusion in the coordinate u = atanh z. The
// function h is given by its slope h' and by the limits of the slope at both ends.
type Scale struct {
	Slope       func(u float64) float64
	Minus, Plus End
	Convex      bool
}

// Scale returns the scale measure of the diffusion d, with slopes h' that are Bounded.
func (d *Diffusion) Scale() Scale {
	slope := func(u float64) float64 { return Bounded(d.Slope(Of(u))) }
	return Scale{slope, d.Minus.bounded(), d.Plus.bounded(), d.Convex}
}

// Steepest bounds the size of the slopes h' of a Scale. No quadrature could resolve a steeper scale density
// exp(-h), and h might overflow.
const Steepest = 1e100

// Bounded returns the slope in [-Steepest, Steepest] nearest to a slope h'.
func Bounded(slope float64) float64 { return max(-Steepest, min(slope, Steepest)) }

const (
	// Asymptote is the |u|, u = atanh z, beyond which the slope h' is replaced by its limit. The difference
	// of h' from its limit is O((1+β) e^(-2|u|)), and changes a tail of the scale measure by 2e-18 of the
	// tail at β = 1000.
	Asymptote = 24
	// LimitError bounds the rounding error of a limit of the slope h': the critical βc is below 6 for every
	// dimension up to 10,000, and the derivative of the limit at z = -1 with respect to β is at most 2.
	LimitError = 0x1p-48
	// Negligible is the relative size of the part of a tail of the scale measure that may be cut off; it is
	// far below one rounding error.
	Negligible = 0x1p-60
)

// A tail is the integral Mass of exp(-(h-h(u))) from a point u to another point or to ±∞, with a bound
// Uncertainty of the relative error of the integral.
type tail struct {
	Mass, Uncertainty float64
}

// Unbounded represents a tail of the scale measure that is infinite or exceeds float64.
var Unbounded = tail{math.MaxFloat64, 1}

// Tail integrates exp(-(h-h(u))) from u to until, another point or ±∞, in either direction. The integration
// stops at a point beyond which the rest of the integral is negligible. For convex h the rest beyond a point
// is at most exp(-h)/r, where r is the slope of h at this point.
func (s Scale) Tail(u, until float64) tail {
	direction, last := s.towards(u, until)
	limit := direction * last.Slope
	if math.IsInf(until, 0) && limit <= 0 {
		return Unbounded
	}
	var mass, lost, rise, uncertainty float64
	p := quadrature.Panel{Start: u, Width: direction}
	for stop := min(last.Reach, direction*until); direction*p.Start < stop; {
		p.Shorten(stop - float64(direction*p.Start))
		p.Fit(s.Slope, quadrature.Steepest)
		uncertainty += p.Uncertainty
		part := float64(elementary.Exp(-rise) * p.Mass())
		mass += part
		lost += float64(part * uncertainty)
		if mass > math.MaxFloat64 {
			return Unbounded
		}
		rise += p.WholeRise
		p.Advance()
		rate := float64(direction * s.Slope(p.Start))
		if rate > 0 && elementary.Exp(-rise) < Negligible*rate*mass {
			if s.Convex {
				return tail{mass, lost / mass}
			}
			if q, ok := s.ahead(p.Start, direction, stop); ok {
				rise += q.WholeRise
				uncertainty += q.Uncertainty
				p.Start += q.Width
			}
		}
	}
	rest := float64(elementary.Exp(-rise) * exponential(limit, direction*(until-p.Start)))
	mass += rest
	lost += float64(rest * (uncertainty + LimitError/max(LimitError, math.Abs(limit))))
	if mass > math.MaxFloat64 {
		return Unbounded
	}
	return tail{mass, min(1, lost/mass)}
}

// towards returns the direction from u to another point, -1 or +1, and the end in this direction.
func (s Scale) towards(u, until float64) (direction float64, last End) {
	if until < u {
		return -1, s.Minus
	}
	return 1, s.Plus
}

// LogTail returns the logarithm of the tail of Tail, even if the tail exceeds float64, or +Inf if the tail is
// infinite. A tail that exceeds float64 is integrated from the other end or in two parts.
func (s Scale) LogTail(u, until float64) float64 {
	if t := s.Tail(u, until); t != Unbounded {
		return elementary.Log(t.Mass)
	}
	middle := 0.5 * (u + until)
	if math.IsInf(until, 0) {
		direction, last := s.towards(u, until)
		if middle = direction * last.Reach; !(math.Abs(u) < last.Reach && last.Slope*direction > 0) {
			return math.Inf(1)
		}
	} else if t := s.Tail(until, u); t != Unbounded {
		return elementary.Log(t.Mass) - (s.Rise(until) - s.Rise(u))
	}
	return LogSum(s.LogTail(u, middle), s.LogTail(middle, until)-(s.Rise(middle)-s.Rise(u)))
}

// LogSum returns log(e^a + e^b) without overflow.
func LogSum(a, b float64) float64 {
	high := max(a, b)
	if math.IsInf(high, 0) {
		return high
	}
	return high + elementary.Log1p(elementary.Exp(min(a, b)-high))
}

// FallsBelow reports whether h falls with u everywhere below the point u, at which h' < 0, so that the
// density exp(-h) is nowhere below u greater than at u. A convex h falls everywhere below a point
// with h' < 0. If h is not convex, FallsBelow checks the slope h' only at points at most 1/4 apart.
func (s Scale) FallsBelow(u float64) bool {
	for ; !s.Convex && u > -s.Minus.Reach; u -= 0.25 {
		if !(s.Slope(u) < 0) {
			return false
		}
	}
	return true
}

// ahead returns a panel, in the given direction from a point at which the scale density exp(-h) is
// negligible. The nodes of the panel need not resolve the density if h rises on the panel; ahead reports
// false if h does not rise.
func (s Scale) ahead(start, direction, stop float64) (p quadrature.Panel, ok bool) {
	p = quadrature.Panel{Start: start, Width: direction}
	p.Shorten(max(0, stop-float64(direction*start)))
	p.Fit(s.Slope, math.Inf(1))
	for _, slope := range p.Slope {
		if !(direction*slope > 0) {
			return p, false
		}
	}
	return p, p.Width != 0
}

// exponential returns the integral of exp(-rate·x) over x in [0, length]; length may be infinite if rate is
// positive.
func exponential(rate, length float64) float64 {
	if length <= 0 {
		return 0
	}
	if rate == 0 {
		return length
	}
	return -elementary.Expm1(-float64(rate*length)) / rate
}

// Rise returns the increase h(u) - h(0).
func (s Scale) Rise(u float64) float64 {
	sum := 0.0
	for p := (quadrature.Panel{Width: u}); p.Start != u; p.Advance() {
		p.Width = u - p.Start
		p.Fit(s.Slope, math.Inf(1))
		sum += p.WholeRise
	}
	return sum
}
