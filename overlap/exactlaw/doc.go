// Package exactlaw computes the law of the overlap of two clusters after exactly n layers, at finite depth
// and without simulation. The package covers recursion (4) with Gaussian value matrices, and the hybrid
// recursion (7), of Fedorov et al. (package overlap).
//
//	// Dimension, β, attention, σ, masses, layers per unit of time.
//	r, err := exactlaw.Clusters(10, 2, overlap.Softmax, 1, 1, 1, 40)
//	if err != nil {
//		return err
//	}
//	o, err := r.Uniform(1200, 1e-3, 1e-6) // layers, tolerance of an outcome, accuracy
//	o.Antipodal.Value                     // 0.072264; 0.081888 for the diffusion
//
// # One layer of recursion (4)
//
// The overlap Z of two tokens X¹ and X² is a Markov chain; the state of the chain is u = atanh Z. Let S and D
// be X¹+X² and X¹-X², so that |S|/|D| = e^u, and let the rows of the matrix Y be the two vectors S'/|S| and
// D'/|D| after the layer but before normalisation. Attention acts on X¹+X² and X¹-X² through s_k = p_k+q_k
// and α_k = p_k-q_k. So the rows of Y are two orthonormal vectors plus Gaussian noise. In each of the d
// directions, the noise of the two rows of Y has the covariance
//
//	N = σ²/L B Bᵀ, B = ½ [s₁+s₂, (α₁-α₂)e^-u; (s₁-s₂)e^u, α₁+α₂],
//
// The new overlap depends only on the shape of Y, that is, the matrix W = Y Yᵀ divided by the square root of
// the determinant of Y Yᵀ,
//
//	W = [a, b; b, c] with e^u a + e^-u c = 2 cosh u' cosh ξ, e^u a - e^-u c = 2 sinh u',
//	b = cosh u' sinh ξ,
//
// where ξ = log|X¹'|/|X²'| before normalisation. The invariant measure on shapes is cosh u' du' dξ. The
// density of the shape W is an integral over the size r of Y and over rotations,
//
//	(tr N⁻¹W)^-d H(B, Q), H = ∫ r^(2d-1) exp(-½r²) E exp(r(λ₁h₁₁ + λ₂h₂₂)) dr,
//	Q = λ₁λ₂ = 1/tr(adj(N) W), B = λ₁+λ₂, B²-4Q = Q(tr(adj(N)²W)/det N - 2),
//
// with h₁, h₂ uniform orthonormal vectors of R^d. After multiplication with the normalising constant of the
// Gaussian density, a single factor contains all large exponents. The exponent of this factor is a sum of
// terms of one sign, and so does not suffer cancellation:
//
//	exp(-½Q(tr W-2)), tr W - 2 = 4 sinh²(½(u'-u)) + 4 cosh u cosh u' sinh²(½ξ).
//
// The mean over h₁ and h₂ reduces to a mean over the first coordinate x of a uniform unit vector of R^(d-1).
// The integral over r is a moment of the length of be+g, for a unit vector e and a standard normal vector g
// of R^d:
//
//	H = exp(½B²) E exp(-Q(1-x)) M(½B²-Q(1-x)), M(½b²) ∝ E|be+g|^d.
//
// In two dimensions M(z) = 1+z, and x is ±1. In other dimensions G = log H - ½B² - ½d log(B²+4k) + (½d-1)
// log(Q+k) with k = 2+d/2 is nearly constant. The function G depends only on d, Q and B, and is tabulated by
// Chebyshev polynomials.
//
// Given the tokens, the output of an MLP of infinite width and of strength c, parallel to attention, is
// Gaussian. The MLP adds independent noise to X¹+X² and X¹-X², that is, c/L (1±φ̂)/(1±z) to the diagonal of
// N, with the correlation φ̂ of the activation at z. An MLP after attention is a separate step of the chain:
// the transition matrix of the layer is the product of those of attention and of the MLP.
//
// # The chain
//
// The density of the new u' given the old u is the integral of the density of the shape over ξ. The integral
// over ξ is computed by the trapezoidal rule, which converges geometrically for analytic densities. If strong
// noise of unequal clusters turns both vectors S and D the same way, the nodes are centred on a ξ far from 0.
// The trapezoidal rule also replaces the integral over u' by a sum over a lattice of u in the recursion
//
//	v_(n+1)(u) = E[v_n(u') | u], v_0 the indicator of an outcome.
//
// On the lattice v_0 is a band-limited indicator, ½+Si(x)/π with the sine integral Si, which lacks the
// frequencies that the lattice does not resolve. Some layers would smooth out these frequencies; for fewer
// layers the lattice is twice as fine. Many layers are computed from powers of two of a banded transition
// matrix, and the lattice is made coarser as the transition probabilities spread. For large |u| the steps of
// the chain are independent of u. The lattice ends at points that the chain cannot reach, or from which the
// chain returns with negligible probability. An entrance is a state beyond the left end of the lattice, from
// which the chain returns as from overlap -1. Near an entrance, rows of the transition matrix are
// interpolated in e^(2u).
//
// # The hybrid recursion
//
// In recursion (7), the new u' = g(u) is an explicit function of the old u and of a random scalar v. If v
// takes two values, no layer smooths an indicator function, and where a layer stretches distances, no layer
// smooths a law of discrete points either. But the distribution function F of u from a uniform start stays
// smooth, so F is propagated forwards. As u' is below y if g(u) < y, the distribution function F_n after n
// layers satisfies
//
//	F_(n+1)(y) = E ΣF_n(x), a sum over all x with g(x) = y, with a negative sign where g decreases.
//
// Between the points of a lattice, F_n is interpolated. Strong noise may turn tokens around; in this case g
// has poles, where X¹+X² or X¹-X² vanishes, and extrema, and is monotone between neighbouring poles and
// extrema. Beyond the ends of the lattice F is treated as constant: the chain returns from beyond the ends
// with a probability below 1e-8, and less at higher effort. For a start at a given overlap, F_0 is a step
// function, so masses at the points of the lattice are propagated instead of F, with the same weights of
// interpolation. From a given overlap, a scalar v of two values leads to a law of discrete points, which a
// lattice cannot represent.
//
// An MLP makes the law of the hybrid recursion smooth, so that the chain of the hybrid recursion with an MLP
// is computed like that of recursion (4). Given v, attention multiplies X¹±X² by 1+w(p±q) with w = 1/L +
// εv/√L. So a layer is a step from g(u) whose noise has the diagonal covariance N = c/L (1±φ̂)/(1±z) /
// (1+w(p±q))² or, if the MLP follows attention, N = c/L (1±φ̂)/(1±z) at g(u). The mean over v is computed by
// a quadrature rule. A mean μI/L of the value matrices of recursion (4) is treated as a fixed scalar w = μ/L,
// in addition to the noise of the matrices.
//
// # Errors
//
// Every law of the overlap is computed at least twice, the second time on a finer and longer lattice. The
// effort (fineness and length of the lattice) is increased until the difference between two successive laws
// is small enough. For the hybrid model the greatest difference near the edge of an outcome counts, as the
// difference at a single point may be small by chance. The difference does not include rounding errors and
// the error of the table of G, which is about 3e-11, or 1e-12 d in high dimensions. If the scalar v takes two
// values, the distribution function of the hybrid model may have steps at large |u| that neither of two
// lattices resolves. The height of the steps is estimated from the law of the start.
package exactlaw
