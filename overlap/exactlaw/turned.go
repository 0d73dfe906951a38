package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// In many dimensions, noise of unequal clusters that are almost antipodal turns both vectors by nearly the
// same large angle: densities are greatest at a ξ far from 0, where the nodes of density are far apart and
// their first sums may miss it, and at 0 may be less than the smallest float64 of it. They then are found by
// their logarithms, from the node on where they are greatest.

// turns tells whether the densities of a step are to be found so: where that of ξ = 0 is less than 1e-15 of
// the greatest one. In fewer than manyDimensions they have two maxima. Equal clusters turn neither way.
func (l *layer) turns(delta float64) bool {
	if l.factors.dim < manyDimensions || l.n12 == 0 {
		return false
	}
	c := l.column(delta)
	return c.logTerm(c.summit())-c.logTerm(0) > 15*math.Ln10
}

// strong tells whether noise of unequal clusters is much, in dimensions in which densities may have two
// maxima: the one far from ξ = 0 then is so narrow that first sums of nodes may miss it.
func (l *layer) strong() bool {
	return l.n12 != 0 && l.levels > sumLevels && l.factors.dim > 2 && l.factors.dim < manyDimensions
}

// peak is the logarithm of the greatest term of a step.
func (l *layer) peak(delta float64) float64 {
	c := l.column(delta)
	return c.logTerm(c.summit())
}

// turn is summit for these densities, from a point on.
func (l *layer) turn(from int, width float64) int { return l.climb(from, width, l.turnedLogarithm) }

// turnedDensity is density by logarithms.
func (l *layer) turnedDensity(delta float64) float64 {
	return elementary.Exp(l.turnedLogarithm(delta) - l.top)
}

// turnedLogarithm is the logarithm of the density of the step δ = u'-u, by the trapezoidal rule on nodes
// twice as close again and again. It converges geometrically, as in density.
func (l *layer) turnedLogarithm(delta float64) float64 {
	const enough = 1e-7 // of which the square is left
	c := l.column(delta)
	summit := c.summit()
	stride := 1 << l.levels
	value := c.sumAbout(summit, stride)
	for stride > 1 {
		stride /= 2
		last := value
		value = c.sumAbout(summit, stride)
		if math.Abs(value-last) < enough*value {
			break
		}
	}
	return c.logTerm(summit) + elementary.Log(value)
}

// summit is the node with the greatest term.
func (c column) summit() int {
	best, top := 0, c.logTerm(0)
	for stride := 1 << c.levels; stride >= 1; stride /= 2 {
		for _, side := range []int{stride, -stride} {
			for next := c.logTerm(best + side); next > top; next = c.logTerm(best + side) {
				best, top = best+side, next
			}
		}
	}
	return best
}

// sumAbout is the integral over nodes by those at a stride from a node on, relative to its term.
func (c column) sumAbout(middle, stride int) float64 {
	top := c.logTerm(middle)
	sum := 1.0
	for _, side := range []int{stride, -stride} {
		for k := middle + side; ; k += side {
			term := elementary.Exp(c.logTerm(k) - top)
			sum += term
			if term < 1e-3*c.negligible {
				break
			}
		}
	}
	return float64(float64(stride) * sum)
}

// logTerm is the logarithm of a term, which is relative to nothing.
func (c column) logTerm(k int) float64 {
	factor, _, under, b, apart := c.shape(k)
	q := 1 / form(c.n22, c.n12, c.det, under, b)
	trace := form(c.trace11, 0.5*c.trace12, float64(c.det*c.det), under, b)
	return elementary.Log(factor) + c.logarithm(q, trace) - float64(2*q*apart)
}

// form is p·a + s·c - 2r·b, of det = ps - r² and ac - b² = 1, without the differences of large numbers.
func form(p, r, det, c, b float64) float64 {
	off := r/p - b/c
	return float64(p*(float64(c*off*off)+1/c)) + float64(det/p*c)
}
