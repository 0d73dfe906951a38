package exactlaw

import (
	"errors"
	"math"
)

// scalars holds values and probabilities of the random scalar w of recursion (7), as nodes and weights of a
// quadrature rule.
type scalars struct {
	model                 *hybrid
	values, probabilities []float64
}

// mostTransitions limits the number of lattice states times the number of values of the scalar, and so the
// computing time.
const mostTransitions = 60_000

var errTurns = errors.New("exactlaw: the law is not available: with an MLP, a layer of the hybrid " +
	"model must not turn a token around")

// clusters returns recursion (7) as a solver to which an MLP can be added; without an MLP, this solver has no
// Gaussian noise.
func (h *hybrid) clusters() (c clusters, err error) {
	if !(1+h.leastIncrement() > 0) {
		return c, errTurns
	}
	return clusters{
		dim: h.dim, beta: h.beta, attention: h.attention, depth: int(math.Round(1 / h.drift)), m1: 0.5,
		m2: 0.5, table: densityTables.At(h.dim), scalars: &scalars{model: h},
	}, nil
}

// withScalars returns the recursion with enough quadrature nodes of the scalar for a lattice of u of the
// given width. As the lattice resolves the law of a layer, this law is a smooth function of the scalar as
// well.
func (c *clusters) withScalars(width float64) *clusters {
	if c.scalars == nil {
		return c
	}
	const effort = 4
	with, s := *c, *c.scalars
	if s.model.noise == 0 && c.scale > 0 { // the scalar is the mean of a value matrix
		s.values, s.probabilities = []float64{s.model.drift}, []float64{1}
	} else {
		s.values, s.probabilities = s.model.scalars(effort, width)
	}
	with.scalars = &s
	return &with
}

// givenScalar expresses the law of a step from u with scalar w as the law of a step without the scalar from
// another position, next. Attention multiplies X¹±X² by 1+w(p±q). Division of the two vectors by 1+w(p±q)
// makes their means orthonormal again, and divides the noise by the same factors. If the MLP follows
// attention, the noise is that of the MLP at next.
func (c *clusters) givenScalar(u, w float64, e effort) (l *layer, next float64) {
	next, _ = c.scalars.model.step(u, w)
	if c.sequence {
		n11, n12, n22, det := c.covariance(next)
		noise, _, _, _ := c.covariance(0)
		return c.gaussian(next, n11, n12, n22, det, noise, e), next
	}
	n11, n12, n22, _ := c.covariance(u)
	noise, _, _, _ := c.covariance(0)
	a := c.scalars.model.weights(u)
	sum, difference := 1+float64(w*a.sum), 1+float64(w*a.difference)
	n11, n22 = n11/float64(sum*sum), n22/float64(difference*difference)
	noise /= min(float64(sum*sum), float64(difference*difference))
	return c.gaussian(next, n11, n12, n22, float64(n11*n22), noise, e), next
}

// deviation estimates the standard deviation of a step of the chain from u, or, for a recursion with a
// scalar, the least standard deviation given the value of the scalar.
func (c *clusters) deviation(u float64, e effort) float64 {
	if c.scalars == nil {
		return c.layer(u, e).deviation()
	}
	h, least := c.scalars.model, math.Inf(1)
	edge := min(7, h.law.Largest())
	for _, v := range []float64{-edge, edge} {
		l, _ := c.givenScalar(u, math.FMA(h.noise, v, h.drift), e)
		least = min(least, l.deviation())
	}
	return least
}

// stepLaw returns the law of a step of the chain from u, up to a factor, on a lattice of the given width that
// contains u.
func (c *clusters) stepLaw(u, width float64, e effort) span {
	if c.scalars == nil {
		return c.layer(u, e).stepLaw(width)
	}
	laws := make([]span, len(c.scalars.values))
	low, high := math.MaxInt, math.MinInt
	for k, w := range c.scalars.values {
		l, next := c.givenScalar(u, w, e)
		distance := next - u
		points := math.Round(distance / width)
		l.offset = distance - float64(points*width)
		s := l.stepLaw(width)
		s.first += int(points)
		scaleToSum(c.scalars.probabilities[k], s.p)
		laws[k] = s
		low, high = min(low, s.first), max(high, s.first+len(s.p))
	}
	sum := span{low, make([]float64, high-low)}
	for _, s := range laws {
		addMultiple(sum.p[s.first-low:], 1, s.p)
	}
	return sum
}
