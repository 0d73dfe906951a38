// Package collapse contains the theory of rank collapse in Transformers with uniform attention at
// initialisation: the size of gradients, and the growth of the norm and the correlation of tokens with depth.
// All computations of package collapse are deterministic. Equation and section numbers are those of Noci,
// Anagnostidis, Biggio, Orvieto, Singh and Lucchi, "Signal Propagation in Transformers: Theoretical
// Perspectives and the Role of Rank Collapse" (2022).
//
//	law := collapse.Gaussian{Tokens: 128, Dim: 64, Variance: 1, Correlation: 0.2}
//	values, err := law.ValueGradient()
//	if err != nil {
//		return err
//	}
//	queries, err := law.QueryGradient(1) // temperature
//
// # Gradients
//
// For tokens with a Gaussian law, package collapse computes the mean squared Frobenius norms of the
// derivatives of attention (Lemma 3.1, Theorem 3.2), averaged over weights and sequences (Section 3.3, A.2,
// C.2). Uniform attention of n tokens means that the attention matrix is A = 1/n and its derivative with
// respect to a row of scores is ∂A/∂M = (I - 1/n)/n. Theorem A.7 says how small the attention scores must be
// so that attention is nearly uniform (Gaussian.Distance).
//
// # Depth
//
// A Stream holds the norm and the inner products of a sequence of tokens that passes through blocks without
// LayerNorm, Z = α₁S + X and X' = α₂Y + Z (Lemmas 3.2 and 3.3, Theorem 3.3).
//
// # Where the paper is corrected
//
//   - (36): the second term of the derivative with respect to the input does not have the norm of the first
//     term, because the commutation matrix turns I⊗B into B⊗I. The squared norm of the second term is
//     ‖X‖²‖LX‖²/n² with L = I - 1/n, instead of ‖XᵀLX‖²/n. Bound (8) rests on (36) and fails for large tokens
//     of high correlation. In (30) to (40), d_k should be d_v.
//   - (18) treats ‖X‖² and ‖XᵀLX‖² as uncorrelated. The two are correlated: the mean of the product is larger
//     by the factor 1 + 4(1-ρ)/nd (Gaussian.QueryGradient), which also belongs in (46) and (47).
//   - (16) requires C(X) ≠ 0: tokens whose sum is 0 keep the correlation -1/(n-1) (Stream.DeepCorrelation).
//     Equation (16) requires α₁ ≠ 0, but not α₂ ≠ 0.
package collapse
