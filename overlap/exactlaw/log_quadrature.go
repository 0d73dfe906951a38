package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// This file integrates the density of the shape over ξ = log|X¹'|/|X²'| where the integrand has a narrow peak
// far from ξ = 0. If noise is strong or the dimension is high, the noise of unequal clusters that are almost
// antipodal turns both tokens the same way, and the ratio of the lengths of the two tokens is nearly certain.
// So the density of ξ has a narrow maximum, which nodes around ξ = 0 miss. At ξ = 0 the density may be too
// small for float64, even relative to the maximum. As in Laplace's method, the maximum of the logarithm of
// the density is found first, and the integral over ξ is computed relative to this maximum. A second maximum
// of the density may lie some widths away or on the other side of ξ = 0. So the distance between the nodes t
// = t₀ + w sinh y grows with the distance from t₀.

// integratesAroundPeak reports whether the integral over ξ is to be computed around the peak of the
// integrand: for strong noise, and in high dimension if the density at ξ = 0 is less than 1e-15 of the
// greatest density. The densities of equal clusters are symmetric about ξ = 0, and are never integrated
// around a peak in high dimension.
func (l *layer) integratesAroundPeak(delta float64) bool {
	if l.strongNoise || l.n12 == 0 || l.table.dim < manyDimensions {
		return l.strongNoise
	}
	c := l.integrand(delta)
	return c.peak().top-c.logIntegrand(0) > 15*math.Ln10
}

// A peak describes the maximum of an integrand: the position t of the maximum (at), the distance in t at
// which the integrand has fallen by about a factor e (width), and the logarithm of the maximum (top).
type peak struct{ at, width, top float64 }

// peak finds the peak of the integrand. As the integrand may have several maxima, peak compares points far
// apart, and then climbs from the greatest of these points.
func (c integrand) peak() peak {
	const apart = 8
	p := peak{0, 0.5 * apart, c.logIntegrand(0)}
	for _, side := range []float64{apart, -apart} {
		for t := side; !c.negligibleBeyond(nodeAt(t)); t += side {
			if top := c.logIntegrand(t); top > p.top {
				p.at, p.top = t, top
			}
		}
	}
	for ; ; p.width *= 0.5 {
		least := math.Inf(1)
		for _, side := range []float64{p.width, -p.width} {
			next := c.logIntegrand(p.at + side)
			for ; next > p.top; next = c.logIntegrand(p.at + side) {
				p.at, p.top = p.at+side, next
			}
			least = min(least, next)
		}
		if !(least <= p.top-1) {
			return p
		}
	}
}

// logPeak returns the logarithm of the maximum over ξ of the integrand for the step delta = u'-u.
func (l *layer) logPeak(delta float64) float64 { return l.integrand(delta).peak().top }

// logDensity returns the logarithm of the density of the step delta = u'-u, by the trapezoidal rule in y,
// where t = t₀ + w sinh y. The distance between nodes is halved repeatedly; the trapezoidal rule converges
// geometrically, as in density.
func (l *layer) logDensity(delta float64) float64 {
	const (
		closest = 1.0 / 256
		enough  = 1e-7 // relative change after which the error is about the square of the change
	)
	c := l.integrand(delta)
	p := c.peak()
	spacing := 0.25
	value := c.integrateAround(p, 0, spacing)
	for spacing > closest {
		last := value
		value = float64(0.5 * (value + c.integrateAround(p, 0.5*spacing, spacing)))
		spacing *= 0.5
		if math.Abs(value-last) < enough*value {
			break
		}
	}
	return p.top + elementary.Log(value)
}

// integrateAround returns the integral of the integrand over t, divided by the maximum of the integrand, by
// nodes at y = first + k·spacing. The sum over nodes ends where terms are negligible and no further maximum
// can follow.
func (c integrand) integrateAround(p peak, first, spacing float64) float64 {
	sum := 0.0
	for _, side := range []float64{spacing, -spacing} {
		y := first
		if side < 0 {
			y -= spacing
		}
		for ; ; y += side {
			e := elementary.Exp(y)
			at := p.at + float64(0.5*p.width*(e-1/e))
			term := float64(0.5 * (e + 1/e) * elementary.Exp(c.logIntegrand(at)-p.top))
			sum += term
			far := math.Abs(at) > math.Abs(p.at)+1 && (c.unimodal || c.negligibleBeyond(nodeAt(at)))
			if far && !(term >= 1e-3*c.negligible) {
				break
			}
		}
	}
	return float64(spacing * p.width * sum)
}

// nodeAt returns the node at t with the weight cosh(½t), without the factor dt.
func nodeAt(t float64) node {
	half := elementary.Exp(0.5 * t)
	return node{0.5 * (half - 1/half), 0.5 * (half + 1/half)}
}

// logIntegrand returns the logarithm of the integrand at t; the logarithm l.top of the greatest density is
// not subtracted.
func (c integrand) logIntegrand(t float64) float64 {
	factor, _, under, b, apart := c.shape(nodeAt(t))
	q := 1 / traceProduct(c.n22, c.n12, c.det, under, b)
	trace := traceProduct(c.trace11, 0.5*c.trace12, float64(c.det*c.det), under, b)
	return elementary.Log(factor) + c.logPrefactorOf(q, trace) - float64(2*q*apart)
}

// traceProduct returns p·a + s·c - 2r·b, the trace of the product of two symmetric matrices, without
// differences of large numbers. The entries s and a follow from ps - r² = det and ac - b² = 1.
func traceProduct(p, r, det, c, b float64) float64 {
	off := r/p - b/c
	return float64(p*(float64(c*off*off)+1/c)) + float64(det/p*c)
}
