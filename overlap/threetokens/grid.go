package threetokens

import (
	"math"

	"antipode/sphere/elementary"
)

// A resolution determines the fineness and extent of a grid of the coordinates (q, y, x) of three tokens.
type resolution struct {
	closeness int     // number of Gauss-Lobatto nodes of q
	across    int     // number of Gauss nodes of x
	width     float64 // width of the cells of y
	length    float64 // length of the range of q
	top       float64 // greatest logarithm of r = cot(ω/2)
	steps     int     // number of steps in time of equal length, before longer steps
}

// A grid has nodes (y_j, q_i, x_k) in the coordinates of three tokens, with y_j = (j+½)·width, and q_i from
// -length to 0. At q_0 = -length the first two tokens have merged.
type grid struct {
	tokens
	height
	resolution
	stretch
	rows    int
	s, q    []float64
	weightQ []float64
	dq      [][]float64 // matrix of the derivative d/dq
	x       []float64
	weightX []float64
	shareX  []float64   // shares of the starting mass of independent tokens
	dx      [][]float64 // matrix of the derivative d/dx
	mirror  [][]float64 // for the two rows nearest to r = 0, by row, q and x; see reflections
	place   []place     // by row, q and x; unmerged tokens also at the first q
	motion  []motion    // motion of (q, y, x)
	line    []motion    // motion of y for merged tokens, by row
}

// crowding/(d-1) is the length of the range of q below 0 in which the nodes of q are dense. The density of q
// for uniform tokens is proportional to e^((d-1)q/2).
const crowding = 30

// narrow reports whether densities are narrow, like those of uniform tokens in high dimension, whose overlaps
// are of the order 1/√dim.
func narrow(dim int) bool { return dim >= 20 }

// newGrid returns the grid for three tokens with the given resolution and height.
func newGrid(t tokens, n resolution, h height) *grid {
	if t.dim == 2 {
		n.across = 1
	}
	g := &grid{tokens: t, height: h, resolution: n}
	g.rows = int(math.Ceil(h.of(elementary.Exp(n.top)) / n.width))
	g.stretch = newStretch(n.length, crowding/float64(t.dim-1))
	g.s, g.weightQ = lobatto(n.closeness)
	g.dq = differentiation(g.s)
	for i, s := range g.s {
		slope := g.slope(s)
		g.q = append(g.q, g.stretch.at(s))
		g.weightQ[i] *= slope
		for k := range g.dq[i] {
			g.dq[i][k] /= slope
		}
	}
	g.x, g.weightX = halfRange(n.across)
	if t.dim == 2 { // in two dimensions all tokens lie in a plane
		g.x, g.weightX = []float64{1}, []float64{1}
	}
	g.shareX = shares(g.x, t.dim)
	g.dx = differentiation(g.x)
	for j := range g.rows {
		r := g.ratio((float64(j) + 0.5) * n.width)
		y := g.jet(r)
		for _, q := range g.q {
			for _, x := range g.x {
				p := placeOf(alphaAt(q, r, x), r, x)
				g.place = append(g.place, p)
				g.motion = append(g.motion, t.motion(p).coordinates(p.closeness(), y))
			}
		}
		const merged = 1e-9
		g.line = append(g.line, t.motion(placeOf(merged, r, g.x[0])).coordinates(jet{}, y))
	}
	g.reflections()
	return g
}

// node returns the index of the node (y_j, q_i, x_k) in place and motion.
func (g *grid) node(j, i, k int) int { return (j*g.closeness+i)*len(g.x) + k }

// state returns the index of the state (q_i, x_k) within a row of the grid: 0 if the first two tokens have
// merged.
func (g *grid) state(i, k int) int {
	if i == 0 {
		return 0
	}
	return 1 + (i-1)*len(g.x) + k
}

func (g *grid) size() int { return 1 + (g.closeness-1)*len(g.x) }

// reflections computes g.mirror, weights for the first two rows: with the weights of a node, the values of a
// function at all q_i give the value at the mirror image of the node beyond r = 0. At the mirror image the
// third token lies on the other side of -m, which is equivalent to an exchange of the first two tokens, and
// changes q = log m12/m13.
func (g *grid) reflections() {
	for j := range 2 {
		r := g.ratio((float64(j) + 0.5) * g.width)
		for i, q := range g.q {
			for _, x := range g.x {
				w := make([]float64, len(g.q))
				w[0] = 1
				if i > 0 {
					w = g.interpolation(placeOf(alphaAt(q, r, -x), r, x).closenessValue())
				}
				g.mirror = append(g.mirror, w)
			}
		}
	}
}

// interpolation returns the weights with which the values of a function at all nodes q_i give the interpolant
// at q.
func (g *grid) interpolation(q float64) []float64 {
	at := g.inverse(q)
	w := make([]float64, len(g.s))
	for i := range g.s {
		w[i] = 1
		for j := range g.s {
			if i != j {
				w[i] *= (at - g.s[j]) / (g.s[i] - g.s[j])
			}
		}
	}
	return w
}

// start returns the masses of the states for three independent uniform tokens. The half angle α of the first
// two tokens has the density 2 sin^(d-2)(2α), ω has a density proportional to sin^(d-2) ω, and x is
// independent of α and ω; each of three pairs of tokens may be the closest. As the density grows like y^(d-2)
// from y = 0, the sum over rows is corrected in the first row by -ζ(2-d, ½) 2^(d-2) (Euler-Maclaurin), which
// matters for d = 3 and 5.
func (g *grid) start() []float64 {
	mass := make([]float64, g.rows*g.size())
	c := elementary.Exp(lgamma(0.5*float64(g.dim))-lgamma(0.5*float64(g.dim-1))) / math.Sqrt(math.Pi)
	power := float64(g.dim - 2)
	correction := map[int]float64{3: 1 - 1.0/12, 5: 1 + 7.0/120}[g.dim]
	for j := range g.rows {
		r := g.ratio((float64(j) + 0.5) * g.width)
		slope := math.Abs(g.jet(r).first[1])
		for i := range g.q {
			for k := range g.x {
				p := g.place[g.node(j, i, k)]
				density := 6 * c * c * math.Pow(2*p.sinAlpha*p.cosAlpha*p.sinOmega, power) /
					(p.closeness().first[0] * slope) * g.width * g.shareX[k]
				if j == 0 && correction > 0 {
					density *= correction
				}
				mass[j*g.size()+g.state(i, k)] += float64(density * g.weightQ[i])
				if i == 0 { // the density below the least q falls like e^((d-1)q/2)
					mass[j*g.size()] += density * 2 / float64(g.dim-1)
				}
			}
		}
	}
	return mass
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}
