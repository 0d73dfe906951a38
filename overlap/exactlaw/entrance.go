package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// entranceRows are the rows from which those between them are interpolated, where unequal clusters are almost
// antipodal and the noise of a layer hides where they were. The law of a step is an even and analytic
// function of |X¹+X²|/|X¹-X²| = e^u there, and so a polynomial in e^(2u), to some 1e-11.
type entranceRows struct {
	states []int     // from right to left
	at     []float64 // e^(2u) of the states, that of the first being 1
	rows   []span
}

// entranceDegree is that of the polynomial.
const entranceDegree = 12

// entranceRows computes these rows; there are none if masses are equal, or few states are to the left.
func (l *lattice) entranceRows(c *clusters, states int, direct func(i int) span) *entranceRows {
	var n entranceRows
	if c.m1 == c.m2 {
		return &n
	}
	const enough = 0.25 // of the variance of S'/|S| that grows towards the entrance
	usual, _, _, _ := c.covariance(c.flat())
	first := 0
	for ; first < states; first++ {
		if n11, _, _, _ := c.covariance(l.at(first)); n11-usual < enough {
			break
		}
	}
	if first < 2*entranceDegree {
		return &n
	}
	last := first + 1
	for k := range entranceDegree + 1 { // near the points of Chebyshev
		_, cosine := elementary.SinCos(math.Pi * float64(k) / entranceDegree)
		i := l.limit()
		if at := 0.5 * (1 + cosine); k < entranceDegree {
			i = first + int(math.Round(0.5*elementary.Log(at)/l.width))
		}
		i = min(i, last-1)
		last = i
		n.states = append(n.states, i)
		n.at = append(n.at, l.square(i, first))
		n.rows = append(n.rows, direct(i))
	}
	return &n
}

// limit is a state so far beyond the left end that no layer tells it from an overlap of -1.
func (l *lattice) limit() int { return -int(18 / l.width) } // e^(2u) falls to 2e-16

// square returns e^(2u) of a state relative to another.
func (l *lattice) square(i, to int) float64 { return elementary.Exp(2 * l.width * float64(i-to)) }

// row returns the row of a state.
func (n *entranceRows) row(i int, l *lattice, direct func(i int) span) span {
	if len(n.states) == 0 || i > n.states[0] {
		return direct(i)
	}
	at := l.square(i, n.states[0])
	weights := make([]float64, len(n.states))
	low, high := math.MaxInt, math.MinInt
	for k, state := range n.states {
		if state == i {
			return n.rows[k].clone()
		}
		weights[k] = 1
		for j, x := range n.at {
			if j != k {
				weights[k] *= (at - x) / (n.at[k] - x)
			}
		}
		r := n.rows[k]
		low, high = min(low, r.first), max(high, r.first+len(r.p))
	}
	sum := span{low, make([]float64, high-low)}
	for k, r := range n.rows {
		addTo(sum.p[r.first-low:], weights[k], r.p)
	}
	return sum
}

// clone copies the row.
func (r span) clone() span {
	r.p = append([]float64(nil), r.p...)
	return r
}
