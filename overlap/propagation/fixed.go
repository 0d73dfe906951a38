package propagation

import (
	"errors"
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// FixedPoint is a geometry of tokens that a Transformer block leaves unchanged.
type FixedPoint struct {
	State
	// Multiplier is the asymptotic factor by which a layer changes a small distance from the fixed point: the
	// eigenvalue of largest modulus of the derivative of the block's Map. The fixed point is stable if the
	// modulus of the Multiplier is below 1.
	Multiplier float64
}

// Stable reports whether the fixed point attracts the geometries near the fixed point.
func (f FixedPoint) Stable() bool { return math.Abs(f.Multiplier) < 1 }

// CorrelationDepth returns -1/log|Multiplier|: the number of layers in which the distance to the fixed point
// falls by the factor e (Schoenholz et al. 2016). A negative depth means that the distance to the fixed point
// grows. The depth is 0 for a multiplier of 0 and infinite for a multiplier of modulus 1.
func (f FixedPoint) CorrelationDepth() float64 {
	return -1 / elementary.Log(math.Abs(f.Multiplier))
}

// ErrGrowing is returned if the norm of the tokens has no fixed point: with pre-norm, the norm of the tokens
// grows without bound unless AlphaSA·AlphaMLP < 1.
var ErrGrowing = errors.New("propagation: the norm of the tokens grows with every layer, " +
	"as the product of the residual strengths is not below 1")

// FixedPoints returns the fixed points of the geometry under a block in the limit of many tokens, by
// increasing cosine. At the last fixed point all tokens coincide. With ReLU and below β_c, coinciding tokens
// are the only fixed point, as no part of the block makes tokens less similar. With tanh, a strong residual
// connection of attention and an MLP in its chaotic phase, a second fixed point exists and is stable (Section
// C.4). FixedPoints may miss some of several fixed points whose cosines differ by less than 1/400. The error
// of FixedPoints is ErrGrowing if no fixed points exist. FixedPoints also returns an error if the number of
// tokens is finite; the other errors of FixedPoints are those of Step.
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
		if errors.Is(err, ErrVanished) { // the tokens vanish without residual connections, at cosine 0
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

// growth returns the factor by which a pre-norm block multiplies the squared norm of tokens, in addition to a
// constant increase of the squared norm.
func (m *Map) growth() float64 { return float64(m.saSquared * m.mlpSquared) }

// steady returns the State s of cosine rho whose squared norm Q the block preserves, and the change of the
// cosine of s by the block.
func (m *Map) steady(rho float64) (s State, excess float64, err error) {
	next, err := m.Step(State{1, rho})
	if err != nil {
		return s, 0, err
	}
	s.Q = 1
	if m.block.Kind.preNorm() { // the squared norm after the block is linear in Q
		s.Q = (next.Q - m.growth()) / (1 - m.growth())
		if next, err = m.Step(State{s.Q, float64(rho * s.Q)}); err != nil {
			return State{}, 0, err
		}
	}
	s.P = float64(rho * s.Q)
	return s, next.Cosine() - rho, nil
}

// appendPoint appends the fixed point of cosine rho to points.
func (m *Map) appendPoint(points []FixedPoint, rho float64) ([]FixedPoint, error) {
	s, _, err := m.steady(rho)
	if err != nil {
		return points, err
	}
	f, err := m.pointAt(s)
	return append(points, f), err
}

// pointAt returns the fixed point, with its multiplier, at a State s that the block leaves unchanged.
func (m *Map) pointAt(s State) (FixedPoint, error) {
	_, byQ, err := m.step(s, State{1, 0})
	if err != nil {
		return FixedPoint{}, err
	}
	_, byP, err := m.step(s, State{0, 1})
	return FixedPoint{s, largestEigenvalue(byQ, byP)}, err
}

// largestEigenvalue returns the eigenvalue of largest modulus of the 2×2 matrix with columns byQ and byP, or
// the modulus of a complex pair of eigenvalues.
func largestEigenvalue(byQ, byP State) float64 {
	half, determinant := float64(0.5*(byQ.Q+byP.P)), float64(byQ.Q*byP.P)-float64(byQ.P*byP.Q)
	if root := float64(half*half) - determinant; root >= 0 {
		return half + math.Copysign(math.Sqrt(root), half)
	}
	return math.Sqrt(determinant)
}
