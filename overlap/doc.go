// Package overlap is the one-dimensional theory of two clusters of tokens: the
// diffusion of their overlap in the limit of infinite depth, and the probability that
// they become antipodal. Nothing in it is random. Equation numbers are those of
// Fedorov et al., "Clustering in Deep Stochastic Transformers".
//
// # The diffusion
//
// Two tokens X¹, X² on the unit sphere of R^d have overlap Z = <X¹, X²>, and attention
// takes them to A¹ = pX¹ + qX², A² = qX¹ + pX². Softmax has p = e^β/(e^β + e^(βZ)),
// unnormalized attention p = e^β/2, and both have q = p e^(-β(1-Z)). Itô's formula for
// the product <X¹, X²> and the limiting equation (6) give the drift
//
//	σ² [-(d-1) Z |A|² + (Z²+d-2) <A¹,A²>]
//
// and, by (23), the variance 2σ² (1-Z²) (|A|² - Z<A¹,A²>). With |A|² = p²+q²+2pqZ and
// <A¹,A²> = (p²+q²)Z + 2pq both have a factor 1-Z²,
//
//	dZ = σ² (1-Z²) (p²+q²) (ψ(Z)-Z) dt + σ (1-Z²) sqrt(2(p²+q²)) dB,
//	ψ(z) = 2(d-2)pq/(p²+q²) = (d-2)/cosh(β(1-z)),
//
// which is (20) and (21). The ratio of drift and variance, and with it everything that
// does not ask when, is the same for both attentions and every σ. Two clusters of equal
// mass have the same p and q as two tokens.
//
// # The scale function
//
// The scale function S makes S(Z) a martingale: S' = exp(-∫ 2 drift/variance) (Appendix
// C.2 and C.3). In the coordinate u = atanh z the singularities of S' at z = ±1 go, as
// du = dz/(1-z²):
//
//	dS = exp(-h(u)) du, h(u) = log cosh u + ∫_0^u ψ(tanh t) dt, h' = tanh u + ψ.
//
// The slope h' increases from -a, a = 1 - (d-2)/cosh 2β, to d-1. So S(1) is finite, and
// S(-1) is finite if and only if a > 0, that is d-2 < cosh 2β (Theorem 2). In this case
// exp(-h) is, up to a factor, the log-concave density of a random variable G, and (24)
// says
//
//	P(antipodal | z0) = (S(1)-S(z0))/(S(1)-S(-1)) = P(G > atanh z0).
//
// A greater β or a smaller d multiplies the density by an increasing function of u.
// Hence P(antipodal | z0) increases with β and decreases with z0 and d.
//
// # Closed forms and limits
//
//   - d = 2: P(antipodal | z0) = arccos(z0)/π for every β; 1/2 for the uniform start.
//   - β = 0: S(1)-S(z) is ∫_0^w 2x^(d-2)/(1+x²) dx with w = sqrt((1-z)/(1+z)), and
//     P = 0 for d ≥ 3.
//   - d = 3, β → 0: P(antipodal | z0) ~ β² log(2/(1+z0)), β² for the uniform start.
//   - β ↓ βc(d), d ≥ 4: P vanishes linearly, as a(β) times (S(1)-S(z0))/s₋ where
//     s₋ = lim exp(-h(u)-au) at u → -∞.
//   - β → ∞: P(antipodal | z0) = α/π - (1-α/π) C sqrt(2/β)/π + O(1/β) with α =
//     arccos z0 and C = ∫ e^(-r) (1-exp(-(d-2)F(r))) dr over the line, F(r) =
//     ∫_-∞^r sech(e^(-2x)) dx: the value of d = 2, approached slowly.
//   - β → ∞ and d → ∞ with log(2d)/β → l < 2: ψ becomes a step at z* = 1-l, and
//     P(antipodal | z0) → (arccos z0 - arccos z*)/(π - arccos z*) for z0 < z*, and 0
//     above. A uniform start has z0 → 0, so it becomes antipodal from about β =
//     log(2d) on, twice the threshold βc ~ log(2d)/2, where only z0 near -1 does.
//
// # Computation
//
// All integrals are taken in u on panels of 16 Gauss-Legendre nodes; the inner integral
// h comes from the polynomial through the same nodes, whose last coefficients give the
// error bound and the width of the panel. ψ has its poles at |Im u| ≥ π/4 for every β,
// so there are some 30 panels. Densities are relative to the starting point; beyond |u|
// = 24 they are exponentials.
//
// # Where the paper is corrected
//
//   - (21) lacks a factor √2 in the diffusion coefficient: compare (20) with q/p, and
//     the paper's own statement that the ratio is the same for both attentions.
//   - The proof of Lemma 5 says that ∫ S' diverges at +1. It converges, S'(1-ε) being of
//     the order ε^((d-3)/2), and this is why +1 attracts.
package overlap
