// Package collapse is the theory of rank collapse in Transformers at initialisation with
// uniform attention: sizes of gradients and how the norm and the correlation of tokens
// grow with depth. Nothing in it is random. Equation and section numbers are those of Noci,
// Anagnostidis, Biggio, Orvieto, Singh and Lucchi, "Signal Propagation in Transformers:
// Theoretical Perspectives and the Role of Rank Collapse" (2022).
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
// A Gaussian law of the tokens gives the mean squared Frobenius norms of the derivatives of
// attention (Lemma 3.1, Theorem 3.2), averaged over weights and sequences (Section 3.3, A.2,
// C.2). Uniform attention means A = 1/n and ∂A/∂M = (I - 1/n)/n; how small scores must be for
// that is Theorem A.7 (Gaussian.Distance).
//
// # Depth
//
// A Stream is the norm and the inner products of a sequence on its way through blocks without
// LayerNorm, Z = α₁S + X and X' = α₂Y + Z (Lemmas 3.2 and 3.3, Theorem 3.3).
//
// # Where the paper is corrected
//
//   - (36): the second term of the derivative with respect to the input has not the norm of the
//     first, as the commutation matrix turns I⊗B into B⊗I: it has ‖X‖²‖LX‖²/n², L = I - 1/n, in
//     place of ‖XᵀLX‖²/n. Bound (8), which rests on it, fails for large tokens of high
//     correlation. In (30) to (40), d_k should be d_v.
//   - (18) takes ‖X‖² and ‖XᵀLX‖² to be uncorrelated. They are not: the mean is larger by the
//     factor 1 + 4(1-ρ)/nd (Gaussian.QueryGradient), and (46) and (47) have it too.
//   - (16) needs C(X) ≠ 0: tokens whose sum is 0 keep the correlation -1/(n-1)
//     (Stream.DeepCorrelation). It needs α₁ ≠ 0, but not α₂ ≠ 0.
package collapse
