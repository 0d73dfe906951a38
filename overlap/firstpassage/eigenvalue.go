package firstpassage

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// A cell of a piecewiseDiffusion is an interval of u = atanh z. The slope of a cell is the mean of h' on the
// interval, and the rate of a cell is proportional to 1/variance at the middle of the interval.
type cell struct{ width, slope, rate float64 }

// A piecewiseDiffusion approximates a diffusion of u = atanh z by cells, from the reach of the end -1 to the
// reach of the end +1, in which h' and the variance are constant. The unit of eigenvalues of a
// piecewiseDiffusion is half the variance at the end +1.
type piecewiseDiffusion struct {
	cells    []cell
	slope    float64 // slope beyond the last cell
	variance float64 // variance beyond the last cell
	// Slope and rate to the left of the first cell if the end -1 is invariant; otherwise 0.
	leftSlope, leftRate float64
}

// logSmallestEigenvalue returns the logarithm of the smallest eigenvalue of minus the generator, or edge, the
// logarithm of the edge of the continuous spectrum, if no eigenvalue lies below this edge. The eigenvalue is
// extrapolated from three approximations: with the cells of cellEdges, with halves of these cells, and with
// quarters. logSmallestEigenvalue reports false if the extrapolated logarithm differs by 1e-5 or more from
// the extrapolation from the first two approximations.
func logSmallestEigenvalue(d *line.Diffusion, edge float64) (logRate float64, ok bool) {
	return extrapolatedEigenvalue(d, edge, (*piecewiseDiffusion).hasZero)
}

// extrapolatedEigenvalue computes the logarithm of the eigenvalue above which the function exceeds reports
// true, by extrapolation as in logSmallestEigenvalue.
func extrapolatedEigenvalue(
	d *line.Diffusion, edge float64, exceeds func(p *piecewiseDiffusion, eigenvalue float64) bool,
) (logRate float64, ok bool) {
	edges := cellEdges(d)
	var solved [3]float64
	for k := range solved {
		p := newPiecewiseDiffusion(d, edges, 1<<k)
		solved[k] = p.bisect(edge, exceeds)
	}
	if solved == [3]float64{edge, edge, edge} {
		return edge, true
	}
	first, second := solved[1]+(solved[1]-solved[0])/3, solved[2]+(solved[2]-solved[1])/3
	return second + (second-first)/15, math.Abs(second-first) < 1e-5
}

// bisect returns the logarithm of the eigenvalue above which exceeds is true, or edge if edge is lower than
// this logarithm.
func (p *piecewiseDiffusion) bisect(
	edge float64, exceeds func(p *piecewiseDiffusion, eigenvalue float64) bool,
) float64 {
	unit := elementary.Log(0.5 * p.variance)
	above := func(logRate float64) bool { return exceeds(p, elementary.Exp(logRate-unit)) }
	if !above(edge) {
		return edge
	}
	low, high := edge-1, edge
	for above(low) {
		low, high = low-(edge-low), low
	}
	for high-low > 1e-13*max(1, math.Abs(high)) {
		if middle := float64(0.5 * (low + high)); above(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return float64(0.5 * (low + high))
}

// hasZero reports whether eigenvalue is greater than the smallest eigenvalue, that is, whether the solution g
// of the eigenvalue equation without flux at the left end has a zero. The zero of g may lie beyond the last
// cell.
func (p *piecewiseDiffusion) hasZero(eigenvalue float64) bool {
	ratio := 0.0
	for _, c := range p.cells {
		var ok bool
		if ratio, ok = c.propagate(ratio, float64(eigenvalue*c.rate)); !ok {
			return true
		}
	}
	return p.hasZeroBeyond(ratio, eigenvalue)
}

// hasZeroBeyond reports whether a solution g of g″ + h'g' + lg = 0 has a zero to the right of the last cell,
// given the ratio -g'/g at the right edge of the last cell. Beyond the last cell h' is constant and g is a
// combination of exp(-rx) with the two roots r of r² - h'r + l = 0. If -g'/g exceeds the greater root, g
// falls faster than both exponentials, and so reaches 0.
func (p *piecewiseDiffusion) hasZeroBeyond(ratio, eigenvalue float64) bool {
	half := float64(0.5 * p.slope)
	return ratio > half+math.Sqrt(max(0, float64(half*half)-eigenvalue))
}

// propagate carries the ratio r = -g'/g of a solution of g″ + h'g' + lg = 0 through the cell, and reports
// whether g has no zero in the cell. As g is exp(-½h'x) times a combination of cosh kx and sinh kx with k² =
// ¼h'² - l,
//
//	r → (r(1-½h't) + lt) / (1+½h't-rt), t = tanh(kx)/k.
func (c cell) propagate(r, l float64) (ratio float64, ok bool) {
	half := 0.5 * c.slope
	square := float64(half*half) - l
	k := math.Sqrt(math.Abs(square))
	x := float64(k * c.width)
	var t, one, less, more float64 // t, 1, 1-½|h'|t and 1+½|h'|t up to a factor
	size := math.Abs(half)
	switch {
	case x < 1e-4:
		t, one = c.width, 1
		less = 1 - float64(size*t)
	case square < 0:
		if x > 3 {
			return 0, false
		}
		sine, cosine := elementary.SinCos(x)
		t, one = sine/k, cosine
		less = one - float64(size*t)
	default: // 1-½|h'|t without cancellation
		e := elementary.Exp(-2 * x)
		t, one = (1-e)/(k*(1+e)), 1
		less = (float64(e*(k+size)) - l/(k+size)) / (k * (1 + e))
	}
	more = one + float64(size*t)
	if half < 0 {
		less, more = more, less
	}
	denominator := more - float64(r*t)
	return (float64(r*less) + float64(l*t)) / denominator, denominator > 0
}

// newPiecewiseDiffusion approximates a diffusion by cells with constant h' and variance. Each interval
// between two successive edges is divided into parts cells.
func newPiecewiseDiffusion(d *line.Diffusion, edges []float64, parts int) piecewiseDiffusion {
	p := piecewiseDiffusion{slope: d.Plus.Slope, variance: d.Variance(line.Of(d.Plus.Reach))}
	if !d.Minus.Enterable {
		p.leftSlope, p.leftRate = d.Minus.Slope, p.variance/d.Variance(line.Of(-d.Minus.Reach))
	}
	for i := range len(edges) - 1 {
		width := (edges[i+1] - edges[i]) / float64(parts)
		for j := range parts {
			left := edges[i] + float64(float64(j)*width)
			middle := line.Of(left + float64(0.5*width))
			p.cells = append(p.cells, cell{width, d.Rise(left, width) / width,
				p.variance / d.Variance(middle)})
		}
	}
	return p
}

// cellEdges returns the edges of cells in u = atanh z that are narrow where the eigenfunction may be
// concentrated: around the minima of variance·h'². If the slope h' and the variance were constant,
// variance·h'² would be eight times the infimum of the spectrum.
func cellEdges(d *line.Diffusion) []float64 {
	left, right := -d.Minus.Reach, d.Plus.Reach
	around := refinements(d, left, right)
	edges := []float64{left}
	for u := left; u < right; {
		width := 0.05
		for _, c := range around {
			width = min(width, max(c.width, float64(0.05*math.Abs(u-c.center))))
		}
		u = min(right, u+width)
		edges = append(edges, u)
	}
	return edges
}

// A refinement is a point of u = atanh z around which the eigenvalue equation needs cells of the given width.
type refinement struct{ center, width float64 }

// refinements returns the minima of variance·h'² between left and right, found on a grid of step 1/64. The
// width of the cells around a minimum scales with 1/sqrt(|h″|), the distance over which a quadratic h changes
// by about 1, and with 1/sqrt(|h'|).
func refinements(d *line.Diffusion, left, right float64) (found []refinement) {
	slope := func(u float64) float64 { return d.Slope(line.Of(u)) }
	depth := func(u float64) float64 { return float64(slope(u) * slope(u) * d.Variance(line.Of(u))) }
	const step = 1.0 / 64
	before, here := depth(left), depth(left+step)
	for u := left + step; u < right; u += step {
		next := depth(u + step)
		if here <= before && here < next {
			at := minimum(depth, u-step, u+step)
			const near = 1e-3
			bend := math.Abs(slope(at+near)-slope(at-near)) / (2 * near)
			found = append(found, refinement{at, 0.1 / math.Sqrt(max(1, bend, math.Abs(slope(at))))})
		}
		before, here = here, next
	}
	return found
}

// minimum returns the point between low and high at which f is minimal; f must have no other local minimum
// between low and high.
func minimum(f func(x float64) float64, low, high float64) float64 {
	for high-low > 1e-14*max(1, math.Abs(low)) {
		third := (high - low) / 3
		if f(low+third) < f(high-third) {
			high -= third
		} else {
			low += third
		}
	}
	return float64(0.5 * (low + high))
}
