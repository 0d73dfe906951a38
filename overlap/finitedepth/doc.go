// Package finitedepth analyses the recursion (4) with L layers per unit of time and Gaussian value
// matrices for two tokens that are almost antipodal or almost coincide. It computes Lyapunov exponents,
// the critical β at a given depth, and bounds on the probability that such tokens separate.
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
// Near an end, one of the vectors X¹+X² and X¹-X² is short. Let S be the short vector and D the long one.
// Near the end, a layer multiplies |S| by
//
//	|P_U^⊥ V|/|U|, U = e + c h, V = s + b g,
//
// where e and s are the orthogonal unit vectors along D and S, and g and h are independent standard Gaussian
// vectors in R^d. Near z = -1, b = σ/√L·(p+q) and c = σ/√L·(p-q); near z = +1, b = σ/√L·(p-q) and c =
// σ/√L·(p+q). At z = -1, p+q = 1 and p-q = tanh β for softmax; p+q = cosh β and p-q = sinh β for unnormalized
// attention. At z = +1, p-q = 0 for both; p+q = 1 for softmax, and p+q = e^β for unnormalized attention.
//
// # The Lyapunov exponent
//
// The end attracts if and only if λ = E log(|P_U^⊥ V|/|U|) < 0. Let B = <s,U>²/|U|². Given U, |P_U^⊥ V|²
// is b² times a noncentral χ² with d-1 degrees of freedom and noncentrality (1-B)/b². Let Δ_k(ν) = E
// log(χ²_k(ν)/ν). Then E log(1-B) is a difference of such terms, and
//
//	2λ = Δ_(d-1)(1/c²) - 2Δ_d(1/c²) + E Δ_(d-1)((1-B)/b²).
//
// The zero βc(d, L) of λ differs from overlap.CriticalBeta by a term of order 1/L. For softmax let T =
// tanh²β and h = σ²/L, so that b² = h and c² = hT. Then E(1-B)^-1 = 1 + c² - (d-5)c⁴ + … and the series
// below give
//
//	2λ = h(d-3 - (d-1)T + hA(T) + h²B(T) + …), A = ½(d²-4d+1)T² + (d-3)T - ½(d-3)(d-5),
//	B = ⅓((d-3)(d-5)(d-7) - 2(d-2)(d-4)(d-6))T³ - (d-3)(d-5)(T² + T) + ⅓(d-3)(d-5)(d-7),
//
// ExpandedCriticalBeta is the zero of this series, expanded in powers of h. For unnormalized attention h is
// replaced by h/(1-T).
//
// Δ_k(ν) is E log|x+g|² - log|x|² for a standard Gaussian g in R^k and |x|² = ν. So for large ν the heat
// equation gives the series (k-2)/ν - (k-2)(k-4)/2ν² + …. For smaller ν, χ² is represented as a central
// χ² with k+2J degrees of freedom, where J is Poisson. Up to a factor, the density of B weighted with
// |U|^(2μ-1) is
//
//	B^(-1/2) (1-B)^((d-3)/2) exp(-νB/2) E(χ²_(d-1)(ν(1-B)))^μ, ν = 1/c².
//
// It is integrated in v, with B = 1/(1+e^(-2v)), by the trapezoidal rule, which converges geometrically.
//
// CertifyCriticalBeta encloses the zero in interval arithmetic. Let J and K be Poisson with means x = 1/(2b²)
// and y = 1/(2c²), and k = d-1. Given K, |U|² is c² times a χ² with d+2K degrees of freedom, and B is Beta(½,
// k/2+K). Given B, |P_U^⊥ V|² has the same representation with a J of mean x(1-B). The successive differences
// of ψ, 1/a and so on, alternate in sign, so that
//
//	2λ = E ψ(k/2+J) - log x - E ψ(d/2+K) + log y - Σ_n 1/n E x^n/(k/2+J)_n E (½)_n/(d/2+K)_n, n = 1, 2 …,
//
// with (a)_n = a(a+1)…(a+n-1). For d ≥ 3 the first mean decreases with n, and the second falls at least
// by the factor (n+½)/(n+3/2). So from some n on the sum is at most (n+½)/(n-1) times the product of both
// means. For softmax there is only one zero. Only c depends on β. As c grows, E log |U|² increases
// because log |x|² is subharmonic, and B increases because K decreases.
//
// # Other noise
//
// The entries of value matrices may have a covariance (overlap.Covariance), and queries and keys may be
// random. Then V and U are jointly Gaussian given the attention weights, but neither isotropic nor
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
// directions. 2λ is its derivative at κ = 0. All integrals are computed by the trapezoidal rule. They are cut
// off where Q or |U| is nearly 0. In low dimensions and at small depths the cut-off costs accuracy. If the
// estimated error is above 3e-6, the functions return an error instead of a result.
//
// # The Lundberg exponent
//
// In the linear recursion above, log |S| is a random walk. Its Lundberg exponent κ > 0 solves E(|P_U^⊥
// V|/|U|)^(2κ) = 1, so that (1∓z)^κ is a martingale. Hence 1∓z returns from x to y with probability at
// most (x/y)^κ. As L → ∞, 2κ tends to 1-(d-2)/cosh 2β at -1 and to d-1 at +1, the exponents of the scale
// function.
//
// # The return bound
//
// AntipodalReturn and SingleReturn bound the probability of a return in the recursion itself, which is
// not linear. Let ζ = 1+z (or 1-z). After a layer, and before normalisation, write S' = |S|σ and D' =
// |D|δ with σ = ŝ+bg and δ = d̂+ch. Let σ⊥ and σ∥ be the components of σ orthogonal and parallel to δ, p₀
// = ζ/(2-ζ), R = |σ⊥|²/|δ|² and P = p₀|σ∥|²/|δ|². Then
//
//	ζ' = 4p₀R/(n(n+1-p₀R-P)), n² = (1+p₀R-P)² + 4p₀RP.
//
// Hence for P < 1, as log(1+p₀e^t) is convex in t,
//
//	ζ'/ζ ≤ (1+p₀)R/(1+p₀R) · (1-P)^-2 ≤ R^(1-ζ/2) (1-P)^-2.
//
// If E (ζ'/ζ)^κ ≤ 1 for all ζ ≤ within, ζ^κ is a supermartingale until ζ ≥ within, and the bound follows.
// Several κ below the Lundberg exponent are tried; the result is the greatest for which the sum of the
// following bounds is at most 1.
//
//   - Where P ≤ ½ and |δ| ≥ r, (1-P)^-2κ ≤ exp(4κ ln 2·P). Given the direction of δ, σ∥ is Gaussian
//     and independent of σ⊥, so the expectation is explicit.
//   - Where P ≤ ½ and |δ| < r, (1-P)^-2κ ≤ 4^κ, and the density of δ is at most
//     (2πc²)^(-d/2) exp(-(1-r)²/2c²).
//   - Where P > ½, ζ' ≤ 2. Then either |σ∥| > s = 1+b√(2(κ+4)log(2/ζ)), which has probability at
//     most (ζ/2)^(κ+4), or |δ|² < 2p₀s². For κ ≤ 0.4 d both contributions to E (ζ'/ζ)^κ are
//     greatest at ζ = within.
//
// This holds because the first contribution for P > ½ grows like ζ⁴. In the second, the
// volume of the ball grows like ζ^(d/2), except for a power of log(2/ζ) that lowers the exponent by at
// most d/(2 log(2/ζ)) ≤ 0.0944d.
//
// For value matrices of another covariance no bound is proved, so none is available.
//
// # The proof
//
// For independent entries the condition is proved in interval arithmetic with outward rounding. Let t =
// 1-B, k = d-1, x = 1/(2c²), K Poisson of mean x, and w(t) = E|√t s + bg|^(2κ) for a standard Gaussian g
// in R^k. Then
//
//	E R^κ e^(rB) = E H(K) T(K), H(K) = x^κ Γ(d/2+K-κ)/Γ(d/2+K), T(K) = E e^(rB) w(1-B),
//
// since given K, |U|² is c² times a χ² with d+2K degrees of freedom, and B is independent of it and Beta(½,
// k/2+K). The sum over K is truncated, and a geometric series bounds the remainder. At -1, where κ ≤ 1, w is
//
//	w(1-B) = Σ_n binomial(κ, n) (-B)^n y^(n-κ) E Γ(k/2+κ+J)/Γ(k/2+n+J), J Poisson of mean y = 1/(2b²),
//
// whose terms from n = 1 on are all negative, so that omitting some keeps it an upper bound. At +1, b is
// nearly 0. For κ ≤ 1, w ≤ (t + kb²)^κ by Jensen's inequality. For κ ≥ 1, w ≤ t^κ +
// κ(2κ+k-2)b²(1+b√(k+2κ))^(2κ-2), as dw/d(b²) = κ(2κ+k-2)E|x|^(2κ-2).
//
// One evaluation, at ζ = within, covers the whole neighbourhood. Towards the end c grows, and b decreases
// or is constant. The mean increases with b where |x|^(2κ) is subharmonic, for k ≥ 2 or 2κ ≥ 1; otherwise
// b² dw/d(b²) lies between (κ-1)w and κw. The derivative of the mean with respect to y = log x is the
// mean of H T times κ + K(1 - H(K-1)T(K-1)/H(K)T(K)). T increases with K because B becomes smaller and
// e^(rB) w(1-B) decreases with B: w'/w = κE Y^(κ-1)/w ≥ κ/(C+kb²) is above r, where Y has k+2 degrees of
// freedom and C = max(1, (k/2+κ)/(k/2+1)). So the derivative is at least the mean of H T times
// κ(d/2-1-κ)/(d/2+K-1-κ). For κ ≤ d/2-1 the mean is therefore greatest at the edge. Otherwise its
// decrease is bounded by the mean of the negative part, which the same argument bounds between the edge
// and the end.
//
// No proof is attempted, and no bound returned, if the sums would have a million terms, as for β close to
// 0.
//
// # The hybrid
//
// A layer of the hybrid recursion (7) keeps X¹±X² orthogonal and multiplies their lengths by 1 + f(p±q),
// where f = 1/L + εvL^{-1/2}. So it multiplies ρ = ζ/(2-ζ), the ratio of the squared lengths, by R, the
// squared ratio of the factor of the short vector to that of the long one. If E R^κ ≤ 1 for all ζ ≤ within,
// ρ^κ is a supermartingale until ζ ≥ within. Then ρ, and so ζ, returns with probability at most (ζ/within)^κ.
// For Rademacher v the expectation is a sum of two terms. For other laws it is an integral, computed from
// Taylor series on panels whose remainders are enclosed over the whole panel. The condition is proved on
// subintervals of the neighbourhood. Except for Rademacher v, no bound is available if a layer may take the
// long vector to 0, that is, if f(p+q) may be -1. Normal v are truncated at ±8.6 (as in simulations), so
// f(p+q) may be -1 if ε(p+q) is above about √L/9.
// Between the two thresholds of softmax, and near the threshold of unnormalized attention, κ is small.
package finitedepth
