// Package threetokens computes the law of three tokens at finite times in the limit of infinite depth,
// without simulation.
//
//	laws, err := threetokens.Uniform(2, 2.5, overlap.Softmax, 1, []float64{20}, 1e-3, 5e-3)
//	if err != nil {
//		return err
//	}
//	laws[0].TwoAgainstOne // 0.557 ± 0.001: probability that, within 0.001, one token is opposite to two
//
// # The diffusion
//
// All tokens Yⁱ share the value matrices. With the attention outputs Aⁱ = Σ w_ij Yʲ, the noise Mⁱ of the
// tokens satisfies E dMⁱ_a dMʲ_b = κ_ij δ_ab dt with κ_ij = σ²<Aⁱ, Aʲ>. By (6) and Itô's formula, the
// overlaps z_ij of any number of tokens are a diffusion with
//
//	drift of z_ij: -½(d-1)(κ_ii+κ_jj) z_ij + (d-2+z_ij²) κ_ij,
//	d<z_ij, z_kl>: κ_ik<P_iYʲ,P_kYˡ> + κ_il<P_iYʲ,P_lYᵏ> + κ_jk<P_jYⁱ,P_kYˡ> + κ_jl<P_jYⁱ,P_lYᵏ>,
//
// where P_i is the projection orthogonal to Yⁱ. The overlaps of three tokens lie in the elliptope, the set of
// 3×3 correlation matrices. Finally at least two of the three tokens are on the same side and merge: the
// overlaps converge to a face z_ij = 1 of the elliptope. On this face the diffusion is that of the overlap of
// clusters of two tokens and one (overlap.NewMasses). For clusters of two tokens and one, two tokens against
// one are metastable, and a single cluster is the final state.
//
// # Coordinates
//
// Permutations of the tokens divide the elliptope into six equal parts. In the part that the grid covers, the
// first two tokens are the closest pair. Let the first two tokens lie at the angle α on either side of their
// middle m. Let the third token lie at the angle ω from m, and let x be the component along Y¹-Y² of the
// direction of the third token as seen from m. The coordinates
//
//	q = log (1-z₁₂)/(1-z₁₃) ≤ 0, y = asinh(cot(ω/2)/ε) + c·asinh(10 cot(ω/2)), 0 ≤ x ≤ 1
//
// fill a box. The faces of the box have the following meanings.
//
// At q = 0 and at x = 0 two pairs of tokens are equally close. The faces q = 0 and x = 0 are mirrors.
//
// At x = 1 the tokens lie in a plane, and the noise of x vanishes. For d = 2 always x = 1.
//
// At q = -∞ the first two tokens merge. As y → ∞, all tokens become one cluster.
//
// At y = 0 the third token is opposite to m. Beyond y = 0 lies the mirror image with Y¹ and Y² exchanged. The
// exchange of Y¹ and Y² changes q, so values beyond y = 0 are interpolated.
//
// Two merged tokens leave the point opposite to the third token by distances of the order e^(-2β). With ε of
// the order e^(-2β), the cells of the grid resolve such distances. The term with c in y makes the cells
// narrow where all three tokens are apart. The noise of a function of the tokens is represented as tr(CᵀdW),
// with a 3×3 matrix C in the frame of the tokens. Differences of tokens are computed without cancellation. So
// the motion of (α, ω, x) is accurate near all faces.
//
// # The scheme
//
// The generator of the diffusion acts on functions of (q, y, x). As functions of q they are polynomials,
// given at Gauss-Lobatto nodes, which are closer together near q = 0. As functions of x they are polynomials,
// given at the Gauss nodes of the density (1-x²)^(-1/2). The nodes of x are dense near x = 1, where the third
// token may be nearly opposite to one of the first two tokens; if it is opposite, probabilities as functions
// of the overlaps have a cone. Derivatives with respect to y are central differences of fourth order.
//
// In q and x the generator is in divergence form. The weak form has no boundary terms at the mirrors q = 0
// and x = 0, so no probability passes the mirrors. At q = -length the first two tokens are treated as one,
// and beyond the last y all three tokens are treated as one. The transposed matrix of the generator
// propagates masses, and is a banded block matrix. A step in time multiplies the masses by the rational
// function Σ c_k (1-γz)^-k, where z is the step length times the transposed generator. This function
// approximates e^z to order 5, is A-stable and vanishes at infinity (Hairer and Wanner). Steps become longer
// with the elapsed time. Most of the work is to factor the matrix for each new length of steps. If almost no
// mass of three separate tokens is left, only the line of merged tokens is computed further, up to any time.
//
// # Errors
//
// The errors of a Law are estimates, not bounds. The estimated error is twice the sum of the changes of the
// law by all finer grids, if these changes fall by the same factor as the last changes. A finer grid has more
// nodes, narrower cells, longer ranges and a smaller ε. From 20 dimensions on, the change of the law of the
// start by more nodes of x is added. Steps in time are so short that their errors are about 1e-6.
//
// At the start the law is known. From 2 to 200 dimensions the estimates cover the actual errors there, which
// are about 1e-4 or less up to 50 dimensions and about 3e-4 or less up to 200. The overlaps of uniform tokens
// are of the order 1/√d, and grids need more nodes of x to resolve this scale in more dimensions. From about
// 100 dimensions on few grids are fine enough, and estimates above 1e-3 are frequent at short times.
//
// Actual errors of probabilities were measured for a tolerance of 1e-3, in 2 to 50 dimensions, for β from
// 0.5 to 12 and times 2 and 20. Up to β = 4 the errors of probabilities are below 1e-4. From β = 8 on they
// are up to 4e-4 in three and four dimensions, and up to 1.2e-4 in other dimensions. The errors are due to
// the cones at x = 1, where probabilities are not smooth and convergence in x and y is slow. For d = 2 and
// β = 0 the mean of three tokens vanishes if the tokens are 120° apart. Where the mean vanishes, the noise
// vanishes too, and the law is not smooth, so errors are above 1e-3 at long times.
//
// # Four tokens
//
// The overlaps of four tokens are a diffusion in six dimensions. Grids for three tokens have 10⁴ to 5·10⁴
// nodes. Grids in six dimensions would require about 10⁹ nodes. Sparse grids with 10⁶ nodes are accurate only
// for functions with bounded mixed derivatives of high order, and the probabilities of the outcomes have none
// where tokens merge.
//
// In simulations of four tokens, control variates could use the known laws of fewer tokens. Take the pairs
// and triples of the four tokens, each simulated from the same start and with the same value matrices but
// without the other tokens. A linear function of the outcomes of pairs and triples is a control variate. At
// (d, β, T) = (4, 2.5, 5), (3, 1, 5) and (8, 1.5, 3), pairs alone divide the variance of the frequency of one
// cluster by 2.0, 1.4 and 1.2; pairs and triples together divide this variance by 3.3, 1.8 and 1.3. For the
// frequency of two against two, pairs divide the variance by 1.2 to 1.3, and pairs and triples by 1.3. For
// the frequency of one against three, pairs divide the variance by 1.0 to 1.1, and pairs and triples by 1.1
// to 1.2. But the six pairs have three times as many tokens as the four tokens themselves, and so have the
// four triples. So more trajectories of four tokens are better than control variates, and package threetokens
// contains no control variates.
package threetokens
