package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// A grid is a uniform grid of u = atanh z; one of its nodes is where a source without a
// density is.
type grid struct {
	first, width  float64
	nodes, middle int
	coarse        bool // too coarse for the source, as the domain is too long
}

// divide returns the grid whose cells are those of g divided by an odd m. The edges of
// cells, halfway between nodes, remain edges.
func (g grid) divide(m int) grid {
	w := g.width / float64(m)
	return grid{g.first - float64(0.5*g.width) + float64(0.5*w), w, m * g.nodes, m*g.middle + m/2, g.coarse}
}

// cost returns the number of nodes times implicit steps of a solution.
func (g grid) cost(times []float64, pace float64) float64 {
	count := 0
	walk(times, pace, func(float64, bool) { count++ })
	return float64(count*levels*(levels+1)/2) * float64(g.nodes)
}

const (
	// coarsest is the greatest width of the cells that are tried first, for slopes up
	// to 10 or so.
	coarsest = 0.4
	// longest bounds the number of nodes that are tried first.
	longest = 1 << 14
)

// grid returns the grid of the cells that are tried first. A source at an end is moved
// to the wall.
func (d *Diffusion) grid(from *source, times []float64, tolerance float64) grid {
	left, right := d.domain(*from, times, tolerance)
	from.at = max(left, min(from.at, right))
	scale := from.start.scale
	if from.start.density == nil {
		scale = 0.5 * math.Sqrt(times[0]*d.model.variance(positionOf(from.at)))
	}
	resolving := min(coarsest, scale, 1.5/math.Sqrt(float64(d.dim)))
	width := max(resolving, (right-left)/longest)
	below := int(math.Ceil((from.at - left) / width))
	return grid{from.at - float64(float64(below)*width), width, below + 1 + int(math.Ceil((right-from.at)/width)), below, width > resolving}
}

// domain returns an interval of u beyond which there is less than the tolerance, or
// from beyond which less than it returns, in the longest of the times.
func (d *Diffusion) domain(from source, times []float64, tolerance float64) (left, right float64) {
	horizon := times[len(times)-1]
	low, high := from.at, from.at
	if from.start.density != nil {
		low, high = -from.start.edge, from.start.edge
	}
	right = d.beyond(high, 1, d.plus, horizon, tolerance)
	if d.minus.class == Entrance || d.minus.class == Reflecting {
		return max(d.behind(low, times[0], tolerance), low-1-d.reached(low, -1, horizon)), right
	}
	return d.beyond(low, -1, d.minus, horizon, tolerance), right
}

// beyond returns how far the domain extends from u to a side: as far as the overlap
// gets, or so far beyond inner that its law, or its chance to come back, has fallen like
// exp(-|slope|·distance).
func (d *Diffusion) beyond(u, side float64, last end, horizon, tolerance float64) float64 {
	reached, decay := d.reached(u, side, horizon), math.Abs(last.slope)
	spread := min(1e20, float64(decay*decay*horizon)*d.model.variance(positionOf(side*inner)))
	margin := min(reached, elementary.Log(1e4*(1+spread)/tolerance)/decay)
	return side * min(float64(side*u)+reached, max(float64(side*u), inner)+1+margin)
}

// reached returns how far drift and seven standard deviations take the overlap from u to
// a side; their greatest values are sought up to inner, where they have their limits.
func (d *Diffusion) reached(u, side, horizon float64) float64 {
	const parts = 64
	step := (float64(side*max(float64(side*u), inner)) - u) / parts
	variance, drift := 0.0, 0.0
	for i := range parts + 1 {
		at := positionOf(u + float64(float64(i)*step))
		v := d.model.variance(at)
		variance = max(variance, v)
		drift = max(drift, float64(0.5*side*v*d.model.slope(at)))
	}
	return min(1e20, drift*horizon) + float64(7*math.Sqrt(min(1e20, variance*horizon)))
}

// behind returns where the domain ends before an end -1 that is never reached or
// reflects: 1+Z is like a squared Bessel process there, of which less than the tolerance
// is near 0, compared with where it comes in the first of the times.
func (d *Diffusion) behind(u, first, tolerance float64) float64 {
	kicked := asymptote - d.minus.reach
	early := max(kicked-30, 0.5*elementary.Log(min(1, first*d.minus.drift)))
	return min(max(u, -d.minus.reach), early, kicked, -inner) - 1 - elementary.Log(10/tolerance)/float64(d.dim-1)
}
