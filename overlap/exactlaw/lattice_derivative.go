package exactlaw

import (
	"math"

	"antipode/overlap"
)

// A latticeDerivative is a lattice together with the derivatives, with respect to a parameter, of the
// transition matrix and of the probabilities of the outcomes. The points of the lattice do not depend on the
// parameter.
type latticeDerivative struct {
	*lattice
	matrixDerivative  *band
	antipodal, single []float64
}

// hasDerivative reports whether derivatives with respect to a parameter are known; it implements solver.
// Derivatives of recursion (4) are known for two clusters of equal mass that stay antipodal, with layers of a
// single step.
func (c *clusters) hasDerivative(by overlap.Parameter) bool {
	return (by == overlap.ByBeta || by == overlap.BySigma) &&
		!c.hasEntrance() && !c.sequence && c.scalars == nil
}

// outcomeDerivatives computes the derivatives of the law of recursion (4); it implements solver.
func (c *clusters) outcomeDerivatives(p problem, effort int, by overlap.Parameter) (o law, err error) {
	values, err := c.lattice(p, efforts[effort])
	if err != nil {
		return o, err
	}
	states := len(values.matrix.rows)
	l := &latticeDerivative{values, c.matrixDerivative(values, efforts[effort], by), make([]float64, states),
		make([]float64, states)}
	l.advance(p.layers)
	o.antipodal.Value, o.single.Value = l.start.mean(l.antipodal, 0, 0), l.start.mean(l.single, 0, 0)
	return o, nil
}

// matrixDerivative returns the derivative of the transition matrix of a lattice with respect to a parameter.
func (c *clusters) matrixDerivative(l *lattice, e effort, by overlap.Parameter) *band {
	flat := c.asymptote()
	row := func(u float64) span {
		layer := c.layerDerivative(u, e, by)
		s := layer.stepLaw(l.width)
		scaleToSum(1, s.p)
		return span{s.first, layer.slopes(s)}
	}
	left, right := row(-flat), row(flat)
	moves := newBand(len(l.matrix.rows))
	for i := range moves.rows {
		s := left
		switch u := l.at(i); {
		case math.Abs(u) < flat:
			s = row(u)
		case u > 0:
			s = right
		}
		moves.set(i, span{s.first + i, s.p})
	}
	return moves
}

// advance propagates the probabilities of the outcomes and their derivatives backwards through a number of
// layers, in the way of lattice.advance.
func (l *latticeDerivative) advance(layers int) {
	for done := 0; layers > 0; done++ {
		pair := bandPair{l.matrix, l.matrixDerivative}
		if layers%2 == 1 || done < smoothingLayers || 2*layers < l.matrix.width() {
			a, s := &l.lattice.antipodal, &l.lattice.single
			a.at, l.antipodal = pair.apply(a.at, l.antipodal, a.limit, 0)
			s.at, l.single = pair.apply(s.at, l.single, s.limit, 1)
			layers--
			continue
		}
		pair = pair.squared()
		l.matrix, l.matrixDerivative = pair.matrix, pair.derivative
		layers /= 2
		for 2*l.width < 1.2*greatestDeviation && l.resolvesTwice() {
			l.coarsen()
		}
	}
}

// resolvesTwice reports whether a lattice twice as coarse would resolve the transition matrix, the
// probabilities of the outcomes, the law of the start, and all derivatives.
func (l *latticeDerivative) resolvesTwice() bool {
	right := l.smoothStep()
	antipodal, single := l.lattice.antipodal.detrended(right, 0), l.lattice.single.detrended(right, 1)
	return l.lattice.resolvesTwice() && l.matrixDerivative.resolves(l.tolerance, antipodal, single) &&
		l.matrix.resolves(l.tolerance, l.antipodal, l.single) &&
		(l.fixedStart || l.start.resolved(l.tolerance, l.antipodal, l.single))
}

func (l *latticeDerivative) coarsen() {
	parity := l.anchor % 2
	l.matrixDerivative = l.matrixDerivative.coarsened(parity, l.smoothStep())
	l.antipodal, l.single = everySecond(l.antipodal, parity), everySecond(l.single, parity)
	l.lattice.coarsen()
}
