package exactlaw

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// clusters is recursion (4) for two clusters.
type clusters struct {
	dim       int
	beta      float64
	attention overlap.Attention
	scale     float64 // σ/√L
	m1, m2    float64 // masses, of sum 1
	factors   *shapeFactors
}

// covariance returns the matrix N of the package comment at an overlap, and det N.
func (c *clusters) covariance(u float64) (n11, n12, n22, det float64) {
	at := line.Of(u)
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	lost := -elementary.Expm1(-float64(c.beta * at.Below)) // 1 - ratio
	e, difference := elementary.Exp(u), c.m1-c.m2
	var b11, b12, b21, b22 float64
	if c.attention == overlap.Softmax {
		product := (c.m1 + float64(c.m2*ratio)) * (c.m2 + float64(c.m1*ratio))
		b11, b12 = 1, ratio*difference/product/e
		b22 = c.m1 * c.m2 * lost * (1 + ratio) / product
	} else {
		half := 0.5 * elementary.Exp(c.beta)
		b11, b12 = half*(1+ratio), half*difference*(1+ratio)/e
		b21, b22 = half*difference*lost*e, half*lost
	}
	b11, b12, b21, b22 = b11*c.scale, b12*c.scale, b21*c.scale, b22*c.scale
	root := float64(b11*b22) - float64(b12*b21)
	return float64(b11*b11) + float64(b12*b12), float64(b11*b21) + float64(b12*b22),
		float64(b21*b21) + float64(b22*b22), root * root
}

// layer returns the law of a step from u, with some effort.
func (c *clusters) layer(u float64, effort effort) *layer {
	n11, n12, n22, det := c.covariance(u)
	e := elementary.Exp(u)
	l := &layer{factors: c.factors, n11: n11, n12: n12, n22: n22, det: det, e: e, inverse: 1 / e}
	l.trace11 = float64(n22*n22) + float64(n12*n12)
	l.trace22 = float64(n11*n11) + float64(n12*n12)
	l.trace12 = float64(2 * n12 * (n11 + n22))
	l.least = float64(4 * c.factors.scale * det)
	half := 0.5 * (n11 - n22)
	l.greatest = float64(0.5*(n11+n22)) + math.Sqrt(float64(half*half)+float64(n12*n12))
	l.cosh = 0.5 * (e + l.inverse)
	l.step = effort.resolution * min(l.deviation(), widest)
	l.negligible = effort.negligible
	return l
}

// widest is what a deviation is taken for at most: densities are analytic in a strip only.
const widest = 0.25

// A layer is the law of the step from an overlap.
type layer struct {
	factors                   *shapeFactors
	n11, n12, n22, det        float64
	greatest                  float64 // eigenvalue of N
	trace11, trace12, trace22 float64 // of adj(N)²
	least                     float64
	e, inverse, cosh          float64   // e^u, e^-u, cosh u
	step                      float64   // of t
	negligible                float64   // the part of the greatest density that is left out
	top                       float64   // about the greatest exponent
	nodes                     [2][]node // to both sides of t = 0
}

// A node is a value of sinh(t/2), where sinh(ξ/2) = sinh(t/2)/cosh u', and the weight cosh(t/2) dt.
type node struct{ sinh, weight float64 }

// deviation is about that of a step.
func (l *layer) deviation() float64 {
	return 1 / math.Sqrt(1/(l.n11+l.n22)+l.factors.dim)
}

// node returns node k on a side: t = bend·sinh(x/bend), x = ±k·step.
func (l *layer) node(side, k int) node {
	const bend = 4
	for len(l.nodes[side]) <= k {
		e := elementary.Exp(float64(l.step*float64(len(l.nodes[side]))) / bend)
		half := elementary.Exp(float64(0.25 * bend * (e - 1/e)))
		n := node{0.5 * (half - 1/half), 0.25 * (e + 1/e) * (half + 1/half)}
		if side == 1 {
			n.sinh = -n.sinh
		}
		l.nodes[side] = append(l.nodes[side], n)
	}
	return l.nodes[side][k]
}

// exponent is the logarithm of the density of a shape, but for a constant and for -½Q(tr W-2).
func (l *layer) exponent(a, c, b float64) float64 {
	f := l.factors
	q := l.quotient(a, c, b)
	trace := float64(l.trace11*a) + float64(l.trace22*c) - float64(l.trace12*b)
	w := math.Inf(1)
	if l.det > 0 {
		w = max(0, q*(trace/l.det-2))
	}
	long := float64(q*(trace+float64(2*l.det))) + l.least
	logarithm := elementary.Log1p(q / f.scale)
	return float64(0.5*f.dim*elementary.Log(q*q*long)) - float64(0.5*(f.dim-2)*logarithm) +
		f.at(q, w, logarithm)
}

// quotient is Q.
func (l *layer) quotient(a, c, b float64) float64 {
	return 1 / (float64(l.n22*a) + float64(l.n11*c) - float64(2*l.n12*b))
}

// density returns the density of the step δ = u'-u, up to a factor, from terms that are not below
// the least one.
func (l *layer) density(delta, least float64) float64 {
	half := elementary.Exp(0.5 * delta)
	e, sinh := half*half, 0.5*(half-1/half)
	sech := 2 / (float64(l.e*e) + 1/(l.e*e)) // 1/cosh u'
	value := func(n node) float64 {
		square := float64(n.sinh * n.sinh)
		root := math.Sqrt(1 + float64(square*sech*sech)) // cosh(ξ/2)
		far := 2 * square * sech
		a, c, b := e+float64(far*l.inverse), 1/e+float64(far*l.e), 2*n.sinh*root
		distance := float64(2 * l.quotient(a, c, b) * (float64(sinh*sinh) + float64(square*sech*l.cosh)))
		return n.weight / root * elementary.Exp(l.exponent(a, c, b)-l.top-distance)
	}
	sum := value(l.node(0, 0))
	for side := range 2 {
		last, part := 0.0, 0.0
		for k := 1; k > 0; k++ {
			term := value(l.node(side, k))
			part += term
			if floor := max(least, 0.01*l.negligible*(sum+part)); term <= last && term < floor {
				k = l.beyond(side, k, func(n node) bool { return value(n) > floor && n.sinh*n.sinh*sech*sech < farthest })
				term = 0
			}
			last = term
		}
		if l.n12 == 0 { // the other side is the same
			return sum + float64(2*part)
		}
		sum += part
	}
	return sum
}

// farthest is sinh²(ξ/2) beyond which there is hardly any density.
const farthest = 1e14

// beyond returns the node before those of a second maximum, at which the two vectors are nearly
// parallel after the layer, or -1. It has the density of noise that turns one into the direction of
// the other, exp(-1/2n) where n is the greatest variance of the noise, and is wide.
func (l *layer) beyond(side, k int, matters func(n node) bool) int {
	if l.greatest < 1.0/38 { // exp(-19), of the few paths that come near
		return -1
	}
	const stride = 4
	for j := k + stride; math.Abs(l.node(side, j).sinh) < 1e12; j += stride {
		if matters(l.node(side, j)) {
			return j - stride
		}
	}
	return -1
}
