package propagation

import (
	"errors"
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// FixedPoint is a geometry that a block leaves as it is.
type FixedPoint struct {
	State
	// Multiplier is the factor by which a layer changes a small distance from it in
	// the end: the larger eigenvalue of the map's derivative, by modulus. Below 1 the
	// point is stable.
	Multiplier float64
}

// Stable reports whether the point attracts.
func (f FixedPoint) Stable() bool { return math.Abs(f.Multiplier) < 1 }

// CorrelationDepth is -1/log|Multiplier|: the number of layers in which the distance to
// the point falls, or if it is negative grows, by the factor e (Schoenholz et al. 2016).
// It is 0 for a multiplier of 0 and infinite for one of modulus 1.
func (f FixedPoint) CorrelationDepth() float64 {
	return -1 / elementary.Log(math.Abs(f.Multiplier))
}

// ErrGrowing says that the norm of the tokens has no fixed point: with pre-norm it grows
// without end unless AlphaSA·AlphaMLP < 1.
var ErrGrowing = errors.New("propagation: the norm of the tokens grows with every layer, " +
	"as the product of the residual strengths is not below 1")

// FixedPoints returns the fixed points of a block in the limit of many tokens, by
// increasing cosine. The last is that of tokens which are all alike. With ReLU and below
// β_c it is the only one, as no part of the block makes tokens less alike; with tanh, a
// strong residual connection of attention and an MLP in its chaotic phase there is
// another, stable one (Section C.4). Of fixed points closer than 1/400 to each other some
// may be missed. It is ErrGrowing if there are none, and an error for finitely many tokens
// and as in Step.
func (m *Map) FixedPoints() ([]FixedPoint, error) {
	if !math.IsInf(m.block.Tokens, 1) {
		return nil, errors.New("propagation: fixed points are those of the limit of many tokens")
	}
	if m.block.Kind.preNorm() && m.growth() >= 1 {
		return nil, ErrGrowing
	}
	var points []FixedPoint
	const cells = 400
	before := math.NaN()
	for k := range cells {
		rho := float64(k) / cells
		_, excess, err := m.steady(rho)
		if errors.Is(err, ErrVanished) { // without residual connections, at 0
			excess = math.NaN()
		} else if err != nil {
			return nil, err
		}
		switch {
		case excess == 0:
			points, err = m.appendPoint(points, rho)
		case before*excess < 0:
			points, err = m.appendPoint(points, quadrature.Bisect(func(x float64) float64 {
				_, e, _ := m.steady(x)
				return -e * math.Copysign(1, before)
			}, rho-1./cells, rho))
		}
		if err != nil && !errors.Is(err, ErrVanished) {
			return nil, err
		}
		before = excess
	}
	return m.appendPoint(points, 1)
}

// growth is the factor by which a block of pre-norm multiplies the norm; it adds to that besides.
func (m *Map) growth() float64 { return float64(m.saSquared * m.mlpSquared) }

// steady is the state of cosine rho that keeps its norm, and what the block adds to rho.
func (m *Map) steady(rho float64) (s State, excess float64, err error) {
	next, err := m.Step(State{1, rho})
	if err != nil {
		return s, 0, err
	}
	s.Q = 1
	if m.block.Kind.preNorm() { // the norm after a block is linear in that before it
		s.Q = (next.Q - m.growth()) / (1 - m.growth())
		if next, err = m.Step(State{s.Q, float64(rho * s.Q)}); err != nil {
			return State{}, 0, err
		}
	}
	s.P = float64(rho * s.Q)
	return s, next.Cosine() - rho, nil
}

// appendPoint appends the fixed point of cosine rho.
func (m *Map) appendPoint(points []FixedPoint, rho float64) ([]FixedPoint, error) {
	s, _, err := m.steady(rho)
	if err != nil {
		return points, err
	}
	f, err := m.pointAt(s)
	return append(points, f), err
}

// pointAt is the fixed point at a state that is one.
func (m *Map) pointAt(s State) (FixedPoint, error) {
	_, byQ, err := m.step(s, State{1, 0})
	if err != nil {
		return FixedPoint{}, err
	}
	_, byP, err := m.step(s, State{0, 1})
	return FixedPoint{s, largestEigenvalue(byQ, byP)}, err
}

// largestEigenvalue returns the eigenvalue of greater modulus of the matrix with these columns,
// and that modulus for a complex pair.
func largestEigenvalue(byQ, byP State) float64 {
	half, determinant := float64(0.5*(byQ.Q+byP.P)), float64(byQ.Q*byP.P)-float64(byQ.P*byP.Q)
	if root := float64(half*half) - determinant; root >= 0 {
		return half + math.Copysign(math.Sqrt(root), half)
	}
	return math.Sqrt(determinant)
}
