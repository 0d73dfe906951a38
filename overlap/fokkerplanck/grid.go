package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// A grid has nodes at equal distances in the coordinate x, where u = atanh z = sinhMap(x). A point mass of
// the starting law lies at the node middle. Each node represents the cell around the node.
type grid struct {
	first, width  float64
	nodes, middle int
	absorbs       struct{ left, right bool } // whether each wall absorbs, rather than reflects
}

func (g grid) node(i int) float64 { return g.first + float64(float64(i)*g.width) }

// edge returns the u = atanh z of the edge between the nodes i and i+1 of the grid.
func (g grid) edge(i int) float64 { return sinhMap(g.node(i) + float64(0.5*g.width)) }

// divide returns a grid in which each cell of g is divided into m cells. As m must be odd, the middle node
// remains a node.
func (g grid) divide(m int) grid {
	w := g.width / float64(m)
	return grid{g.first - float64(0.5*g.width) + float64(0.5*w), w, m * g.nodes, m*g.middle + m/2, g.absorbs}
}

// resolved reports whether all nodes are different numbers u; on grids for very short times, float64 may not
// tell neighbouring nodes apart.
func (g grid) resolved() bool {
	for i := range g.nodes - 1 {
		if sinhMap(g.node(i)) == sinhMap(g.node(i+1)) {
			return false
		}
	}
	return true
}

const (
	// coarsestWidth is the greatest cell width, in the coordinate x, of the first grid.
	coarsestWidth = 0.4
	// mostNodes limits the number of nodes of the first grid.
	mostNodes = 1 << 14
)

// newGrid returns the grid of the first solution of the Fokker-Planck equation. The probability mass outside
// the grid, or the mass that returns from outside, is below the tolerance. newGrid moves a starting point
// beyond a wall to the wall.
func newGrid(d *line.Diffusion, from *source, times []float64, tolerance float64) grid {
	left, right := domain(d, *from, times, tolerance)
	from.at = max(left, min(from.at, right))
	scale := 0.5 * math.Sqrt(times[0]*d.Variance(line.Of(from.at)))
	if from.start != nil {
		scale = from.start.Scale
	}
	middle, low, high := inverseSinhMap(from.at), inverseSinhMap(left), inverseSinhMap(right)
	const narrowest = 0x1p-40 // for times so short that u changes by less than rounding errors
	width := max(min(coarsestWidth, scale, 1.5/math.Sqrt(float64(d.Dim))), (high-low)/mostNodes,
		narrowest*max(1, math.Abs(middle)))
	below, above := int(math.Ceil((middle-low)/width))+1, int(math.Ceil((high-middle)/width))+1
	g := grid{first: middle - float64(float64(below)*width), width: width, nodes: below + 1 + above,
		middle: below}
	g.absorbs.left, g.absorbs.right = d.Minus.Attracting, d.Plus.Attracting
	return g
}

// domain returns the walls, in u = atanh z, of the domain of the Fokker-Planck equation.
func domain(d *line.Diffusion, from source, times []float64, tolerance float64) (left, right float64) {
	horizon := times[len(times)-1]
	low, high := from.support()
	right = outerWall(d, high, 1, d.Plus, horizon, tolerance)
	if d.Minus.Enterable {
		left = low - 1 - displacementBound(d, low, -1, horizon)
		return max(wallNearMinusOne(d, low, times[0], tolerance), left), right
	}
	return outerWall(d, low, -1, d.Minus, horizon, tolerance), right
}

// outerWall returns where the domain ends on one side of u: either at a point that the overlap does not
// reach, or at a point beyond the asymptote, beyond which the slope h' is constant. Beyond the asymptote, the
// law falls like exp(-|slope|·distance) near an end that does not attract; near an end that attracts, the
// probability to return to the asymptote falls like exp(-|slope|·distance). The domain ends where the law, or
// the probability to return, is negligible.
func outerWall(d *line.Diffusion, u, side float64, last line.End, horizon, tolerance float64) float64 {
	outside := asymptote + 1.0
	if !last.Attracting {
		outside = max(outside, float64(side*u)+1)
	}
	margin := elementary.Log(1e4/tolerance) / math.Abs(last.Slope)
	return side * min(float64(side*u)+displacementBound(d, u, side, horizon), outside+margin)
}

// displacementBound returns the distance by which drift and nine standard deviations of the noise can take
// atanh Z from u to one side within the time horizon. The drift and the variance are the greatest values up
// to the asymptote, where both reach their limits.
func displacementBound(d *line.Diffusion, u, side, horizon float64) float64 {
	const parts = 64
	step := (float64(side*max(float64(side*u), asymptote)) - u) / parts
	variance, drift := 0.0, 0.0
	for i := range parts + 1 {
		at := line.Of(u + float64(float64(i)*step))
		v := d.Variance(at)
		variance = max(variance, v)
		drift = max(drift, float64(0.5*side*v*d.Slope(at)))
	}
	return float64(drift*horizon) + float64(9*math.Sqrt(variance)*math.Sqrt(horizon))
}

// wallNearMinusOne returns where the domain ends near an end -1 that is an entrance or reflects. Near this
// end, 1+Z behaves like a squared Bessel process. At the first requested time, the probability that the
// overlap lies beyond the wall is below the tolerance.
func wallNearMinusOne(d *line.Diffusion, u, first, tolerance float64) float64 {
	asymptotic := line.Asymptote - d.Minus.Reach
	early := max(asymptotic-30, 0.5*elementary.Log(min(1, first*d.Minus.Drift)))
	return min(max(u, -d.Minus.Reach), early, asymptotic, -asymptote) - 1 -
		elementary.Log(10/tolerance)/float64(d.Dim-1)
}
