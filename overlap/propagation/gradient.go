package propagation

import (
	"math"

	"antipode/sphere/elementary"
)

// QueryGradient returns E‖∂S/∂W_Q‖²/(d²T√log T) at initialisation: the mean squared norm of the derivative of
// the attention output S with respect to the query weights. Key weights have the same mean squared norm of
// the derivative. QueryGradient is Result 2, equation (39), corrected:
//
//	β σ_v² q(q-p)² [Y2 - 2Y3 + E(Y2)²].
//
// For a row A of the attention matrix, let D = diag(A) - AAᵀ be the derivative of softmax. The bracket is tr
// D²: as D1 = 0, only the part (q-p)I of the overlap matrix G contributes to tr(D G D G). The fourth term of
// B.4 should expand to (p + (q-p)Y2)², not p² + 2p(q-p)Y2 + p(q-p)Y2²; the bracket as printed in (39) is
// negative for p < q/2. Equation (39) contains the norm of a single row; QueryGradient sums over all T rows.
// In the limit T → ∞, with m = β_c/β < 1, the bracket is m(1-m)/3. Gradients of the query weights vanish
// below β_c, at β_c, and again as β → ∞.
//
// The State s must be one that Attention accepts, and row must be the Row of the attention a at s.
func QueryGradient(a Attention, s State, row Row) float64 {
	gap := s.Q - s.P
	return float64(a.Beta*a.SigmaV2*s.Q*gap*gap) * (row.Y2 - 2*row.Y3 + row.Y2Squared)
}

// ValueGradient returns E‖∂S/∂W_V‖²/(d²T) = p + (q-p)Y2 for the attention output S, which is linear in the
// value weights, with coefficients AX. The gradient of the value weights does not vanish below β_c unless
// tokens are orthogonal.
func ValueGradient(s State, row Row) float64 { return s.P + float64((s.Q-s.P)*row.Y2) }

// Gradients are mean squared norms E‖∂/∂W‖²/(d²T), at initialisation, of the derivatives of the attention
// and MLP outputs of a block with respect to their own weights.
type Gradients struct {
	Query  float64 // with respect to query weights; the same for key weights
	Value  float64
	Hidden float64 // with respect to the MLP's first weights W₁
	Output float64 // with respect to the MLP's second weights W₂
}

// Gradients returns the mean squared gradients of a block that a sequence of geometry s enters. The field
// Query is QueryGradient times √log T; in the limit of many tokens, in which this product is infinite or 0,
// the field Query is QueryGradient itself. Gain-controlled attention has the same Query, and the Value
// (q-p)(Y2-1/T). The MLP receives normalised tokens, so its gradients are the same in all layers: Output is E
// φ² and Hidden is σ_w² E φ'². The errors of Gradients are those of FiniteRow and Step.
func (m *Map) Gradients(s State) (Gradients, error) {
	if m.block.Kind.preNorm() {
		var err error
		if s, _, err = normalize(s, State{}); err != nil {
			return Gradients{}, err
		}
	}
	row, scale := LimitRow(CriticalBeta(s.Q, s.P)/m.block.Beta), 1.0
	excess := row.Y2
	if !math.IsInf(m.block.Tokens, 1) {
		var err error
		deviation := ScoreDeviation(m.block.Beta, m.block.Tokens, s.Q, s.P)
		if row, err = FiniteRow(m.block.Tokens, deviation); err != nil {
			return Gradients{}, err
		}
		scale = math.Sqrt(elementary.Log(m.block.Tokens))
		excess = rowExcess(m.block.Tokens, deviation, row)
	}
	g := Gradients{
		Query:  float64(scale * QueryGradient(m.attention, s, row)),
		Value:  ValueGradient(s, row),
		Hidden: float64(m.block.SigmaW2 * m.block.Activation.Slope(m.hidden, m.hidden)),
		Output: m.block.Activation.Kernel(m.hidden, m.hidden),
	}
	if m.block.Kind.gainControlled() {
		g.Value = float64((s.Q - s.P) * excess)
	}
	return g, nil
}
