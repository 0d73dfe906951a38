package exactlaw

import (
	"math"

	"antipode/overlap"
)

// A latticeBy is a lattice together with the derivatives of its transitions and outcomes with respect to
// a parameter. The points of the lattice do not depend on the parameter.
type latticeBy struct {
	*lattice
	by                *band
	antipodal, single []float64
}

// hasDerivative implements solver. Derivatives are known for two clusters of equal mass that stay
// antipodal, with layers of a single step.
func (c *clusters) hasDerivative(by overlap.Parameter) bool {
	return by != overlap.ByEpsilon && !c.enters() && !c.sequence && c.scalars == nil
}

// outcomesBy implements solver.
func (c *clusters) outcomesBy(p problem, effort int, by overlap.Parameter) (o law, err error) {
	values, err := c.lattice(p, efforts[effort])
	if err != nil {
		return o, err
	}
	states := len(values.move.rows)
	l := &latticeBy{values, c.movesBy(values, efforts[effort], by), make([]float64, states),
		make([]float64, states)}
	l.advance(p.layers)
	o.antipodal.Value, o.single.Value = l.start.mean(l.antipodal, 0, 0), l.start.mean(l.single, 0, 0)
	return o, nil
}

// movesBy returns the derivative of the transition matrix of a lattice with respect to a parameter.
func (c *clusters) movesBy(l *lattice, e effort, by overlap.Parameter) *band {
	flat := c.flat()
	row := func(u float64) span {
		layer := c.layerBy(u, e, by)
		s := layer.steps(l.width)
		scaleTo(1, s.p)
		return span{s.first, layer.slopes(s)}
	}
	left, right := row(-flat), row(flat)
	moves := newBand(len(l.move.rows))
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

// advance propagates the outcomes and their derivatives backwards, as lattice.advance propagates the
// outcomes.
func (l *latticeBy) advance(layers int) {
	for done := 0; layers > 0; done++ {
		pair := bandPair{l.move, l.by}
		if layers%2 == 1 || done < smoothing || 2*layers < l.move.width() {
			a, s := &l.lattice.antipodal, &l.lattice.single
			a.at, l.antipodal = pair.apply(a.at, l.antipodal, a.limit, 0)
			s.at, l.single = pair.apply(s.at, l.single, s.limit, 1)
			layers--
			continue
		}
		pair = pair.squared()
		l.move, l.by = pair.move, pair.by
		layers /= 2
		for 2*l.width < 1.2*widest && l.resolvesTwice() {
			l.coarsen()
		}
	}
}

// resolvesTwice reports whether a lattice twice as coarse would resolve the lattice and all derivatives.
func (l *latticeBy) resolvesTwice() bool {
	right := l.towardsRight()
	antipodal, single := l.lattice.antipodal.within(right, 0), l.lattice.single.within(right, 1)
	return l.lattice.resolvesTwice() && l.by.resolves(l.tolerance, antipodal, single) &&
		l.move.resolves(l.tolerance, l.antipodal, l.single) &&
		(l.given || l.start.resolved(l.tolerance, l.antipodal, l.single))
}

func (l *latticeBy) coarsen() {
	parity := l.anchor % 2
	l.by = l.by.coarsened(parity, l.towardsRight())
	l.antipodal, l.single = everySecond(l.antipodal, parity), everySecond(l.single, parity)
	l.lattice.coarsen()
}
