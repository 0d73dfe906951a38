// Package finitedepth is what the recursion (4) with L layers per unit of time and Gaussian
// value matrices does to two tokens that are almost antipodal or almost coincide: Lyapunov
// exponents, the critical β at a depth, and how unlikely it is that such tokens separate.
//
//	layer, err := finitedepth.Antipodal(8, 2, overlap.Softmax, 1, 100) // dimension, β, attention, σ, L
//	if err != nil {
//		return err
//	}
//	layer.Lyapunov() // negative: antipodal tokens remain so
//	layer.Lundberg() // κ: they return from 1+z = x to y with probability at most (x/y)^κ
//
// # One layer
//
// Let S be the short and D the long one of X¹+X² and X¹-X². Near an end, |S| is multiplied by
//
//	|P_U^⊥ V|/|U|, U = e + c h, V = s + b g,
//
// where e and s are orthogonal unit vectors, along D and S, g and h are independent standard
// Gaussians in R^d, and b and c are σ/√L times p+q and p-q near z = -1; near +1 they are
// exchanged. At -1 softmax has p+q = 1 and p-q = tanh β, unnormalized attention cosh β and
// sinh β. At +1 p-q = 0, and p+q is 1 for softmax and e^β for unnormalized attention.
//
// # The Lyapunov exponent
//
// The end attracts if and only if λ = E log(|P_U^⊥ V|/|U|) < 0. Given U, |P_U^⊥ V|² is b²
// times a noncentral χ² of d-1 degrees of freedom and noncentrality (1-B)/b², B = <s,U>²/|U|².
// With Δ_k(ν) = E log(χ²_k(ν)/ν), of which E log(1-B) is a difference,
//
//	2λ = Δ_(d-1)(1/c²) - 2Δ_d(1/c²) + E Δ_(d-1)((1-B)/b²).
//
// Its zero βc(d, L) differs from overlap.CriticalBeta by a term of order 1/L. With T = tanh²β, h =
// σ²/L, b² = h and c² = hT for softmax, E(1-B)^-1 = 1 + c² - (d-5)c⁴ + … and the series below give
//
//	2λ = h(d-3 - (d-1)T + hA(T) + h²B(T) + …), A = ½(d²-4d+1)T² + (d-3)T - ½(d-3)(d-5),
//	B = ⅓((d-3)(d-5)(d-7) - 2(d-2)(d-4)(d-6))T³ - (d-3)(d-5)(T² + T) + ⅓(d-3)(d-5)(d-7),
//
// of which ExpandedCriticalBeta is the zero, power by power in h; unnormalized attention has h/(1-T) for h.
//
// Δ_k(ν) is E log|x+g|² - log|x|² for a standard Gaussian g in R^k and |x|² = ν. So for large
// ν the heat equation gives the series (k-2)/ν - (k-2)(k-4)/2ν² + …; otherwise χ² is a central
// one of k+2J degrees, J Poisson. Up to a factor, the density of B weighted with |U|^(2μ-1) is
//
//	B^(-1/2) (1-B)^((d-3)/2) exp(-νB/2) E(χ²_(d-1)(ν(1-B)))^μ, ν = 1/c².
//
// It is integrated in B = 1/(1+e^(-2v)) by the trapezoidal rule, which converges
// geometrically.
//
// CertifyCriticalBeta encloses its zero in interval arithmetic. With J and K Poisson of means x = 1/(2b²)
// and y = 1/(2c²), |U|² is c² times a χ² of d+2K degrees, B given K is Beta(½, k/2+K), k = d-1, and |P_U^⊥
// V|² given B is as with J of mean x(1-B). The differences of ψ, of which 1/a is the first, are of
// alternating signs, so that
//
//	2λ = E ψ(k/2+J) - log x - E ψ(d/2+K) + log y - Σ_n 1/n E x^n/(k/2+J)_n E (½)_n/(d/2+K)_n, n = 1, 2 …,
//
// (a)_n = a(a+1)…(a+n-1). For d ≥ 3 the first mean falls with n, and so does the second, by (n+½)/(n+3/2) at
// least: from some n on the sum is at most (n+½)/(n-1) times the product of both. For softmax the zero is the
// only one: with c, which alone depends on β, E log |U|² increases, as log |x|² is subharmonic, and B,
// as K becomes less.
//
// # Other noise
//
// Under value matrices of a covariance (overlap.Covariance), and with random queries and keys, V and U are
// Gaussian together, given the weights of attention, but neither isotropic nor independent. Powers of Q =
// |P_U^⊥ V|² and |U| are sums of exponentials,
//
//	x^ν = Γ(ν+1)/π ∫ exp(r²x) r^(-2ν-1) dy, r = p + iy,
//
// over a parabola, on which exp(r²x) falls fast (Weideman and Trefethen, Math. Comp. 76, 2007), and
//
//	exp(r²Q) = |U| π^(-1/2) ∫ exp(-|yU + irV|²) dy.
//
// So E Q^κ |U|^(-2κ) is an integral over three numbers of the transform E exp(-<(V,U),T(V,U)>), which is a
// product over directions, and 2λ its derivative at κ = 0. All sums are trapezoidal. They are cut off
// where Q or |U| is nearly 0, which in low dimensions and at small depths costs digits, and is refused
// beyond 3e-6.
//
// # The Lundberg exponent
//
// In the linear recursion above, log |S| is a random walk. Its Lundberg exponent κ > 0 solves
// E(|P_U^⊥ V|/|U|)^(2κ) = 1, so that (1∓z)^κ is a martingale, and the probability to return
// from 1∓z = x to y is at most (x/y)^κ. As L → ∞, 2κ tends to 1-(d-2)/cosh 2β at -1 and to d-1
// at +1, the exponents of the scale function.
//
// # The return bound
//
// AntipodalReturn and SingleReturn bound the return of the recursion itself, which is not
// linear. Let ζ = 1+z (or 1-z), and S' = |S|σ and D' = |D|δ after a layer, before they are
// normalised, σ = ŝ+bg, δ = d̂+ch. With σ⊥ and σ∥ the parts of σ across and along δ, and
// p₀ = ζ/(2-ζ), R = |σ⊥|²/|δ|², P = p₀|σ∥|²/|δ|²,
//
//	ζ' = 4p₀R/(n(n+1-p₀R-P)), n² = (1+p₀R-P)² + 4p₀RP,
//
// so that for P < 1, as log(1+p₀e^t) is convex in t,
//
//	ζ'/ζ ≤ (1+p₀)R/(1+p₀R) · (1-P)^-2 ≤ R^(1-ζ/2) (1-P)^-2.
//
// If E (ζ'/ζ)^κ ≤ 1 for all ζ ≤ within, ζ^κ is a supermartingale until ζ ≥ within, whence the
// bound. The exponent is the greatest of some κ below the Lundberg exponent for which the sum
// of the following is at most 1.
//
//   - Where P ≤ ½ and |δ| ≥ r, (1-P)^-2κ ≤ exp(4κ ln 2·P). Given the direction of δ, σ∥ is a
//     Gaussian number independent of σ⊥, and this expectation is explicit.
//   - Where P ≤ ½ and |δ| < r, (1-P)^-2κ ≤ 4^κ, and the density of δ is at most
//     (2πc²)^(-d/2) exp(-(1-r)²/2c²).
//   - Where P > ½, ζ' ≤ 2. Either |σ∥| > s = 1+b√(2(κ+4)log(2/ζ)), which has probability at
//     most (ζ/2)^(κ+4), or |δ|² < 2p₀s². For κ ≤ 0.4 d both parts of E (ζ'/ζ)^κ are greatest
//     at ζ = within.
//
// The first of the two parts for P > ½ grows with ζ like ζ⁴, and of the second the ball's radius does
// like √ζ but for a logarithm, whose power d/(4 log 2/ζ) is below 0.0944d; so both are greatest at the
// edge.
//
// For value matrices of another covariance there is no proof, and no bound.
//
// # The proof
//
// For independent entries the condition is proved, in interval arithmetic with outward rounding. With t =
// 1-B, k = d-1, x = 1/(2c²), K Poisson of mean x and w(t) = E|√t s + bg|^(2κ) for a Gaussian g in R^k,
//
//	E R^κ e^(rB) = E H(K) T(K), H(K) = x^κ Γ(d/2+K-κ)/Γ(d/2+K), T(K) = E e^(rB) w(1-B),
//
// as |U|² is c² times a χ² of d+2K degrees given K, and B then Beta(½, k/2+K), independent of it. The
// sum over K is cut where a geometric series bounds the rest. At -1, where κ ≤ 1, w is
//
//	w(1-B) = Σ_n binomial(κ, n) (-B)^n y^(n-κ) E Γ(k/2+κ+J)/Γ(k/2+n+J), J Poisson of mean y = 1/(2b²),
//
// whose terms from n = 1 on are all negative: to leave some out is safe. At +1 b is next to nothing, and w
// ≤ (t + kb²)^κ for κ ≤ 1 by Jensen's inequality, w ≤ t^κ + κ(2κ+k-2)b²(1+b√(k+2κ))^(2κ-2)
// for κ ≥ 1 as dw/d(b²) = κ(2κ+k-2)E|x|^(2κ-2).
//
// One evaluation, at ζ = within, stands for the neighbourhood: towards the end c grows, and b, unless it is
// constant, falls. In b the mean increases where |x|^(2κ) is subharmonic, for k ≥ 2 or 2κ ≥ 1;
// otherwise b² dw/d(b²) lies between (κ-1)w and κw. In y = log x its derivative is the mean of H T times
// κ + K(1 - H(K-1)T(K-1)/H(K)T(K)). T increases with K, as B then becomes smaller and w'/w = κE Y^(κ-1)/w
// ≥ κ/(C+kb²), Y of k+2 degrees and C = max(1, (k/2+κ)/(k/2+1)), is above r. So the derivative is at
// least the mean of H T times κ(d/2-1-κ)/(d/2+K-1-κ): for κ ≤ d/2-1 the mean is greatest at the edge,
// and otherwise it is bounded by the mean of what may fall, which the same argument bounds between the edge
// and the end.
//
// Where sums would have a million terms, as for β next to 0, there is no proof and no bound.
//
// # The hybrid
//
// A layer of the hybrid recursion (7) keeps X¹±X² orthogonal and multiplies their lengths by 1 + f(p±q), f
// = 1/L + εvL^{-1/2}. So ρ = ζ/(2-ζ), the ratio of the squares, is multiplied by R, the square of the short
// one's factor over the long one's, and if E R^κ ≤ 1 for all ζ ≤ within, ρ^κ is a supermartingale until
// then: ρ, and so ζ, returns with probability at most (ζ/within)^κ. The expectation is a sum of two terms
// for signs, and for other laws an integral, whose Taylor series on panels have remainders that are
// enclosed over the whole panel; the condition is proved on parts of the neighbourhood. For other laws than
// signs there is no bound where the long one may vanish, f(p+q) = -1, in a layer: normal numbers for ε(p+q)
// above some √L/9. Between the thresholds of softmax, and near that of unnormalized attention, κ is small.
package finitedepth
