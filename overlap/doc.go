// Package overlap contains the one-dimensional theory of two clusters of tokens: the diffusion of their
// overlap (the cosine of their angle) in the limit of infinite depth, its behaviour at the ends -1 and +1,
// and the probabilities that the clusters become antipodal or coincide. All computations of package overlap
// are deterministic.
//
//	d, err := overlap.New(8, 2, overlap.Softmax, 1) // dimension, β, attention, σ
//	if err != nil {
//		return err
//	}
//	d.MinusOne()               // attracting: β is above CriticalBeta(8), 1.239
//	d.AntipodalUniform().Value // 0.120933 of all pairs of uniform tokens become antipodal
//	d.AntipodalFrom(-0.5)      // from overlap -0.5
//
// Subpackages of overlap compute further properties of a Diffusion: its law at finite times (fokkerplanck),
// mean passage times and decay times (firstpassage), and its analogue at finite depth (finitedepth).
//
// Equation numbers in round brackets are those of Fedorov et al., "Clustering in Deep Stochastic
// Transformers"; equation numbers in square brackets are defined in package overlap.
//
// # The diffusion
//
// Two tokens X¹, X² on the unit sphere of R^d, or two clusters of m₁ and m₂ tokens, have overlap Z = <X¹,
// X²>. Attention takes the tokens X¹ and X² to A¹ = p₁X¹ + q₁X² and A² = q₂X¹ + p₂X². With softmax, the
// attention weights are p₁ = m₁/(m₁+m₂r) and q₁ = m₂r/(m₁+m₂r), where r = e^(-β(1-Z)); exchanging the indices
// 1 and 2 gives p₂ and q₂. With unnormalized attention, p₁ = e^β m₁/(m₁+m₂) and q₁ = e^β m₂r/(m₁+m₂). Itô's
// formula for the product <X¹, X²> and the limiting equation (6) give the drift of the overlap
//
//	σ² [-½(d-1) Z (|A¹|²+|A²|²) + (Z²+d-2) <A¹,A²>]
//
// and, by (23), the variance σ² (1-Z²) (|A¹|²+|A²|²-2Z<A¹,A²>) per unit of time. On X¹ + X² and X¹ - X²,
// attention acts through s_k = p_k+q_k and α_k = p_k-q_k. With
//
//	e = s₁s₂+α₁α₂, f = s₁s₂-α₁α₂, w = (s₁-s₂)²/(2(1-z)) + (α₁-α₂)²/(2(1+z)),
//
// drift and variance of the overlap z simplify in the coordinate u = atanh z, in which the ends z = ±1 are at
// infinity:
//
//	du = ½γ²h' dt + γ dB, γ² = σ²(e+w),                          [1]
//	h'(u) = ((d-2)f/e + z)/(1+w/e) - (d-3)z/(1+e/w).             [2]
//
// For equal masses w = 0, e = 2(p²+q²), and (d-2)f/e = ψ:
//
//	h' = ψ(z) + z, ψ(z) = 2(d-2)pq/(p²+q²) = (d-2)/cosh(β(1-z)),   [3]
//
// which is (20) and (21). Equation [3] holds for any attention given by a Kernel. So every quantity that does
// not involve time is the same for softmax and unnormalized attention, and for every noise amplitude σ. For
// unequal masses f/e has the additional factor (m₁²+m₂²)/(2m₁m₂), and w grows like 1/(1+z) as the overlap z
// tends to -1. In the hybrid model (8), with scalar noise of amplitude ε along A,
//
//	γ² = 4ε²q², h' = (1/ε² - p)/q.                               [4]
//
// # A block of several sources
//
// Let F be any isotropic Gaussian noise of a layer, E F_a(X^i)F_b(X^j) = κ_ij δ_ab. The effect of the noise F
// on the overlap depends only on the second moments κ₁₁, κ₂₂ and κ₁₂, which are functions of the overlap. The
// second moments κ_ij of independent noises add up. With κ the mean of κ₁₁ and κ₂₂,
//
//	n = 2(κ-zκ₁₂)/(1-z²), m = 2(κ₁₂-zκ)/(1-z²): γ² = n, γ²h' = (d-2)m + zn,
//
// Equations [1] to [3] are the case κ_ij = σ²<A^i, A^j>. An MLP W₂φ(W₁x) of any width and of strength c has
// κ₁₁ = c and κ₁₂ = cφ̂(z), where φ̂ is the correlation of the activation φ (package activation). A drift,
// that is a mean μI/L of the value matrices, adds 2μ(q₁+q₂) to γ²h'. As layers are independent, the limit of
// infinite depth depends neither on the width of the MLP nor on the number of attention heads. The limit of
// infinite depth is the same for sublayers in sequence and in parallel. WithMLP adds an MLP to a diffusion,
// and WithDrift adds a drift.
//
// If an MLP is strong and the slope r = φ̂'(1) of its correlation is at least (d-1)/(d-3), neither end z = ±1
// attracts: the overlap has a stationary law, whose density in z is proportional to 1/(variance · S') with
// the scale function S.
//
// # The ends
//
// The scale measure of the overlap is exp(-h) du in the coordinate u = atanh z. An end z = ±1 at which γ has
// a limit attracts if and only if h' has the sign of u at this end. Under random value matrices the end +1
// always attracts; for equal masses the end -1 attracts if and only if d-2 < cosh 2β (Theorem 2). In the
// hybrid model the end +1 attracts if and only if ε²p(1) < 1, and the end -1 if and only if ε²p(-1) > 1. If
// one of these inequalities is an equality, the scale function is infinite at the end, and the end does not
// attract. For unequal masses α₁ ≠ α₂ at z = -1, so that 1+Z is locally a squared Bessel process of dimension
// d-1. For unequal masses the end -1 is an entrance, or a reflecting end for d = 2, and antipodal clusters
// are metastable. With softmax, antipodal clusters of unequal masses last for a time that grows like e^(2β)
// (firstpassage.Lifetime, firstpassage.DecayTime), but not for ever. The metastability of unequal clusters
// contradicts the conjecture of the paper that the outcome for many tokens is stable.
//
// # The scale function
//
// The scale function S of the overlap Z makes S(Z) a martingale: S' = exp(-∫ 2 drift/variance) (Appendix C.2
// and C.3). In the coordinate u = atanh z, with du = dz/(1-z²), the singularities of S' at z = ±1 disappear:
//
//	dS = exp(-h(u)) du, for equal masses h(u) = log cosh u + ∫_0^u ψ(tanh t) dt.   [5]
//
// For equal masses the slope h'(u) increases from -a, where a = 1 - (d-2)/cosh 2β, to d-1. So the scale
// function S(1) is finite, and S(-1) is finite if and only if a > 0, that is d-2 < cosh 2β (Theorem 2). If
// S(-1) is finite, exp(-h) is, up to a factor, the log-concave density of a random variable G, and (24)
// becomes
//
//	P(antipodal | z0) = (S(1)-S(z0))/(S(1)-S(-1)) = P(G > atanh z0).
//
// Increasing β or decreasing d multiplies the scale density exp(-h) by an increasing function of u. Hence
// P(antipodal | z0) increases with β and decreases with z0 and d.
//
// # Closed forms and limits
//
//   - d = 2: P(antipodal | z0) = arccos(z0)/π for every β; 1/2 for the uniform start.
//   - β = 0: S(1)-S(z) is ∫_0^w 2x^(d-2)/(1+x²) dx with w = sqrt((1-z)/(1+z)), and P = 0 for
//     d ≥ 3.
//   - d = 3, β → 0: P(antipodal | z0) ~ β² log(2/(1+z0)), and ~ β² for the uniform start.
//   - β ↓ βc(d), d ≥ 4: P vanishes linearly, as a(β) times (S(1)-S(z0))/s₋, where s₋ is the limit of
//     exp(-h(u)-au) as u → -∞.
//   - β → ∞: P(antipodal | z0) = α/π - (1-α/π) C sqrt(2/β)/π + O(1/β) with α = arccos z0, C = ∫ e^(-r)
//     (1-exp(-(d-2)F(r))) dr over the real line, and F(r) = ∫_-∞^r sech(e^(-2x)) dx. The limit α/π is the
//     probability for d = 2; the probability approaches α/π slowly.
//   - β → ∞ and d → ∞ with log(2d)/β → l < 2: ψ becomes a step at z* = 1-l, and P(antipodal | z0) → (arccos
//     z0 - arccos z*)/(π - arccos z*) for z0 < z*, and 0 for z0 > z*. Uniform tokens have z0 → 0, so they
//     become antipodal from about β = log(2d) on, which is twice the threshold βc ~ log(2d)/2, at which only
//     tokens with z0 near -1 become antipodal.
//
// # Computation
//
// All integrals over the overlap z are taken in u = atanh z on panels of 16 Gauss-Legendre nodes. The
// function h of [5] is the integral of the polynomial that interpolates h' at the Gauss-Legendre nodes of a
// panel. The last coefficients of the interpolating polynomial determine the estimate of the error and the
// width of the panel. For every β the poles of ψ satisfy |Im u| ≥ π/4, so some 30 panels suffice. Scale
// densities are relative to the scale density at the starting overlap; beyond |u| = 24 a scale density is an
// exponential function of u.
//
// # Where the paper is corrected
//
//   - Equation (21) lacks a factor √2 in the diffusion coefficient: compare (20) with q/p, and the paper's
//     own statement that the ratio of drift and variance is the same for both attentions.
//   - The proof of Lemma 5 says that ∫ S' diverges at +1. The integral of S' converges at +1, as S'(1-ε) is
//     of order ε^((d-3)/2), and therefore the end +1 attracts.
//   - Appendix C.4: the middle expression for s(x) has y where 2y is right; the final expression for s(x) is
//     right.
package overlap
