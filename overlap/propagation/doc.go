// Package propagation is the theory of signal propagation in Transformers at
// initialisation: how the norm and the overlap of tokens change from layer to layer, when
// attention is spread and when it is condensed, and which initialisations keep the signal.
// Nothing in it is random. Equation and section numbers are those of Giorlandino and
// Goldt, "Two Failure Modes of Deep Transformers and How to Avoid Them" (version 2 unless
// the first is named), and their corrections are below.
//
//	block := propagation.Block{Beta: 1, SigmaV2: 1, SigmaW2: 1, AlphaSA: 1, Tokens: 512}
//	m, err := propagation.NewMap(block)
//	if err != nil {
//		return err
//	}
//	curve, err := m.Curve(propagation.State{Q: 1, P: 0.1}, 12) // from the input on, 12 layers
//
// # Geometry
//
// Tokens of high dimension d are described by two numbers, a State: squared norm q and
// overlap p of different tokens, both over d. Blocks of random weights take a State to a
// State (Map): attention, a residual connection of strength α, LayerNorm, and an MLP whose
// kernel is E φ(x)φ(y) for Gaussian x, y (Activation). For T → ∞ this is closed; for T
// tokens a layer's means are exact, but the fluctuations of q and p that it makes are
// left out before the next.
//
// A Block covers post-norm and pre-norm with LayerNorm x√d/|x| of wide layers, of which also
// the centred one is the limit where tokens have no mean; one head of queries and keys of
// the tokens' dimension, or several; outputs of heads that are not mixed, or mixed by W_O,
// whose variance times d then multiplies σ_v²; an MLP of any width, for the same variances
// times the number of inputs; and biases of variance σ_b² in the MLP alone. It does not
// cover LayerNorm on the branches' outputs (peri-norm), queries that are tied to keys,
// weights that layers share, identity values, branches of another strength than 1, or causal
// attention but in its last tokens (UniformCausal for β = 0).
//
// # A row of attention
//
// Query and key weights of variance β√log T/d give scores with covariance (8). A row has a
// common part, which softmax does not see, and independent normal parts of variance
//
//	s² = β² q(q-p) log T,
//
// so it is a random energy model. Below β_c = √(2/(q(q-p))) the weights are spread, Y2 =
// E ΣA² → 0, and the output of every row is the mean of the tokens: rank collapse. Above,
// they have the law of Poisson and Dirichlet with parameter m = β_c/β: entropy collapse
// (LimitRow). For T tokens Z^-k = ∫ t^(k-1) e^(-tZ) dt/(k-1)! turns means over T scores to
// powers of a mean over one, a two-dimensional quadrature (FiniteRow); with two rows, whose
// scores of the same token have the correlation p/q, it has four dimensions
// (CrossParticipation). That E ΣA_ts A_us is 1/T for orthogonal tokens at every β, and
// what the two outputs have in common beyond p; the paper's maps, for T → ∞, need not have
// it. The logarithmic convergence to the limit is why finite sequences condense gradually,
// from about β_c/2 on.
//
// # Where the paper is corrected
//
//   - Result 2, (13) and (39): the fourth term of B.4 should expand to (p+(q-p)Y2)². The
//     bracket is (q-p)(Y2-2Y3+E(Y2)²), where (Y2)² is squared before the mean. As printed
//     it is negative for p < q/2 (QueryGradient). (39) is for one row of T.
//   - B.2.3: Φ_S should be ρ/(ρ+(1-ρ)Y2), as in (11).
//   - B.5.1: α²p in the denominator should be α²q, as in (15).
//   - (33), (B.18): the entropy per log T is 1-β²/β_c² (EntropyShare).
//   - (34), (15) of version 1: Y2 is not e^(-entropy) but larger. For β ≤ β_c/√3 it is of
//     the order T^(-1+2β²/β_c²), not T^(-1+β²/β_c²) (MomentExponent).
//   - (B.1) of version 1: the dimension in β_eff is that of the model, not of a head, and
//     the example takes the root of log T twice (EffectiveBeta).
//   - A.1 says that with pre-norm β_c depends on the norm of the stream; Algorithm 2, in
//     which attention sees normalised tokens, is right (Map.CriticalBeta).
package propagation
