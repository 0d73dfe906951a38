package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// Noise of unequal clusters that are almost antipodal turns both vectors the same way, if it is much or
// dimensions are many, to lengths of nearly one ratio: densities are greatest at a ξ far from 0, and narrow
// there, so that nodes about 0 miss it, and at 0 they may be less than the smallest float64 of it. They then
// are found by their logarithms, from nodes about the greatest one. They may have a second maximum, some
// widths away or on the other side of 0: so the nodes move apart like t = t₀ + w sinh y.

// narrow tells whether the densities of a step are to be found so: with much noise, and in many dimensions
// where that of ξ = 0 is less than 1e-15 of the greatest one. Equal clusters turn neither way.
func (l *layer) narrow(delta float64) bool {
	if l.loud || l.n12 == 0 || l.factors.dim < manyDimensions {
		return l.loud
	}
	c := l.column(delta)
	return c.peak().top-c.logTerm(0) > 15*math.Ln10
}

// A peak is where the terms of a column are greatest, along t, the distance at which they are less by a
// factor e, about, and the logarithm of the greatest one.
type peak struct{ at, width, top float64 }

// peak looks from afar, as there may be several maxima, and then climbs.
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

// peakOf is the logarithm of the greatest term of a step.
func (l *layer) peakOf(delta float64) float64 { return l.column(delta).peak().top }

// narrowLogarithm is the logarithm of the density of the step δ = u'-u, by the trapezoidal rule in y on
// nodes twice as close again and again. It converges geometrically, as in density.
func (l *layer) narrowLogarithm(delta float64) float64 {
	const (
		closest = 1.0 / 256
		enough  = 1e-7 // of which the square is left
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

// sumAbout is the integral over t by nodes at y = first + k·spacing, relative to the greatest term. Beyond
// both maxima terms fall.
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

// nodeAt is a node at t, with the weight of dt.
func nodeAt(t float64) node {
	half := elementary.Exp(0.5 * t)
	return node{0.5 * (half - 1/half), 0.5 * (half + 1/half)}
}

// logTerm is the logarithm of a density along t, relative to nothing.
func (c column) logTerm(t float64) float64 {
	factor, _, under, b, apart := c.shape(nodeAt(t))
	q := 1 / form(c.n22, c.n12, c.det, under, b)
	trace := form(c.trace11, 0.5*c.trace12, float64(c.det*c.det), under, b)
	return elementary.Log(factor) + c.logarithm(q, trace) - float64(2*q*apart)
}

// form is p·a + s·c - 2r·b, of det = ps - r² and ac - b² = 1, without the differences of large numbers.
func form(p, r, det, c, b float64) float64 {
	off := r/p - b/c
	return float64(p*(float64(c*off*off)+1/c)) + float64(det/p*c)
}
