package exactlaw

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// clusters is the solver for recursion (4) of two clusters, or for recursion (7) with an MLP.
type clusters struct {
	dim       int
	beta      float64
	attention overlap.Attention
	depth     int
	scale     float64 // σ/√L, the noise of a layer
	m1, m2    float64 // masses of the clusters, whose sum is 1
	table     *densityTable
	mlp       *feedforward // the MLP of a layer; nil for attention alone
	sequence  bool         // whether the MLP is a separate step after attention
	scalars   *scalars     // the scalar w of recursion (7), or the mean of the value matrix; or nil
}

// sublayers returns the successive steps of a layer (attention, then an MLP that follows attention), as
// recursions whose layers are single steps.
func (c *clusters) sublayers() []*clusters {
	if !c.sequence || c.scale == 0 {
		return []*clusters{c}
	}
	attention, mlp := *c, *c
	attention.mlp, attention.sequence = nil, false
	mlp.scale, mlp.m1, mlp.m2, mlp.sequence, mlp.scalars = 0, 0.5, 0.5, false, nil
	return []*clusters{&attention, &mlp}
}

// feedforward is an MLP of infinite width. The MLP adds Gaussian noise of variance c/L to each coordinate of
// the tokens, with correlation φ̂ between two tokens.
type feedforward struct {
	strength    float64 // c/L for the strength c
	correlation *activation.Correlation
}

// covariance returns the variances c/L (1±φ̂)/(1±z) that the MLP adds to the diagonal of the noise covariance
// N of the package comment.
func (f *feedforward) covariance(u float64) (n11, n22 float64) {
	own, shared := f.correlation.Shares(u)
	return float64(f.strength * (own + shared)), float64(f.strength * (own - shared))
}

// hasEntrance reports whether two clusters do not stay antipodal.
func (c *clusters) hasEntrance() bool {
	return c.m1 != c.m2 || c.mlp != nil && !c.mlp.correlation.Odd()
}

// weights returns the matrix σ/√L·B of the package comment at u = atanh z.
func (c *clusters) weights(u float64) (b11, b12, b21, b22 float64) {
	at := line.Of(u)
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	lost := -elementary.Expm1(-float64(c.beta * at.Below)) // 1 - ratio
	e, difference := elementary.Exp(u), c.m1-c.m2
	if c.attention == overlap.Softmax {
		product := (c.m1 + float64(c.m2*ratio)) * (c.m2 + float64(c.m1*ratio))
		b11, b12 = 1, ratio*difference/product/e
		b22 = c.m1 * c.m2 * lost * (1 + ratio) / product
	} else {
		half := 0.5 * elementary.Exp(c.beta)
		b11, b12 = half*(1+ratio), half*difference*(1+ratio)/e
		b21, b22 = half*difference*lost*e, half*lost
	}
	return b11 * c.scale, b12 * c.scale, b21 * c.scale, b22 * c.scale
}

// covariance returns the noise covariance N of the package comment at u = atanh z, and det N.
func (c *clusters) covariance(u float64) (n11, n12, n22, det float64) {
	b11, b12, b21, b22 := c.weights(u)
	n11, n12 = float64(b11*b11)+float64(b12*b12), float64(b11*b21)+float64(b12*b22)
	n22 = float64(b21*b21) + float64(b22*b22)
	root := float64(b11*b22) - float64(b12*b21)
	det = float64(root * root)
	if c.mlp != nil {
		more11, more22 := c.mlp.covariance(u)
		det += float64(n11*more22) + float64(n22*more11) + float64(more11*more22)
		n11, n22 = n11+more11, n22+more22
	}
	return n11, n12, n22, det
}

// layer returns the law of a step of the chain from u, with the given effort, for a layer that is a single
// step.
func (c *clusters) layer(u float64, effort effort) *layer {
	n11, n12, n22, det := c.covariance(u)
	noise, _, _, _ := c.covariance(0)
	return c.gaussian(u, n11, n12, n22, det, noise, effort)
}

// gaussian returns the law of a step of the chain from u with the noise covariance N, given det N and the
// value noise of n11 at overlap 0.
func (c *clusters) gaussian(u, n11, n12, n22, det, noise float64, effort effort) *layer {
	e := elementary.Exp(u)
	l := &layer{table: c.table, n11: n11, n12: n12, n22: n22, det: det, e: e, inverse: 1 / e}
	l.trace11 = float64(n22*n22) + float64(n12*n12)
	l.trace22 = float64(n11*n11) + float64(n12*n12)
	l.trace12 = float64(2 * n12 * (n11 + n22))
	l.scaledDet = float64(4 * c.table.scale * det)
	half := 0.5 * (n11 - n22)
	greatest := float64(0.5*(n11+n22)) + math.Sqrt(float64(half*half)+float64(n12*n12)) // eigenvalue of N
	l.unimodal = greatest < weakNoise || c.dim >= manyDimensions
	l.strongNoise = noise > 0.3 && float64(n12*n12) > float64(0.5*n11*n22)
	l.cosh = 0.5 * (e + l.inverse)
	l.levels = sumLevels
	for ; noise > 1 && l.levels < mostLevels; noise *= 0.25 {
		l.levels++
	}
	l.step = firstStep * min(l.deviation(), greatestNodeDeviation) / float64(int(1)<<l.levels)
	l.negligible = effort.negligible
	return l
}

// greatestDeviation caps the standard deviation of a step that determines the lattice width. Sums over a
// wider lattice would not converge, as densities of a step are analytic only in a strip of the complex plane.
const greatestDeviation = 0.25

// A layer is the law of the step u'-u that a layer of recursion (4) takes from one u = atanh z.
type layer struct {
	table                     *densityTable
	n11, n12, n22, det        float64
	unimodal                  bool    // whether the density of a step has a single maximum
	strongNoise               bool    // whether strong noise turns both vectors the same way
	levels                    int     // levels of refinement of sums over nodes
	trace11, trace12, trace22 float64 // entries of adj(N)²
	scaledDet                 float64 // (8+2d) det N
	e, inverse, cosh          float64 // e^u, e^-u, cosh u
	step                      float64 // step of t between nodes
	negligible                float64 // densities below this fraction of the greatest are omitted
	top                       float64 // approximately the logarithm of the greatest density
	nodes                     []node  // computed quadrature nodes, from t = 0
	offset                    float64 // offset of u from a point of the lattice
	derivative                *layerDerivative
}

// A node is a quadrature node of the integral over ξ = log|X¹'|/|X²'|: a value of sinh(t/2), where sinh(ξ/2)
// = sinh(t/2)/cosh u', and the weight cosh(t/2) dt.
type node struct{ sinh, weight float64 }

// deviation estimates the standard deviation of the step u'-u.
func (l *layer) deviation() float64 {
	return 1 / math.Sqrt(1/(l.n11+l.n22)+l.table.dim)
}

// node returns quadrature node k, at t = bend·sinh(x/bend) with x = k·step.
func (l *layer) node(k int) node {
	const bend = 3
	at := max(k, -k)
	if at >= len(l.nodes) {
		l.nodes = append(l.nodes, make([]node, at+1-len(l.nodes))...)
	}
	n := l.nodes[at]
	if n.weight == 0 {
		e := elementary.Exp(float64(l.step*float64(at)) / bend)
		half := elementary.Exp(float64(0.25 * bend * (e - 1/e)))
		n = node{0.5 * (half - 1/half), 0.25 * (e + 1/e) * (half + 1/half)}
		l.nodes[at] = n
	}
	if k < 0 {
		n.sinh = -n.sinh
	}
	return n
}

// shapeDensity returns the density of the shape W = [a, b; b, c] of two tokens after a layer, divided by
// about the greatest density, up to a constant. The argument distance is ½Q(tr W-2).
func (l *layer) shapeDensity(a, c, b, distance float64) float64 {
	if l.table.dim == 2 {
		return l.planarPrefactor(l.quotient(a, c, b), l.trace(a, c, b)) * elementary.Exp(-l.top-distance)
	}
	return elementary.Exp(l.logPrefactor(a, c, b) - l.top - distance)
}

// logPrefactor returns the logarithm of the density of the shape W = [a, b; b, c], without the factor
// exp(-½Q(tr W-2)).
func (l *layer) logPrefactor(a, c, b float64) float64 {
	return l.logPrefactorOf(l.quotient(a, c, b), l.trace(a, c, b))
}

// logPrefactorOf returns logPrefactor as a function of Q and trace = tr(adj(N)² W).
func (l *layer) logPrefactorOf(q, trace float64) float64 {
	f := l.table
	if f.dim == 2 {
		return elementary.Log(l.planarPrefactor(q, trace))
	}
	w := math.Inf(1)
	if l.det > 0 {
		w = max(0, q*(trace/l.det-2))
	}
	long := float64(q*(trace+float64(2*l.det))) + l.scaledDet
	size := float64(q * q * long)
	return elementary.Log(size) + float64(0.5*(f.dim-2)*elementary.Log(size/(1+q/f.scale))) + f.at(q, w)
}

// planarPrefactor returns the exponential of logPrefactor in two dimensions, in which the function H of the
// package comment is the sum of (1+x)exp(x) at x = ½B² and x = ½B²-2Q.
func (l *layer) planarPrefactor(q, trace float64) float64 {
	sum := l.det + float64(0.5*q*(trace+float64(2*l.det)))
	if q < 20 { // for greater q, exp(-2q) is below exp(-40)
		sum += float64((l.det + float64(0.5*q*max(0, trace-float64(2*l.det)))) * elementary.Exp(-2*q))
	}
	return q * q * sum
}

// trace returns tr(adj(N)² W) for the noise covariance N and the shape W = [a, b; b, c].
func (l *layer) trace(a, c, b float64) float64 {
	return float64(l.trace11*a) + float64(l.trace22*c) - float64(l.trace12*b)
}

// quotient returns Q = 1/tr(adj(N) W) for the noise covariance N and the shape W = [a, b; b, c].
func (l *layer) quotient(a, c, b float64) float64 {
	return 1 / (float64(l.n22*a) + float64(l.n11*c) - float64(2*l.n12*b))
}

// An integrand is the density of the shape W after a layer as a function of ξ = log|X¹'|/|X²'|, for a given
// u'. The integral of this density over ξ is the density of u'.
type integrand struct {
	*layer
	e, inverse   float64 // e^(u'-u) and e^(u-u')
	square, sech float64 // sinh²(½(u'-u)), 1/cosh u'
}

func (l *layer) integrand(delta float64) integrand {
	half := elementary.Exp(0.5 * delta)
	e, sinh := half*half, 0.5*(half-1/half)
	return integrand{l, e, 1 / e, sinh * sinh, 2 / (float64(l.e*e) + 1/(l.e*e))}
}

// term returns the density of the shape at node k times the weight of the node.
func (c integrand) term(k int) float64 {
	factor, over, under, b, apart := c.shape(c.node(k))
	distance := float64(2 * c.quotient(over, under, b) * apart)
	term := factor * c.shapeDensity(over, under, b, distance)
	if c.derivative != nil {
		c.derivative.add(k, term, c.logDerivative(over, under, distance))
	}
	return term
}

// shape returns the entries of the shape matrix W = [over, b; b, under] at a node, the factor by which the
// density of the shape is multiplied in the integral over t, and apart = ¼(tr W-2).
func (c integrand) shape(n node) (factor, over, under, b, apart float64) {
	square := float64(n.sinh * n.sinh)
	root := math.Sqrt(1 + float64(square*c.sech*c.sech)) // cosh(ξ/2)
	far := 2 * square * c.sech
	over, under, b = c.e+float64(far/c.layer.e), c.inverse+float64(far*c.layer.e), 2*n.sinh*root
	return n.weight / root, over, under, b, c.square + float64(square*c.sech*c.cosh)
}

const (
	// firstStep is the distance between the nodes of the first sum over t, in standard deviations of a step.
	firstStep = 2
	// greatestNodeDeviation caps the standard deviation of a step that determines the distance between nodes.
	greatestNodeDeviation = 0.45
	// sumLevels is the number of times that the distance between nodes can be halved. For strong noise, up to
	// mostLevels halvings are possible: strong noise may turn both clusters the same way, and for a given u'
	// the ratio of the two lengths, and so t, is nearly certain.
	sumLevels, mostLevels = 5, 8
)

// density returns the density of the step delta = u'-u, up to a factor. The integral over t is computed by
// the trapezoidal rule on nodes whose distance is halved repeatedly. The trapezoidal rule converges
// geometrically: each halving reduces a relative error to at most its square. The error before a halving is
// estimated by the change due to the halving. As the change due to a halving may be small by chance, the
// estimate is at least the cube of the previous change. Terms of the sum below least are omitted.
func (l *layer) density(delta, least float64) float64 {
	c := l.integrand(delta)
	if l.derivative != nil {
		l.derivative.sum = 0
	}
	sum := c.term(0)
	coarsest := 1 << l.levels
	floor := max(least, 0.01*l.negligible*sum) * 1.6 / float64(coarsest)
	sides := []side{{integrand: c, sign: 1}, {integrand: c, sign: -1}}
	double := 1.0
	if l.n12 == 0 { // sides t > 0 and t < 0 are equal
		sides, double = sides[:1], 2
	}
	for k := range sides {
		sum += float64(double * sides[k].sumOutwards(coarsest, floor))
	}
	value, before := float64(coarsest)*sum, 0.1
	for stride := coarsest / 2; stride >= 1; stride /= 2 {
		for k := range sides {
			sum += float64(double * sides[k].sumMidpoints(stride, floor))
		}
		last := value
		value = float64(float64(stride) * sum)
		change := math.Abs(value-last) / value
		likely := max(change, float64(before*before*before))
		if float64(10*likely*likely*value) < least {
			break
		}
		before = change
	}
	if l.derivative != nil {
		l.derivative.logDerivative = l.derivative.sum / sum
	}
	return value
}

// A side is the set of the nodes of an integrand with t > 0, for sign 1, or with t < 0, for sign -1.
type side struct {
	integrand
	sign int
	end  int // index after the last node that is not negligible
}

// sumOutwards returns the sum over the nodes coarsest, 2·coarsest, ... from t = 0 outwards, until terms are
// below floor, and sets s.end.
func (s *side) sumOutwards(coarsest int, floor float64) float64 {
	s.end = coarsest
	sum, last := 0.0, 0.0
	for k := coarsest; ; k += coarsest {
		term := s.term(s.sign * k)
		sum += term
		if term >= floor {
			s.end = k + coarsest
		} else if term <= last && (s.unimodal || s.negligibleBeyond(s.node(k))) {
			return sum
		}
		last = term
	}
}

// sumMidpoints returns the sum over the nodes up to s.end whose indices are odd multiples of stride, and
// reduces s.end if possible.
func (s *side) sumMidpoints(stride int, floor float64) float64 {
	sum, far := 0.0, s.end-2*stride
	for k := stride; k < s.end; k += 2 * stride {
		term := s.term(s.sign * k)
		sum += term
		if term >= floor {
			far = max(far, k)
		}
	}
	s.end = far + stride
	return sum
}

// weakNoise is the largest variance n of the noise of a layer, in any direction, for which a second maximum
// of the density of the shape is negligible. At the second maximum the two vectors S' and D' are nearly
// parallel after the layer. The second maximum is wide, and its height is exp(-1/2n), the density of noise
// that turns one vector into the direction of the other vector.
const weakNoise = 1.0 / 38 // exp(-19), times the small probability of coming near

// manyDimensions is the dimension from which the density of the shape has no second maximum, whatever the
// noise. In high dimension d, vectors S' and D' are rarely nearly parallel: the density of ξ at the second
// maximum is cosh(ξ)^-d, as for noise alone.
const manyDimensions = 64

// negligibleBeyond reports whether the density of the shape is negligible at a node and at all nodes further
// from t = 0.
func (c integrand) negligibleBeyond(n node) bool {
	return n.sinh*n.sinh*c.sech*c.sech > 1e14 || math.Abs(n.sinh) > 1e12
}
