package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// entranceRows are rows of the transition matrix from which the rows of other states near overlap -1 are
// interpolated, for clusters that do not stay antipodal. Near overlap -1 the noise of a layer is larger than
// |X¹+X²|, so that the next overlap hardly depends on the previous overlap. The law of a step is an even and
// analytic function of |X¹+X²|/|X¹-X²| = e^u. So near overlap -1 the law is a polynomial in e^(2u), up to
// about 1e-11.
type entranceRows struct {
	states  []int     // states of the rows, from right to left
	squares []float64 // e^(2u) of the states, relative to the first state
	rows    []span
}

// entranceDegree is the degree of the polynomial in e^(2u) that interpolates rows of the transition matrix
// near overlap -1.
const entranceDegree = 12

// entrancePoint returns the u below which the law of a step loses its dependence on u, for two clusters that
// do not stay antipodal. The entrance point is the smaller of two values: the u at which the noise of a layer
// is as large as |X¹+X²|, and the most probable u after a step from antipodal clusters.
func (c *clusters) entrancePoint() float64 {
	if all := c.sublayers(); len(all) > 1 {
		first := 0.0
		for _, sublayer := range all {
			if sublayer.hasEntrance() {
				first = min(first, sublayer.entrancePoint())
			}
		}
		return first
	}
	u := -1.0
	for ; u > -300; u -= 0.25 {
		_, b12, _, _ := c.weights(u)
		hidden := float64(b12 * b12)
		if c.mlp != nil {
			more, _ := c.mlp.covariance(u)
			hidden += more
		}
		if hidden > 1 {
			break
		}
	}
	const width = 0.2
	from := u - 12
	s := c.stepLaw(from, width, efforts[0])
	most := 0
	for k, p := range s.p {
		if p > s.p[most] {
			most = k
		}
	}
	return min(u, from+float64(width*float64(s.first+most)))
}

// entranceRows computes the rows from which the rows of the states to the left of the entrance point are
// interpolated. entranceRows returns no rows if few states lie to the left of the entrance point.
func (l *lattice) entranceRows(entrance float64, tolerance float64, direct func(i int) span) *entranceRows {
	for entrance += math.Ln2; ; entrance -= 0.25 {
		first := int((entrance - l.first) / l.width)
		if first < 2*entranceDegree {
			return &entranceRows{}
		}
		if n := l.entranceRowsTo(first, direct); n.agrees(l, tolerance, direct) {
			return n
		}
	}
}

// entranceRowsTo computes the rows from which the rows of the states to the left of the state first are
// interpolated.
func (l *lattice) entranceRowsTo(first int, direct func(i int) span) *entranceRows {
	var n entranceRows
	last := first + 1
	for k := range entranceDegree + 1 { // states near Chebyshev points of e^(2u)
		_, cosine := elementary.SinCos(math.Pi * float64(k) / entranceDegree)
		i := l.limitState()
		if at := 0.5 * (1 + cosine); k < entranceDegree {
			i = first + int(math.Round(0.5*elementary.Log(at)/l.width))
		}
		i = min(i, last-1)
		last = i
		n.states = append(n.states, i)
		n.squares = append(n.squares, l.relativeSquare(i, first))
		n.rows = append(n.rows, direct(i))
	}
	return &n
}

// agrees reports whether interpolated rows near overlap -1 agree with rows that direct computes, within
// tolerance times the greatest entry of the row.
func (n *entranceRows) agrees(l *lattice, tolerance float64, direct func(i int) span) bool {
	for k := entranceDegree / 2; k < entranceDegree; k += 2 {
		i := (n.states[k] + n.states[k+1]) / 2
		got, want := n.row(i, l, direct), direct(i)
		top := 0.0
		for _, p := range want.p {
			top = max(top, p)
		}
		for k, p := range got.p {
			if j := got.first + k - want.first; j >= 0 && j < len(want.p) {
				p -= want.p[j]
			}
			if math.Abs(p) > tolerance*top {
				return false
			}
		}
	}
	return true
}

// limitState returns a state so far beyond the left end of the lattice that no layer distinguishes the state
// from an overlap of -1.
func (l *lattice) limitState() int { return -int(18 / l.width) } // e^(2u) falls to 2e-16 over these states

// relativeSquare returns e^(2u) at state i, divided by e^(2u) at state to.
func (l *lattice) relativeSquare(i, to int) float64 {
	return elementary.Exp(2 * l.width * float64(i-to))
}

// row returns the row of state i of the transition matrix: interpolated if i lies to the left of n.states[0],
// and computed directly otherwise.
func (n *entranceRows) row(i int, l *lattice, direct func(i int) span) span {
	if len(n.states) == 0 || i > n.states[0] {
		return direct(i)
	}
	at := l.relativeSquare(i, n.states[0])
	weights := make([]float64, len(n.states))
	low, high := math.MaxInt, math.MinInt
	for k, state := range n.states {
		if state == i {
			return n.rows[k].clone()
		}
		weights[k] = 1
		for j, x := range n.squares {
			if j != k {
				weights[k] *= (at - x) / (n.squares[k] - x)
			}
		}
		r := n.rows[k]
		low, high = min(low, r.first), max(high, r.first+len(r.p))
	}
	sum := span{low, make([]float64, high-low)}
	for k, r := range n.rows {
		addMultiple(sum.p[r.first-low:], weights[k], r.p)
	}
	return sum
}

// clone returns a copy of the row.
func (r span) clone() span {
	r.p = append([]float64(nil), r.p...)
	return r
}
