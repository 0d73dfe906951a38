package firstpassage

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// RelaxationTime returns the time in which the law of the overlap comes e times closer to its stationary law,
// where no end attracts: the inverse of the gap of the generator. The gap is the smallest eigenvalue but 0,
// or the edge of the continuous spectrum, the least variance·(h')²/8 at an invariant end, where no
// eigenvalue lies below. The relative error is below 1e-5. The second result is false where there is no
// stationary law or the gap is not found to this accuracy.
func RelaxationTime(diffusion *overlap.Diffusion) (Time, bool) {
	if _, ok := diffusion.Stationary(); !ok {
		return Time{}, false
	}
	d := diffusion.Line()
	edge := edgeOf(d, d.Plus, 1)
	if !d.Minus.Enterable {
		edge = min(edge, edgeOf(d, d.Minus, -1))
	}
	rate, ok := extrapolated(d, edge, (*profile).hasTwoNodes)
	return timeOf(1, -rate), ok
}

// edgeOf returns the logarithm of the edge of the continuous spectrum that an invariant end makes.
func edgeOf(d *line.Diffusion, end line.End, side float64) float64 {
	return elementary.Log(d.Variance(line.Of(side*end.Reach)) * end.Slope * end.Slope / 8)
}

// hasTwoNodes reports whether an eigenvalue is greater than the gap: the solution that belongs to the left
// end then has two nodes, the last of which may be beyond the cells.
func (p *profile) hasTwoNodes(eigenvalue float64) bool {
	nodes := 0
	ratio := p.leftRatio(eigenvalue)
	for _, c := range p.cells {
		var ok bool
		if ratio, ok = c.cross(ratio, float64(eigenvalue*c.rate)); !ok {
			if nodes++; nodes == 2 {
				return true
			}
		}
	}
	return nodes == 1 && p.rises(ratio, eigenvalue)
}

// leftRatio returns -g'/g of the solution that is square integrable at the left end: without flux where the
// overlap enters, and with the lesser root of an invariant end.
func (p *profile) leftRatio(eigenvalue float64) float64 {
	if p.leftRate == 0 {
		return 0
	}
	half := float64(0.5 * p.leftSlope)
	l := float64(eigenvalue * p.leftRate)
	return l / (half + math.Sqrt(max(0, float64(half*half)-l)))
}
