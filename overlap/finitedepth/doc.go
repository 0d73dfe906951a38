// Package finitedepth analyses the recursion (4) with L layers per unit of time and Gaussian value matrices
// for two tokens that are almost antipodal or almost coincide. The package computes Lyapunov exponents of the
// overlap z of the tokens, the critical β at a given depth, and bounds on the probability that nearly
// antipodal or nearly coinciding tokens separate.
//
//	layer, err := finitedepth.Antipodal(8, 2, overlap.Softmax, 1, 100) // dimension, β, attention, σ, L
//	if err != nil {
//		return err
//	}
//	layer.Lyapunov() // negative: nearly antipodal tokens approach each other's opposite
//	layer.Lundberg() // κ: 1+z returns from x to y with probability at most (x/y)^κ
//
// # One layer
//
// Near an end z = ±1 of the overlap, one of the vectors X¹+X² and X¹-X² is short. Let S be the short vector
// and D the long vector. Near the end, a layer multiplies |S| by
//
//	|P_U^⊥ V|/|U|, U = e + c h, V = s + b g,
//
// where e and s are the orthogonal unit vectors along D and S, g and h are independent standard Gaussian
// vectors in R^d, and P_U^⊥ is the projection orthogonal to U. Near z = -1, b = σ/√L·(p+q) and c =
// σ/√L·(p-q); near z = +1, b = σ/√L·(p-q) and c = σ/√L·(p+q). At z = -1, p+q = 1 and p-q = tanh β for
// softmax; p+q = cosh β and p-q = sinh β for unnormalized attention. At z = +1, p-q = 0 for softmax and for
// unnormalized attention; p+q = 1 for softmax, and p+q = e^β for unnormalized attention.
//
// # The Lyapunov exponent
//
// An end attracts if and only if the Lyapunov exponent λ = E log(|P_U^⊥ V|/|U|) is negative. Let B =
// <s,U>²/|U|². Given U, |P_U^⊥ V|² is b² times a noncentral χ² with d-1 degrees of freedom and noncentrality
// (1-B)/b². Let Δ_k(ν) = E log(χ²_k(ν)/ν). As E log(1-B) is a difference of two values of Δ,
//
//	2λ = Δ_(d-1)(1/c²) - 2Δ_d(1/c²) + E Δ_(d-1)((1-B)/b²).
//
// The zero βc(d, L) of λ differs from overlap.CriticalBeta by a term of order 1/L. For softmax let T = tanh²β
// and h = σ²/L, so that b² = h and c² = hT. From the series E(1-B)^-1 = 1 + c² - (d-5)c⁴ + … and the series
// of Δ_k for large ν follows
//
//	2λ = h(d-3 - (d-1)T + hA(T) + h²B(T) + …), A = ½(d²-4d+1)T² + (d-3)T - ½(d-3)(d-5),
//	B = ⅓((d-3)(d-5)(d-7) - 2(d-2)(d-4)(d-6))T³ - (d-3)(d-5)(T² + T) + ⅓(d-3)(d-5)(d-7),
//
// ExpandedCriticalBeta is the zero of this series for 2λ, expanded in powers of h. For unnormalized attention
// the series holds with h/(1-T) in place of h.
//
// Δ_k(ν) is E log|x+g|² - log|x|² for a standard Gaussian g in R^k and |x|² = ν. So for large ν the heat
// equation gives the series Δ_k(ν) = (k-2)/ν - (k-2)(k-4)/2ν² + …. For smaller ν, the noncentral χ² is
// represented as a central χ² with k+2J degrees of freedom, where J is Poisson. Up to a factor, the density
// of B weighted with |U|^(2μ-1) is
//
//	B^(-1/2) (1-B)^((d-3)/2) exp(-νB/2) E(χ²_(d-1)(ν(1-B)))^μ, ν = 1/c².
//
// Integrals over B are integrals over v, with B = 1/(1+e^(-2v)), by the trapezoidal rule, which converges
// geometrically.
//
// CertifyCriticalBeta encloses the zero βc of λ in interval arithmetic. Let J and K be Poisson with means x =
// 1/(2b²) and y = 1/(2c²), and k = d-1. Given K, |U|² is c² times a χ² with d+2K degrees of freedom, and B is
// Beta(½, k/2+K). Given B, |P_U^⊥ V|² has the same representation with a J of mean x(1-B). The successive
// differences of ψ, 1/a and so on, alternate in sign, so that
//
//	2λ = E ψ(k/2+J) - log x - E ψ(d/2+K) + log y - Σ_n 1/n E x^n/(k/2+J)_n E (½)_n/(d/2+K)_n, n = 1, 2 …,
//
// with (a)_n = a(a+1)…(a+n-1). For d ≥ 3 the first mean of a term decreases with n, and the second mean falls
// at least by the factor (n+½)/(n+3/2). So the sum over all terms from n on is at most (n+½)/(n-1) times the
// product of the two means of term n. For softmax λ has only one zero, as only c depends on β. As c grows, E
// log |U|² increases because log |x|² is subharmonic, and B increases because K decreases.
//
// # Other noise
//
// The entries of value matrices may have a covariance (overlap.Covariance), and queries and keys may be
// random. With such noise V and U are jointly Gaussian given the attention weights, but neither isotropic nor
// independent. Powers of Q = |P_U^⊥ V|² and of |U| are integrals of exponentials,
//
//	x^ν = Γ(ν+1)/π ∫ exp(r²x) r^(-2ν-1) dy, r = p + iy,
//
// over a parabola, along which exp(r²x) decreases fast (Weideman and Trefethen, Math. Comp. 76, 2007),
// and
//
//	exp(r²Q) = |U| π^(-1/2) ∫ exp(-|yU + irV|²) dy.
//
// So E Q^κ |U|^(-2κ) is a triple integral of the transform E exp(-<(V,U),T(V,U)>), which is a product over
// directions. The derivative of this triple integral at κ = 0 is 2λ. All three integrals are computed by the
// trapezoidal rule, and cut off where Q or |U| is nearly 0. In low dimensions and at small depths the cut-off
// costs accuracy. If the estimated error is above 3e-6, Isotropic.Antipodal and Isotropic.Single return an
// error.
//
// # The Lundberg exponent
//
// In the linear recursion for the short vector S near an end, log |S| is a random walk. The Lundberg exponent
// κ > 0 of this random walk solves E(|P_U^⊥ V|/|U|)^(2κ) = 1, so that (1∓z)^κ is a martingale. Hence the
// distance 1∓z from the end returns from x to y with probability at most (x/y)^κ. As the depth L → ∞, 2κ
// tends to 1-(d-2)/cosh 2β at the end -1 and to d-1 at the end +1, the exponents of the scale function of
// package overlap.
//
// # The return bound
//
// AntipodalReturn and SingleReturn bound the probability that the overlap returns from a neighbourhood of an
// end in recursion (4) itself, which is not linear. Let ζ = 1+z (or 1-z). After a layer, and before
// normalisation, write S' = |S|σ and D' = |D|δ with σ = ŝ+bg and δ = d̂+ch. Let σ⊥ and σ∥ be the components
// of σ orthogonal and parallel to δ, p₀ = ζ/(2-ζ), R = |σ⊥|²/|δ|² and P = p₀|σ∥|²/|δ|². The distance ζ' from
// the end after the layer is
//
//	ζ' = 4p₀R/(n(n+1-p₀R-P)), n² = (1+p₀R-P)² + 4p₀RP.
//
// For P < 1, as log(1+p₀e^t) is convex in t, the new distance ζ' satisfies
//
//	ζ'/ζ ≤ (1+p₀)R/(1+p₀R) · (1-P)^-2 ≤ R^(1-ζ/2) (1-P)^-2.
//
// If E (ζ'/ζ)^κ ≤ 1 for all ζ ≤ within, ζ^κ is a supermartingale until ζ ≥ within, and the bound (x/within)^κ
// on the probability of a return from ζ = x follows. Of several κ below the Lundberg exponent,
// AntipodalReturn and SingleReturn return the greatest κ for which the sum of the following three bounds is
// at most 1.
//
//   - Where P ≤ ½ and |δ| ≥ r, (1-P)^-2κ ≤ exp(4κ ln 2·P). Given the direction of δ, σ∥ is Gaussian
//     and independent of σ⊥, so the expectation is explicit.
//   - Where P ≤ ½ and |δ| < r, (1-P)^-2κ ≤ 4^κ, and the density of δ is at most
//     (2πc²)^(-d/2) exp(-(1-r)²/2c²).
//   - Where P > ½, ζ' ≤ 2. If P > ½, either |σ∥| > s = 1+b√(2(κ+4)log(2/ζ)), which has probability at most
//     (ζ/2)^(κ+4), or |δ|² < 2p₀s². For κ ≤ 0.4 d both contributions to E (ζ'/ζ)^κ are greatest at ζ =
//     within.
//
// The contribution of |σ∥| > s grows like ζ⁴. In the contribution of |δ|² < 2p₀s², the volume of the ball of
// δ grows like ζ^(d/2), except for a power of log(2/ζ) that lowers the exponent by at most d/(2 log(2/ζ)) ≤
// 0.0944d.
//
// For value matrices whose entries are not independent, package finitedepth has no return bound.
//
// # The proof
//
// For value matrices of independent entries, the condition E (ζ'/ζ)^κ ≤ 1 is proved in interval arithmetic
// with outward rounding. Let t = 1-B, k = d-1, x = 1/(2c²), K Poisson of mean x, and w(t) = E|√t s + bg|^(2κ)
// for a standard Gaussian g in R^k. The mean of R^κ e^(rB) is
//
//	E R^κ e^(rB) = E H(K) T(K), H(K) = x^κ Γ(d/2+K-κ)/Γ(d/2+K), T(K) = E e^(rB) w(1-B),
//
// since given K, |U|² is c² times a χ² with d+2K degrees of freedom, and B is independent of |U|² and Beta(½,
// k/2+K). The sum over K is truncated, and a geometric series bounds the remainder. At the end -1, where κ ≤
// 1, w is
//
//	w(1-B) = Σ_n binomial(κ, n) (-B)^n y^(n-κ) E Γ(k/2+κ+J)/Γ(k/2+n+J), J Poisson of mean y = 1/(2b²),
//
// whose terms from n = 1 on are all negative, so that omitting some of these terms gives an upper bound of w.
// At the end +1, b is nearly 0. For κ ≤ 1, w ≤ (t + kb²)^κ by Jensen's inequality. For κ ≥ 1, w ≤ t^κ +
// κ(2κ+k-2)b²(1+b√(k+2κ))^(2κ-2), as dw/d(b²) = κ(2κ+k-2)E|x|^(2κ-2).
//
// One evaluation of the mean E H(K) T(K), at ζ = within, covers the whole neighbourhood ζ ≤ within. As ζ
// falls to 0, c grows, and b decreases or is constant. The mean increases with b where |x|^(2κ) is
// subharmonic, for k ≥ 2 or 2κ ≥ 1; otherwise b² dw/d(b²) lies between (κ-1)w and κw. The derivative of the
// mean with respect to y = log x is the mean of H T times κ + K(1 - H(K-1)T(K-1)/H(K)T(K)). T increases with
// K because B becomes smaller and e^(rB) w(1-B) decreases with B: w'/w = κE Y^(κ-1)/w ≥ κ/(C+kb²) is above r,
// where Y has k+2 degrees of freedom and C = max(1, (k/2+κ)/(k/2+1)). So the derivative is at least the mean
// of H T times κ(d/2-1-κ)/(d/2+K-1-κ). For κ ≤ d/2-1 the mean is therefore greatest at the edge ζ = within.
// For greater κ, the decrease of the mean is bounded by the mean of the negative part of
// κ(d/2-1-κ)/(d/2+K-1-κ) times H T, which is bounded in a similar way between the edge and the end.
//
// AntipodalReturn and SingleReturn attempt no proof, and return no bound, if the sums over K or J would have
// a million terms, as for β close to 0.
//
// # The hybrid
//
// A layer of the hybrid recursion (7) keeps X¹±X² orthogonal and multiplies their lengths by 1 + f(p±q),
// where f = 1/L + εvL^{-1/2}. So a layer multiplies ρ = ζ/(2-ζ), the ratio of the squared lengths of the
// short and the long vector, by R, the squared ratio of the factors of the short and the long vector. If E
// R^κ ≤ 1 for all ζ ≤ within, ρ^κ is a supermartingale until ζ ≥ within. Hence ρ, and so the distance ζ,
// returns to within with probability at most (ζ/within)^κ. For Rademacher v the expectation E R^κ is a sum of
// two terms. For other laws of v, E R^κ is an integral, computed from Taylor series on panels; the remainder
// of a series is enclosed over the whole panel. The condition E R^κ ≤ 1 is proved on subintervals of the
// neighbourhood. Except for Rademacher v, the hybrid recursion has no return bound if a layer may take the
// long vector to 0, that is, if f(p+q) may be -1. Normal v are truncated at ±8.6 (as in simulations), so
// f(p+q) may be -1 if ε(p+q) is above about √L/9. Between the two thresholds of ε for softmax, and near the
// threshold for unnormalized attention, the exponent κ is small.
package finitedepth
