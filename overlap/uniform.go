package overlap

import "antipode/sphere/elementary"

// AntipodalUniform returns the probability that two independent tokens, uniform on
// the sphere, become antipodal: the average of AntipodalFrom over the density of
// their overlap, proportional to (1-z²)^((dim-3)/2). It is 0 if -1 is not Attracting.
func (d *Diffusion) AntipodalUniform() Probability {
	if d.MinusOne() != Attracting {
		return Probability{}
	}
	s, start, edge := d.scale(), uniformSlope(d.dim), uniformEdge(d.dim)
	right := s.tail(edge, 1)
	sum := average{tail: right.mass}
	h, f := panel{start: edge, width: -1}, panel{}
	for h.start > -edge {
		h.shorten(h.start + edge)
		fitTogether(&h, &f, s.slope, start)
		sum.add(&h, &f)
		h.advance()
	}
	left := s.tail(-edge, -1)
	total := sum.tail + float64(elementary.Exp(-sum.riseOfScale)*left.mass)
	value := sum.weighted / (sum.weight * total)
	integration := float64(value * (right.uncertainty + left.uncertainty + sum.uncertainty))
	return Probability{value, integration + rounding}
}

// uniformSlope returns the slope of -log of the density of the uniform start in
// u = atanh z. That density is proportional to (cosh u)^(1-dim).
func uniformSlope(dim int) func(u float64) float64 {
	power := float64(dim - 1)
	return func(u float64) float64 {
		t := elementary.Exp(2 * u)
		return float64(power * ((t - 1) / (t + 1)))
	}
}

// uniformEdge returns the |u| at which the density of the uniform start has fallen
// to e^-40 of its maximum. What lies beyond is less than rounding.
func uniformEdge(dim int) float64 {
	return arccosh(elementary.Exp(40 / float64(dim-1)))
}

// fitTogether fits the panels h and f to two slopes on the same interval, the start
// and at most the width of h.
func fitTogether(h, f *panel, ofH, ofF func(u float64) float64) {
	f.start = h.start
	for resolved := false; !resolved; {
		f.width = h.width
		resolved = f.resolve(ofF, steepest)
		h.width = f.width
		resolved = resolved && h.resolve(ofH, steepest)
	}
	h.climb()
	f.climb()
}

// An average accumulates ∫ f T du and ∫ f du over panels from right to left, where f
// is the density of the start and T(u) = ∫_u^∞ exp(-h) is the tail of the scale. The
// densities are relative to those at the right edge of the first panel.
//
// T on a panel is the antiderivative of the polynomial through the nodes. Its error
// at single nodes may be 1e-8, but with Gauss-Legendre nodes that is orthogonal to
// whatever it is integrated against here, to the same order as the rule itself.
type average struct {
	tail                     float64 // T at the edge of the panel to come
	weighted, weight         float64
	riseOfScale, riseOfStart float64
	uncertainty              float64
}

// add accumulates the panel on which h is the scale and f the start.
func (a *average) add(h, f *panel) {
	scale, start := elementary.Exp(-a.riseOfScale), elementary.Exp(-a.riseOfStart)
	mass := float64(scale * h.mass())
	a.weight += float64(start * f.mass())
	var tail [order]float64
	gauss.antiderivative(&tail, &h.density)
	toTail := float64(-0.5 * h.width * scale)
	for i := range tail {
		tail[i] = f.density[i] * (a.tail + float64(toTail*tail[i]))
	}
	a.weighted += float64(-0.5 * h.width * start * gauss.integral(&tail))
	a.tail += mass
	a.riseOfScale += h.wholeRise
	a.riseOfStart += f.wholeRise
	a.uncertainty += h.uncertainty + f.uncertainty
}
