package overlap

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// average returns the probability that the overlap converges to the end -1 or +1, averaged over its
// starting value.
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

// averageHit averages (S(1)-S(z))/(S(1)-S(-1)) over the starting value z.
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
			// The rest of the tail is negligible; only the density of the start is left to integrate.
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
// float64. If h is convex, the left tail is then so much smaller than the right one that float64 does not
// resolve it.
func errorOfOne(convex bool) float64 {
	if convex {
		return rounding
	}
	return 1
}

// An average accumulates ∫ f T du and ∫ f du over panels, from right to left. Here f is the density of the
// starting value, and T(u) = ∫_u^∞ exp(-h) is the tail of the scale measure. T is in units of the density of
// this measure at the right edge of the first panel.
//
// On each panel, T is the antiderivative of the interpolating polynomial through the nodes. The error of
// T at single nodes may be 1e-8. At Gauss-Legendre nodes, however, this error is orthogonal to every
// integrand that occurs here, to the order of the quadrature rule itself.
type average struct {
	tail             float64 // T at the edge of the next panel, in units of exp(-rise)
	weighted, weight float64
	rise             float64
	uncertainty      float64
}

// halfResolution bounds the last Legendre coefficients of a density, relative to the maximum of the density.
// The coefficients fall geometrically, and the rule is exact for polynomials of twice the degree of the last
// ones.
const halfResolution = 1e-7

// irrelevant is the size below which an integral of the starting density, whose mass or maximum is 1,
// need not be resolved.
const irrelevant = 1e-15

// fit shortens the panel until both h and the density of the starting value are resolved on it, and
// stores the values of the density in f.
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

// add adds the integrals over a panel. h holds the scale measure on the panel, and f the density of the
// starting value.
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
