package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// In many dimensions, noise turns both vectors of nearly antipodal unequal clusters by nearly the same
// large angle. Then densities are greatest at a ξ far from 0. The first sums over nodes in density are
// coarse there and may miss the maximum, and relative to it the density at ξ = 0 may underflow. Such
// densities are computed from their logarithms, beginning at the node where they are greatest.

// turns reports whether the densities of a step must be computed in this way: the term at ξ = 0 is then
// less than 1e-15 of the greatest one. In fewer than manyDimensions they have two maxima instead. Equal
// clusters turn neither way.
func (l *layer) turns(delta float64) bool {
	if l.factors.dim < manyDimensions || l.n12 == 0 {
		return false
	}
	c := l.column(delta)
	return c.logTerm(c.summit())-c.logTerm(0) > 15*math.Ln10
}

// strong reports whether the noise of unequal clusters is strong, in dimensions in which densities may
// have two maxima: the maximum far from ξ = 0 is then so narrow that the first sums over nodes may miss
// it.
func (l *layer) strong() bool {
	return l.n12 != 0 && l.levels > sumLevels && l.factors.dim > 2 && l.factors.dim < manyDimensions
}

// peak returns the logarithm of the greatest term of a step.
func (l *layer) peak(delta float64) float64 {
	c := l.column(delta)
	return c.logTerm(c.summit())
}

// turn is like summit, for these densities, searching from a point.
func (l *layer) turn(from int, width float64) int { return l.climb(from, width, l.turnedLogarithm) }

// turnedDensity is density computed from logarithms.
func (l *layer) turnedDensity(delta float64) float64 {
	return elementary.Exp(l.turnedLogarithm(delta) - l.top)
}

// turnedLogarithm returns the logarithm of the density of the step δ = u'-u. It uses the trapezoidal rule
// on nodes whose distance is halved repeatedly, which converges geometrically as in density.
func (l *layer) turnedLogarithm(delta float64) float64 {
	const enough = 1e-7 // the remaining error is its square
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

// summit returns the node with the greatest term.
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

// sumAbout returns the sum over nodes at a stride, from the node middle outwards, relative to its term.
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

// logTerm returns the logarithm of a term, not relative to a reference.
func (c column) logTerm(k int) float64 {
	factor, _, under, b, apart := c.shape(k)
	q := 1 / form(c.n22, c.n12, c.det, under, b)
	trace := form(c.trace11, 0.5*c.trace12, float64(c.det*c.det), under, b)
	return elementary.Log(factor) + c.logarithm(q, trace) - float64(2*q*apart)
}

// form returns p·a + s·c - 2r·b, given det = ps - r² and ac - b² = 1, without differences of large
// numbers.
func form(p, r, det, c, b float64) float64 {
	off := r/p - b/c
	return float64(p*(float64(c*off*off)+1/c)) + float64(det/p*c)
}
