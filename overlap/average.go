package overlap

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// average returns the probability that the overlap converges to the end to, -1 or +1, averaged over the law
// of the starting overlap.
func (d *Diffusion) average(from line.Start, to float64) Probability {
	switch minus, plus := d.line.Minus.Attracting, d.line.Plus.Attracting; {
	case minus && plus:
		p := d.averageHit(from)
		if to > 0 {
			p.Value = 1 - p.Value
		}
		return p
	case minus && to < 0 || plus && to > 0:
		return Probability{Value: 1}
	}
	return Probability{}
}

// averageHit averages the probability (S(1)-S(z))/(S(1)-S(-1)) to become antipodal over the starting overlap
// z.
func (d *Diffusion) averageHit(from line.Start) Probability {
	s := d.line.Scale()
	right := s.Tail(from.Edge, math.Inf(1))
	if right == line.Unbounded {
		return Probability{1, errorOfOne(s.Convex)}
	}
	sum := average{tail: right.Mass}
	h, f := quadrature.Panel{Start: from.Edge, Width: -0.25}, [quadrature.Order]float64{}
	for h.Start > -from.Edge {
		h.Shorten(h.Start + from.Edge)
		sum.fit(&h, &f, &s, from)
		sum.add(&h, &f)
		h.Advance()
		if rate := -s.Slope(h.Start); rate > 0 && elementary.Exp(-sum.rise) < line.Negligible*rate*sum.tail &&
			s.FallsBelow(h.Start) {
			// The rest of the scale measure is negligible; only the density of the starting overlap remains
			// to be integrated.
			s, sum.rise = line.Scale{Slope: func(float64) float64 { return 0 }}, math.Inf(1)
		}
	}
	total := sum.tail
	if sum.rise < math.Inf(1) {
		left := s.Tail(-from.Edge, math.Inf(-1))
		total += float64(elementary.Exp(-sum.rise) * left.Mass)
		sum.uncertainty += left.Uncertainty
	}
	value := sum.weighted / (sum.weight * total)
	value = min(1, value)
	integration := float64(value * (1 - value) * (right.Uncertainty + sum.uncertainty))
	return Probability{value, integration + rounding}
}

// errorOfOne returns the error of the probability 1, which averageHit returns if the right tail overflows
// float64. If h is convex and the right tail of the scale measure overflows, float64 does not resolve the
// much smaller left tail.
func errorOfOne(convex bool) float64 {
	if convex {
		return rounding
	}
	return 1
}

// An average accumulates ∫ f T du and ∫ f du over panels, from right to left, where f is the density of the
// start in u = atanh z, and T(u) = ∫_u^∞ exp(-h) is the tail of the scale measure. The tail T is in units of
// the density of the scale measure at the right edge of the first panel.
//
// On each panel, the tail T is the antiderivative of the polynomial that interpolates the density of the
// scale measure at the nodes. The error of T at single nodes may be 1e-8. At Gauss-Legendre nodes, however,
// the error of T is orthogonal to the density f of the start, to the order of the quadrature rule itself.
type average struct {
	tail             float64 // T at the edge of the next panel, in units of exp(-rise)
	weighted, weight float64
	rise             float64
	uncertainty      float64
}

// halfResolution bounds the last Legendre coefficients of the density of the starting overlap, relative to
// the maximum of the density. The Legendre coefficients fall geometrically, and the Gauss-Legendre rule is
// exact for polynomials of twice the degree of the last coefficients.
const halfResolution = 1e-7

// irrelevant is the size below which the quadrature need not resolve an integral of the density of the
// starting overlap, whose mass or maximum is 1.
const irrelevant = 1e-15

// fit shortens the panel until its Gauss-Legendre nodes resolve both h and the density of the starting
// overlap, and stores the values of the density in f.
func (a *average) fit(h *quadrature.Panel, f *[quadrature.Order]float64, s *line.Scale, from line.Start) {
	for {
		h.Fit(s.Slope, quadrature.Steepest)
		greatest := 0.0
		for i := range f {
			f[i] = from.Density(line.Of(h.Position(i)))
			greatest = max(greatest, f[i])
		}
		width := math.Abs(h.Width)
		if left := quadrature.Gauss.Unresolved(f); left <= halfResolution*greatest ||
			float64(left*width) < irrelevant || width < quadrature.Narrowest {
			return
		}
		h.Width *= 0.5
	}
}

// add adds the integrals ∫ f T du and ∫ f du over a panel. The argument h holds the scale measure on the
// panel, and f the density of the starting overlap at the nodes.
func (a *average) add(h *quadrature.Panel, f *[quadrature.Order]float64) {
	scale := elementary.Exp(-a.rise)
	half := -0.5 * h.Width
	mass := float64(scale * h.Mass())
	a.weight += float64(half * quadrature.Gauss.Integral(f))
	var tail [quadrature.Order]float64
	quadrature.Gauss.Antiderivative(&tail, &h.Density)
	for i := range tail {
		tail[i] = f[i] * (a.tail + float64(half*scale*tail[i]))
	}
	a.weighted += float64(half * quadrature.Gauss.Integral(&tail))
	a.tail += mass
	a.rise += h.WholeRise
	a.uncertainty += h.Uncertainty
	if a.tail > 0x1p500 { // change the unit before the tail overflows
		a.tail, a.weighted, a.rise = a.tail*0x1p-500, a.weighted*0x1p-500, a.rise+500*math.Ln2
	}
}
