package exactlaw

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// hasDerivative reports whether derivatives with respect to a parameter are known; it implements solver.
// Derivatives of the hybrid recursion are known if the new u' is an increasing function of the old u.
func (h *hybrid) hasDerivative(by overlap.Parameter) bool {
	return !h.nonMonotone() && (by == overlap.ByBeta || by == overlap.ByEpsilon && h.noise > 0)
}

// stepDerivative returns the derivative of the new u' after a layer with respect to a parameter, for the old
// u and the value w of the scalar. The scalar depends on the parameter ε as well.
func (h *hybrid) stepDerivative(by overlap.Parameter, u, w float64) float64 {
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

// outcomeDerivatives computes the derivatives of the law of the hybrid recursion; it implements solver.
func (h *hybrid) outcomeDerivatives(q problem, effort int, by overlap.Parameter) (o law, err error) {
	if q.start != nil && h.law == finitedepth.Rademacher {
		return o, errAtomic
	}
	edge := line.Edge(q.tolerance)
	width := h.width(q, effort)
	w, p := h.scalars(effort, width)
	l, ends, err := h.grid(q, edge, width, w, p, effort)
	if err != nil {
		return o, err
	}
	stepBy := func(u, w float64) float64 { return h.stepDerivative(by, u, w) }
	if q.start == nil {
		return h.uniformDerivative(q, &distribution{grid: l, ends: ends}, w, p, stepBy)
	}
	f := &massVector{grid: l, mass: make([]float64, l.count)}
	f.mass[l.nearest(line.Atanh(*q.start))] = 1
	massBy, left := f.advanceDerivative(q.layers, w, p, h.next, stepBy)
	f.mass = massBy
	return lawDerivative(func(u float64) float64 { return left + f.below(u) }, edge, width), nil
}

// uniformDerivative propagates the distribution function of u from a uniform start, and its derivative with
// respect to a parameter, through the layers.
func (h *hybrid) uniformDerivative(
	q problem, f *distribution, w, p []float64, stepBy func(u, w float64) float64,
) (o law, err error) {
	if err := checkPreimages(w, f.grid); err != nil {
		return o, err
	}
	f.setUniform(h.dim)
	f.setTransitions(w, p, h.step, h.poles)
	if _, powers := f.costs(q.layers); 3*powers > mostOperations {
		return o, f.errTooLong(q.layers)
	}
	derivative := &distribution{grid: f.grid}
	derivative.setTransitionDerivatives(w, p, h.step, stepBy)
	value := make([]float64, f.count)
	bandPair{f.matrix(), derivative.matrix()}.eachPower(q.layers, func(m bandPair) {
		f.value, value = m.apply(f.value, value, 0, 0)
	})
	f.value = value
	return lawDerivative(f.below, line.Edge(q.tolerance), f.width), nil
}

// setTransitionDerivatives sets transitions to the derivatives, with respect to a parameter, of the
// transitions of a layer without poles. The derivative of the point x that a layer takes to y = g(x) is
// -dg/g'(x). The derivative of F(x) due to the motion of x is F'(x) times -dg/g'(x). Points x beyond the ends
// of the grid do not contribute.
func (f *distribution) setTransitionDerivatives(
	numbers, probabilities []float64, step func(u, number float64) (next, slope float64),
	stepBy func(u, number float64) float64,
) {
	f.transitions = make([][]stencil, f.count)
	last := f.at(f.count - 1)
	for k, number := range numbers {
		lists := make([][]preimage, f.count)
		g := func(u float64) (next, slope float64) { return step(u, number) }
		newPiecewiseMap(f.grid, g, nil).addPreimages(f.grid, probabilities[k], lists)
		for i, list := range lists {
			for _, c := range list {
				if c.at <= f.first || c.at >= last {
					continue
				}
				_, slope := g(c.at)
				factor := -c.weight * stepBy(c.at, number) / slope
				f.transitions[i] = append(f.transitions[i], f.derivativeStencil(c.at, factor))
			}
		}
	}
}

// derivativeStencil returns the stencil whose weighted sum is factor times the derivative of the interpolated
// function at u.
func (l grid) derivativeStencil(u, factor float64) (s stencil) {
	x := (u - l.first) / l.width
	floor := math.Floor(x)
	first := int(floor) - stencilSize/2 + 1
	s.first = max(0, min(l.count-stencilSize, first))
	for k, slope := range lagrangeDerivatives(x - floor) {
		s.weights[l.clamped(first+k)-s.first] += float64(factor / l.width * slope)
	}
	return s
}

// advanceDerivative propagates the masses at lattice points, and their derivatives with respect to a
// parameter, through a number of layers. advanceDerivative returns the derivatives of the masses, and the
// derivative of the mass that has left the lattice at the left end.
func (f *massVector) advanceDerivative(
	layers int, numbers, probabilities []float64, step, stepBy func(u, number float64) float64,
) (massBy []float64, left float64) {
	f.setMatrix(numbers, probabilities, step)
	weigh := func(u float64, k int, x float64) (float64, [stencilSize]float64) {
		return float64(probabilities[k] * stepBy(u, numbers[k]) / f.width), lagrangeDerivatives(x)
	}
	moveBy := f.interpolationMatrix(numbers, step, weigh)
	massBy = make([]float64, len(f.mass))
	bandPair{f.matrix, moveBy}.eachPower(layers, func(m bandPair) {
		var moved []float64
		massBy, left = m.matrix.pushForward(massBy, left)
		moved, left = m.derivative.pushForward(f.mass, left)
		for i, x := range moved {
			massBy[i] += x
		}
		f.step(m.matrix, 0)
	})
	return massBy, left
}

// lagrangeDerivatives returns the derivatives at x of the Lagrange polynomials of lagrangePolynomials.
func lagrangeDerivatives(x float64) (slopes [stencilSize]float64) {
	var before, beforeBy [stencilSize]float64
	product, productBy := 1.0, 0.0
	for k := range slopes {
		before[k], beforeBy[k] = product, productBy
		distance := x - float64(k-stencilSize/2+1)
		product, productBy = product*distance, float64(productBy*distance)+product
	}
	product, productBy = 1, 0
	for k := stencilSize - 1; k >= 0; k-- {
		slopes[k] = barycentricWeights[k] * (float64(beforeBy[k]*product) + float64(before[k]*productBy))
		distance := x - float64(k-stencilSize/2+1)
		product, productBy = product*distance, float64(productBy*distance)+product
	}
	return slopes
}

// lawDerivative returns the derivatives of the probabilities of the outcomes, given the derivative below of
// the distribution function of u; see lawOf.
func lawDerivative(below func(u float64) float64, edge, spacing float64) (o law) {
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
