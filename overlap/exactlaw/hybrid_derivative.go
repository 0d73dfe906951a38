package exactlaw

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// hasDerivative implements solver. Derivatives are known if u' is an increasing function of u.
func (h *hybrid) hasDerivative(by overlap.Parameter) bool {
	return !h.turns() && (by == overlap.ByBeta || by == overlap.ByEpsilon && h.noise > 0)
}

// stepBy returns the derivative of u' with respect to a parameter. The scalar also depends on the parameter;
// w is its value.
func (h *hybrid) stepBy(by overlap.Parameter, u, w float64) float64 {
	a := h.weights(u)
	sum, difference := 1+float64(w*a.sum), 1+float64(w*a.difference)
	if by == overlap.ByEpsilon {
		epsilon := h.noise / math.Sqrt(h.drift)
		return (a.sum/sum - a.difference/difference) * ((w - h.drift) / epsilon)
	}
	below := line.Of(u).Below
	ratio := elementary.Exp(-float64(h.beta * below))
	falls := float64(below * ratio)
	bySum, byDifference := 0.0, 2*falls/float64((1+ratio)*(1+ratio))
	if h.attention == overlap.Unnormalized {
		bySum, byDifference = float64(h.half*(1+ratio-falls)), float64(h.half*(1-ratio+falls))
	}
	return w * (bySum/sum - byDifference/difference)
}

// outcomesBy implements solver.
func (h *hybrid) outcomesBy(q problem, effort int, by overlap.Parameter) (o law, err error) {
	if q.start != nil && h.law == finitedepth.Rademacher {
		return o, errAtomic
	}
	edge := line.Atanh(1 - q.tolerance)
	width := h.width(q, effort)
	w, p := h.scalars(effort, width)
	l, ends, err := h.points(q, edge, width, w, p, effort)
	if err != nil {
		return o, err
	}
	stepBy := func(u, w float64) float64 { return h.stepBy(by, u, w) }
	if q.start == nil {
		return h.uniformBy(q, &distribution{points: l, ends: ends}, w, p, stepBy)
	}
	f := &forward{points: l, mass: make([]float64, l.count)}
	f.mass[l.nearest(line.Atanh(*q.start))] = 1
	massBy, left := f.advanceBy(q.layers, w, p, h.next, stepBy)
	f.mass = massBy
	return lawBy(func(u float64) float64 { return left + f.below(u) }, edge, width), nil
}

// uniformBy propagates the distribution function from a uniform start, and its derivative.
func (h *hybrid) uniformBy(
	q problem, f *distribution, w, p []float64, stepBy func(u, w float64) float64,
) (o law, err error) {
	if err := checkCrossings(w, f.points); err != nil {
		return o, err
	}
	f.setUniform(h.dim)
	f.setMoves(w, p, h.step, h.poles)
	if _, powers := f.costs(q.layers); 3*powers > mostOperations {
		return o, f.tooLong(q.layers)
	}
	derivative := &distribution{points: f.points}
	derivative.setMovesBy(w, p, h.step, stepBy)
	value := make([]float64, f.count)
	bandPair{f.matrix(), derivative.matrix()}.forwards(q.layers, func(m bandPair) {
		f.value, value = m.apply(f.value, value, 0, 0)
	})
	f.value = value
	return lawBy(f.below, line.Atanh(1-q.tolerance), f.width), nil
}

// setMovesBy sets moves to the derivatives of transitions without poles. The derivative of the point x that a
// layer takes to y is -dg/g'(x). The derivative of F(x) due to this motion is F'(x) times -dg/g'(x). Points x
// beyond the ends do not contribute.
func (f *distribution) setMovesBy(
	numbers, probabilities []float64, step func(u, number float64) (next, slope float64),
	stepBy func(u, number float64) float64,
) {
	f.moves = make([][]stencil, f.count)
	last := f.at(f.count - 1)
	for k, number := range numbers {
		lists := make([][]crossing, f.count)
		g := func(u float64) (next, slope float64) { return step(u, number) }
		newCurve(f.points, g, nil).addCrossings(f.points, probabilities[k], lists)
		for i, list := range lists {
			for _, c := range list {
				if c.at <= f.first || c.at >= last {
					continue
				}
				_, slope := g(c.at)
				factor := -c.weight * stepBy(c.at, number) / slope
				f.moves[i] = append(f.moves[i], f.slopeStencil(c.at, factor))
			}
		}
	}
}

// slopeStencil returns the stencil that gives the slope of the interpolated function at u, multiplied by a
// factor.
func (l points) slopeStencil(u, factor float64) (s stencil) {
	x := (u - l.first) / l.width
	floor := math.Floor(x)
	first := int(floor) - interpolated/2 + 1
	s.first = max(0, min(l.count-interpolated, first))
	for k, slope := range lagrangeSlope(x - floor) {
		s.weights[l.clamped(first+k)-s.first] += float64(factor / l.width * slope)
	}
	return s
}

// advanceBy propagates masses and their derivatives through a number of layers. It returns the
// derivatives, and the derivative of the mass that has left the lattice at the left end.
func (f *forward) advanceBy(
	layers int, numbers, probabilities []float64, step, stepBy func(u, number float64) float64,
) (massBy []float64, left float64) {
	f.setMoves(numbers, probabilities, step)
	moveBy := f.moves(numbers, step, func(u float64, k int, x float64) (float64, [interpolated]float64) {
		return float64(probabilities[k] * stepBy(u, numbers[k]) / f.width), lagrangeSlope(x)
	})
	massBy = make([]float64, len(f.mass))
	bandPair{f.move, moveBy}.forwards(layers, func(m bandPair) {
		var moved []float64
		massBy, left = m.move.forward(massBy, left)
		moved, left = m.by.forward(f.mass, left)
		for i, x := range moved {
			massBy[i] += x
		}
		f.step(m.move, 0)
	})
	return massBy, left
}

// lagrangeSlope returns the derivatives of the polynomials of lagrange at x.
func lagrangeSlope(x float64) (slopes [interpolated]float64) {
	var before, beforeBy [interpolated]float64
	product, productBy := 1.0, 0.0
	for k := range slopes {
		before[k], beforeBy[k] = product, productBy
		distance := x - float64(k-interpolated/2+1)
		product, productBy = product*distance, float64(productBy*distance)+product
	}
	product, productBy = 1, 0
	for k := interpolated - 1; k >= 0; k-- {
		slopes[k] = lagrangeScale[k] * (float64(beforeBy[k]*product) + float64(before[k]*productBy))
		distance := x - float64(k-interpolated/2+1)
		product, productBy = product*distance, float64(productBy*distance)+product
	}
	return slopes
}

// lawBy returns the derivatives of the outcomes, given the derivative below of the distribution function; see
// lawOf.
func lawBy(below func(u float64) float64, edge, spacing float64) (o law) {
	o.spacing = spacing
	o.shifted = func(single bool, distance float64) float64 {
		if single {
			return -below(edge + distance)
		}
		return below(-edge + distance)
	}
	o.antipodal.Value, o.single.Value = o.shifted(false, 0), o.shifted(true, 0)
	return o
}
