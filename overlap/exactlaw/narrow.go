package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// If noise is strong or dimensions are many, the noise of unequal clusters that are almost antipodal turns
// both vectors the same way. The ratio of the lengths of the two vectors is then nearly certain. So the
// density of ξ has a narrow maximum far from 0, which nodes around ξ = 0 miss. At ξ = 0 the density may be
// too small for float64, even relative to the maximum. Such densities are found from their logarithms, by
// nodes around the greatest term. There may be a second maximum, some widths away or on the other side of 0.
// So the nodes t = t₀ + w sinh y lie further apart far from t₀.

// narrow reports whether the density of a step is computed around its greatest term. This is so for strong
// noise, and in many dimensions if the density at ξ = 0 is less than 1e-15 of the greatest one. It is not so
// for equal clusters in many dimensions, whose densities are symmetric about ξ = 0.
func (l *layer) narrow(delta float64) bool {
	if l.loud || l.n12 == 0 || l.factors.dim < manyDimensions {
		return l.loud
	}
	c := l.column(delta)
	return c.peak().top-c.logTerm(0) > 15*math.Ln10
}

// A peak is the greatest term of a column: its t, the distance in t at which terms are smaller by about a
// factor e, and the logarithm of the greatest term.
type peak struct{ at, width, top float64 }

// peak finds the peak of a column. As there may be several maxima, it compares points far apart, and then
// climbs from the greatest of them.
func (c column) peak() peak {
	const apart = 8
	p := peak{0, 0.5 * apart, c.logTerm(0)}
	for _, side := range []float64{apart, -apart} {
		for t := side; !c.beyond(nodeAt(t)); t += side {
			if top := c.logTerm(t); top > p.top {
				p.at, p.top = t, top
			}
		}
	}
	for ; ; p.width *= 0.5 {
		least := math.Inf(1)
		for _, side := range []float64{p.width, -p.width} {
			next := c.logTerm(p.at + side)
			for ; next > p.top; next = c.logTerm(p.at + side) {
				p.at, p.top = p.at+side, next
			}
			least = min(least, next)
		}
		if !(least <= p.top-1) {
			return p
		}
	}
}

// peakOf returns the logarithm of the greatest term of the density of the step δ = u'-u.
func (l *layer) peakOf(delta float64) float64 { return l.column(delta).peak().top }

// narrowLogarithm returns the logarithm of the density of the step δ = u'-u, by the trapezoidal rule in y.
// The distance of nodes is halved repeatedly; the rule converges geometrically, as in density.
func (l *layer) narrowLogarithm(delta float64) float64 {
	const (
		closest = 1.0 / 256
		enough  = 1e-7 // relative change after which the error is about the square of the change
	)
	c := l.column(delta)
	p := c.peak()
	spacing := 0.25
	value := c.sumAbout(p, 0, spacing)
	for spacing > closest {
		last := value
		value = float64(0.5 * (value + c.sumAbout(p, 0.5*spacing, spacing)))
		spacing *= 0.5
		if math.Abs(value-last) < enough*value {
			break
		}
	}
	return p.top + elementary.Log(value)
}

// sumAbout returns the integral over t of the terms relative to the greatest term, by nodes at y = first +
// k·spacing. The sum over nodes ends where terms are negligible; beyond both maxima terms fall.
func (c column) sumAbout(p peak, first, spacing float64) float64 {
	sum := 0.0
	for _, side := range []float64{spacing, -spacing} {
		y := first
		if side < 0 {
			y -= spacing
		}
		for ; ; y += side {
			e := elementary.Exp(y)
			at := p.at + float64(0.5*p.width*(e-1/e))
			term := float64(0.5 * (e + 1/e) * elementary.Exp(c.logTerm(at)-p.top))
			sum += term
			far := math.Abs(at) > math.Abs(p.at)+1 && (c.single || c.beyond(nodeAt(at)))
			if far && !(term >= 1e-3*c.negligible) {
				break
			}
		}
	}
	return float64(spacing * p.width * sum)
}

// nodeAt returns the node at t. Its weight is cosh(½t), without the factor dt.
func nodeAt(t float64) node {
	half := elementary.Exp(0.5 * t)
	return node{0.5 * (half - 1/half), 0.5 * (half + 1/half)}
}

// logTerm returns the logarithm of the density at t, without subtracting top.
func (c column) logTerm(t float64) float64 {
	factor, _, under, b, apart := c.shape(nodeAt(t))
	q := 1 / form(c.n22, c.n12, c.det, under, b)
	trace := form(c.trace11, 0.5*c.trace12, float64(c.det*c.det), under, b)
	return elementary.Log(factor) + c.logarithm(q, trace) - float64(2*q*apart)
}

// form returns p·a + s·c - 2r·b without differences of large numbers, where ps - r² = det and ac - b² = 1.
func form(p, r, det, c, b float64) float64 {
	off := r/p - b/c
	return float64(p*(float64(c*off*off)+1/c)) + float64(det/p*c)
}
