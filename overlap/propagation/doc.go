// Package propagation contains the theory of signal propagation in Transformers at initialisation: how
// the norm and the overlap of tokens change from layer to layer, when attention is spread and when it is
// condensed, and for which initialisations the signal passes. All computations are deterministic.
// Equation and section numbers are those of Giorlandino and Goldt, "Two Failure Modes of Deep
// Transformers and How to Avoid Them" (version 2 unless the first is named); the corrections to it are
// listed below.
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
// Tokens of high dimension d are described by a State of two numbers: their squared norm q and the
// overlap p of different tokens, both divided by d. Blocks with random weights map a State to a State
// (Map). They consist of attention, a residual connection of strength α, LayerNorm, and an MLP whose
// kernel is E φ(x)φ(y) for Gaussian x, y (Activation). For T → ∞ this description is closed. For finite T
// the means after one layer are exact, but their fluctuations are neglected in the next layer.
//
// A Block covers:
//
//   - post-norm and pre-norm with LayerNorm x√d/|x| of wide layers, which is also the limit of
//     LayerNorm with centring if tokens have no mean;
//   - one head whose queries and keys have the dimension of the tokens, or several heads;
//   - outputs of heads that are not mixed, or mixed by W_O, whose variance times d then multiplies
//     σ_v²;
//   - an MLP of any width, if the variances are scaled with the number of inputs;
//   - biases of variance σ_b² in the MLP alone.
//
// It does not cover LayerNorm on the outputs of branches (peri-norm), queries tied to keys, weights shared by
// layers, identity values, and branches of strength other than 1. Of causal attention it covers only the last
// tokens; UniformCausal covers all tokens for β = 0.
//
// # A row of attention
//
// Query and key weights of variance β√log T/d give scores with covariance (8). The scores of a row have a
// common part, to which softmax is invariant, and independent normal parts of variance
//
//	s² = β² q(q-p) log T,
//
// so a row is a random energy model. Below β_c = √(2/(q(q-p))) the weights are spread, Y2 = E ΣA² → 0,
// and the output of every row is the mean of the tokens: rank collapse. Above β_c, they follow the
// Poisson-Dirichlet law with parameter m = β_c/β: entropy collapse (LimitRow).
//
// For finite T, Z^-k = ∫ t^(k-1) e^(-tZ) dt/(k-1)! turns means over T scores into powers of a mean over
// one score, which leaves a two-dimensional quadrature (FiniteRow). For two rows, in which the scores of
// the same token have correlation p/q, the quadrature has four dimensions (CrossParticipation). The
// result E ΣA_ts A_us is 1/T for orthogonal tokens at every β. It determines the overlap of the two
// outputs in excess of p; the paper's maps, for T → ∞, do not need it. As the convergence to the limit is
// logarithmic, finite sequences condense gradually, from about β_c/2 on.
//
// # Where the paper is corrected
//
//   - Result 2, (13) and (39): the fourth term of B.4 should expand to (p+(q-p)Y2)². The bracket
//     then is (q-p)(Y2-2Y3+E(Y2)²), where (Y2)² is squared before averaging. As printed it is
//     negative for p < q/2 (QueryGradient). (39) refers to a single row, not to all T.
//   - B.2.3: Φ_S should be ρ/(ρ+(1-ρ)Y2), as in (11).
//   - B.5.1: α²p in the denominator should be α²q, as in (15).
//   - (33), (B.18): the entropy divided by log T is 1-β²/β_c² (EntropyShare).
//   - (34), (15) of version 1: Y2 is larger than e^(-entropy). For β ≤ β_c/√3 it is of order
//     T^(-1+2β²/β_c²), not T^(-1+β²/β_c²) (MomentExponent).
//   - (B.1) of version 1: the dimension in β_eff is that of the model, not that of a head, and the
//     example takes the square root of log T twice (EffectiveBeta).
//   - A.1 says that with pre-norm β_c depends on the norm of the residual stream. Algorithm 2, in
//     which attention receives normalised tokens, is right (Map.CriticalBeta).
package propagation
