package propagation

// QueryGradient returns the mean squared norm of the derivative of attention's output S
// with respect to the query weights, E‖∂S/∂W_Q‖²/(d²T√log T), at initialisation; that of
// the key weights is the same. It is Result 2, equation (39), corrected:
//
//	β σ_v² q(q-p)² [Y2 - 2Y3 + E(Y2)²].
//
// For a row A and D = diag(A) - AAᵀ, the derivative of softmax, the bracket is tr D²: as
// D1 = 0, only the part (q-p)1 of the overlap matrix counts in tr(D Q D Q). The fourth
// term of B.4 should expand to (p + (q-p)Y2)², not p² + 2p(q-p)Y2 + p(q-p)Y2²; as
// printed, the sum is negative for p < q/2. (39) has the norm of a single row; here it is
// summed over all T. In the limit, with m = β_c/β < 1, the bracket is m(1-m)/3: gradients
// vanish at β_c, below it, and again as β → ∞.
//
// s must be a geometry as for Attention; row is the attention's.
func QueryGradient(a Attention, s State, row Row) float64 {
	gap := s.Q - s.P
	return float64(a.Beta*a.SigmaV2*s.Q*gap*gap) * (row.Y2 - 2*row.Y3 + row.Y2Squared)
}

// ValueGradient returns E‖∂S/∂W_V‖²/(d²T) = p + (q-p)Y2: S is linear in the value weights,
// with coefficients AX. It does not vanish below β_c unless tokens are orthogonal.
func ValueGradient(s State, row Row) float64 { return s.P + float64((s.Q-s.P)*row.Y2) }
