// Package exactlaw is the law of the overlap of two clusters after exactly n layers of recursion (4)
// with Gaussian value matrices, or of the hybrid recursion (7), at a finite depth and without any
// trajectory.
//
//	// Dimension, β, attention, σ, masses, layers per unit of time.
//	r, err := exactlaw.Clusters(10, 2, overlap.Softmax, 1, 1, 1, 40)
//	if err != nil {
//		return err
//	}
//	o, err := r.Uniform(1200, 1e-3, 1e-6) // layers, tolerance of an outcome, accuracy
//	o.Antipodal.Value                     // 0.072264: the diffusion has 0.081888
//
// # One layer of recursion (4)
//
// The overlap is a Markov chain in u = atanh Z. Let S and D be X¹±X², |S|/|D| = e^u, and Y the two
// vectors S'/|S| and D'/|D| before they are normalised. Attention acts on X¹±X² by s_k = p_k+q_k and
// α_k = p_k-q_k, so that the rows of Y are two orthonormal vectors plus Gaussian noise of covariance
//
//	N = σ²/L B Bᵀ, B = ½ [s₁+s₂, (α₁-α₂)e^-u; (s₁-s₂)e^u, α₁+α₂],
//
// in each of the d directions. The new overlap depends on the shape of Y alone, the matrix W = Y Yᵀ
// divided by the root of its determinant:
//
//	W = [a, b; b, c] with e^u a + e^-u c = 2 cosh u' cosh ξ, e^u a - e^-u c = 2 sinh u',
//	b = cosh u' sinh ξ,
//
// where ξ = log|X¹'|/|X²'| before normalisation. The invariant measure of shapes is cosh u' du' dξ.
// The density of the shape is an integral over the size r of Y and over rotations,
//
//	(tr N⁻¹W)^-d H(B, Q), H = ∫ r^(2d-1) exp(-½r²) E exp(r(λ₁h₁₁ + λ₂h₂₂)) dr,
//	Q = λ₁λ₂ = 1/tr(adj(N) W), B = λ₁+λ₂, B²-4Q = Q(tr(adj(N)²W)/det N - 2),
//
// with h₁, h₂ uniform orthonormal vectors of R^d. With the constant of Gaussian densities all large
// exponents are in one factor, which does not cancel:
//
//	exp(-½Q(tr W-2)), tr W - 2 = 4 sinh²(½(u'-u)) + 4 cosh u cosh u' sinh²(½ξ).
//
// The mean over h₁, h₂ is one over the first coordinate x of a uniform unit vector of R^(d-1), and the
// integral over r that of a vector of independent standard normal numbers about a point,
//
//	H = exp(½B²) E exp(-Q(1-x)) M(½B²-Q(1-x)), M(½b²) ∝ E|be+g|^d,
//
// M(z) = 1+z in two dimensions, where x is ±1. In others G = log H - ½B² - ½d log(B²+4k) +
// (½d-1) log(Q+k), k = 2+d/2, is nearly constant; it depends on d alone, and is tabulated by Chebyshev
// polynomials.
//
// An MLP of infinite width beside attention is Gaussian given the tokens, and independent noise of X¹+X² and
// X¹-X²: it adds c/L (1±φ̂)/(1±z) to the diagonal of N. One after attention is a step of its
// own, and a layer is the product of both matrices.
//
// # The chain
//
// The density of u' given u is the integral over ξ, by the trapezoidal rule, which converges
// geometrically for analytic densities; about a ξ far from 0 where much noise of unequal clusters turns both
// vectors the same way. So does the sum over a lattice of u that stands for the integral over u' in
//
//	v_(n+1)(u) = E[v_n(u') | u], v_0 the indicator of an outcome.
//
// On the lattice v_0 is the indicator without the frequencies that it does not resolve, ½+Si(x)/π, which
// some layers smooth out; fewer take a lattice twice as fine. The layers are powers of two of a banded
// matrix; as its transitions widen, the lattice is made coarser. Far out the steps of u are independent, and
// the lattice ends where hardly anything comes back from, or where the chain does not get. An entrance is a
// state beyond its end, from which the chain comes back as from an overlap of -1; next to it rows are
// interpolated in e^(2u).
//
// # The hybrid recursion
//
// There u' = g(u) is an explicit function of u and the scalar v. With two values of v nothing smooths an
// indicator, nor a law of single points where a layer stretches distances. What stays smooth is the
// distribution function from a uniform start, so it goes forwards: what is below y after a layer was where
// g(u) < y before it,
//
//	F_(n+1)(y) = E ΣF_n(x), over the x with g(x) = y, taken off where g falls,
//
// with F_n between the points of a lattice by interpolation. Much noise may turn tokens around; then g has
// poles, where X¹±X² vanishes, and extrema, between which it is monotone. Beyond the ends of the lattice F
// is constant: what is there comes back with a probability below 1e-8, and less for more effort. From a
// given overlap F_0 is a step, and masses of the lattice's points go forwards instead, by the weights of
// the same interpolation; with two values of v it is refused, as the law is one of single points.
//
// An MLP makes the law smooth, and the chain that of recursion (4): given v attention multiplies X¹±X² by
// 1+w(p±q), w = 1/L + εv/√L, so that a layer is a step from g(u) with N = c/L (1±φ̂)/(1±z) / (1+w(p±q))², or
// if the MLP follows attention with N = c/L (1±φ̂)/(1±z) at g(u). Over v it is a mean by a quadrature rule.
// A mean μI/L of the matrices of recursion (4) is the same with w = μ/L, beside their noise.
//
// # Errors
//
// Every law is computed twice, on a finer lattice with further ends the second time. It goes on with more
// effort until the difference is small enough: the hybrid's is the greatest one next to an edge, as at one
// point it may be small by accident. What remains is rounding, and the table of G, whose error is about
// 3e-11, or 1e-12 d in high dimensions. With two values of v the hybrid's law may have stairs far out that
// neither of two lattices sees; their height is estimated from the start.
package exactlaw
