// Package propagation contains the theory of signal propagation in Transformers at initialisation: how the
// norm and the overlap of tokens change from layer to layer, when attention is spread and when it is
// condensed, and for which initialisations the signal passes. All computations of package propagation are
// deterministic. Equation and section numbers are those of the paper of Giorlandino and Goldt, "Two Failure
// Modes of Deep Transformers and How to Avoid Them" (version 2 of the paper unless version 1 is named). The
// last section lists corrections to the paper.
//
//	block := propagation.Block{Beta: 1, SigmaV2: 1, SigmaW2: 1, AlphaSA: 1, Tokens: 512}
//	m, err := propagation.NewMap(block)
//	if err != nil {
//		return err
//	}
//	curve, err := m.Curve(propagation.State{Q: 1, P: 0.1}, 12) // the input and 12 layers
//
// # Geometry
//
// A State describes tokens of high dimension d by two numbers: the squared norm q of a token and the overlap
// p of different tokens, both divided by d. A block with random weights maps a State to a State (Map). A
// block consists of attention, a residual connection of strength α, LayerNorm, and an MLP whose kernel is E
// φ(x)φ(y) for Gaussian x, y (Activation). For T → ∞ tokens, the State before a block determines the State
// after the block. For finite T the mean norms and overlaps after attention and its residual connection are
// exact in the first layer, but LayerNorm, the MLP and the next layer neglect their fluctuations. As
// LayerNorm divides a token by its own norm, which fluctuates with the row of attention, the mean cosine of
// tokens is above the ratio p/q of the means, and so is p after LayerNorm. For T = 64 orthogonal tokens, β =
// 1 and attention without residual connection and MLP, p/q is 0.093 after a layer, and the mean cosine in
// networks of dimension 256 is 0.125 ± 0.002. With α = 1 the numbers are 0.0134 and 0.0132 ± 0.0004.
//
// A Block covers:
//
//   - post-norm and pre-norm with LayerNorm x√d/|x| of wide layers, which is also the limit of
//     LayerNorm with centring if tokens have no mean;
//   - one head whose queries and keys have the dimension of the tokens, or several heads;
//   - outputs of heads that are not mixed, or mixed by a matrix W_O, whose variance times d then multiplies
//     σ_v²;
//   - an MLP of any width, if the variances of its weights are scaled with the number of inputs;
//   - biases of variance σ_b² in the MLP alone.
//
// A Block does not cover LayerNorm on the outputs of attention and MLP (peri-norm), queries tied to keys,
// weights shared by layers, identity values, and outputs of attention or MLP multiplied by factors other than
// 1. For causal attention, a Block covers only the last tokens; UniformCausal covers all tokens for β = 0.
//
// # A row of attention
//
// Query and key weights of variance β√log T/d give attention scores with covariance (8). The scores of a row
// have a common part, to which softmax is invariant, and independent normal parts of variance
//
//	s² = β² q(q-p) log T,
//
// so a row of attention is a random energy model. Below β_c = √(2/(q(q-p))) the attention weights are spread,
// Y2 = E ΣA² → 0, and the output of every row is the mean of the tokens: rank collapse. Above β_c, the
// attention weights follow the Poisson-Dirichlet law with parameter m = β_c/β: entropy collapse (LimitRow).
//
// For finite T and the partition function Z of a row, the identity Z^-k = ∫ t^(k-1) e^(-tZ) dt/(k-1)! turns
// means over T scores into powers of a mean over one score, so that a two-dimensional quadrature remains
// (FiniteRow). For two rows t and u, in which the scores of the same token have correlation p/q, the
// quadrature has four dimensions (CrossParticipation). The mean E ΣA_ts A_us is 1/T for orthogonal tokens at
// every β. E ΣA_ts A_us determines by how much the overlap of the outputs of two tokens exceeds p; this
// excess vanishes in the paper's maps, for T → ∞. As the convergence to the limit T → ∞ is logarithmic,
// attention of finite sequences condenses gradually, from about β_c/2 on.
//
// # Where the paper is corrected
//
//   - Result 2, (13) and (39): the fourth term of B.4 should expand to (p+(q-p)Y2)². With this correction the
//     bracket is (q-p)(Y2-2Y3+E(Y2)²), where (Y2)² is squared before averaging. As printed, the bracket is
//     negative for p < q/2 (QueryGradient). Equation (39) refers to a single row of attention, not to all T
//     rows.
//   - B.2.3: Φ_S should be ρ/(ρ+(1-ρ)Y2), as in (11).
//   - B.5.1: the term α²p in the denominator should be α²q, as in (15).
//   - (33), (B.18): the entropy divided by log T is 1-β²/β_c² (EntropyShare).
//   - (34), (15) of version 1: Y2 is larger than e^(-entropy). For β ≤ β_c/√3, Y2 is of order
//     T^(-1+2β²/β_c²), not T^(-1+β²/β_c²) (MomentExponent).
//   - (B.1) of version 1: the dimension in β_eff is that of the model, not that of a head, and the
//     example takes the square root of log T twice (EffectiveBeta).
//   - A.1 says that with pre-norm β_c depends on the norm of the residual stream. Algorithm 2, in
//     which attention receives normalised tokens, is right (Map.CriticalBeta).
package propagation
