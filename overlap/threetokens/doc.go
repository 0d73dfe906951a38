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
// The value matrices are common to all tokens. With Aⁱ = Σ w_ij Yʲ, the noise of the tokens satisfies E
// dMⁱ_a dMʲ_b = κ_ij δ_ab dt with κ_ij = σ²<Aⁱ, Aʲ>. By (6) and Itô's formula, the overlaps z_ij of any
// number of tokens are a diffusion with
//
//	drift of z_ij: -½(d-1)(κ_ii+κ_jj) z_ij + (d-2+z_ij²) κ_ij,
//	d<z_ij, z_kl>: κ_ik<P_iYʲ,P_kYˡ> + κ_il<P_iYʲ,P_lYᵏ> + κ_jk<P_jYⁱ,P_kYˡ> + κ_jl<P_jYⁱ,P_lYᵏ>,
//
// where P_i is the projection orthogonal to Yⁱ. The overlaps of three tokens lie in the elliptope, the
// set of 3×3 correlation matrices. Finally at least two of the three tokens are on the same side and
// merge: the process converges to a face z_ij = 1, on which it is the overlap of clusters of two tokens
// and one (overlap.NewMasses). There, the state of two tokens against one is metastable, and a single
// cluster is the final state.
//
// # Coordinates
//
// Permutations of the tokens divide the elliptope into six equal parts. In the part considered here the
// first two tokens are the closest pair. Let them lie at the angle α on either side of their middle m,
// let the third token lie at the angle ω from m, and let x be the component along Y¹-Y² of its direction
// from m. Then
//
//	q = log (1-z₁₂)/(1-z₁₃) ≤ 0, y = asinh(cot(ω/2)/ε) + c·asinh(10 cot(ω/2)), 0 ≤ x ≤ 1
//
// fill a box. Two pairs tie at q = 0 and x = 0, which are mirrors; at x = 1 the tokens are in a plane, and
// noise vanishes; at q = -∞ the first two merge, and y → ∞ is one cluster. For d = 2 always x = 1. At y = 0
// the third token is opposite to m; on the other side is the mirror image with Y¹ and Y² exchanged, of which
// q differs, and values there are interpolated. With ε of the order e^(-2β), by which two tokens and one
// leave opposition, cells resolve it; c makes them narrow where all three are apart. Noises are 3×3 matrices
// tr(CᵀdW) in the frame of the tokens, and differences are taken before rounding, so that the motion of
// (α, ω, x) is accurate near all the edges.
//
// # The scheme
//
// The generator acts on polynomials in q (Gauss-Lobatto nodes, closer together at 0) and in x (Gauss nodes
// of the density (1-x²)^(-1/2), which are dense at x = 1, where the third token comes near the opposite of
// one of the others: there probabilities have a cone), and by central differences of fourth order in y. In
// q and x it is in divergence form, and what passes the mirrors is left out of the weak form. Far out, at
// q = -length, the first two tokens are taken for one, and at the last y all. The transposed matrix moves
// masses; it is banded by blocks. A step is the rational function Σ c_k (1-γz)^-k of order 5, which is
// A-stable and vanishes at infinity (Hairer and Wanner). Steps grow with the time that has passed; to factor
// the matrix for another length of steps is most of the work. Once no separate tokens are left, only the
// line of merged tokens is computed further, up to any time.
//
// # Errors
//
// Errors are estimates and no bounds: twice what all finer grids would add if changes fall as they last did.
// Grids are refined in everything: nodes, cells, ranges and ε; steps are so short that their errors are some
// 1e-6. Within a tolerance of 1e-3, at 2 to 50 dimensions, β from 0.5 to 12 and times 2 and 20, errors are
// below 1e-4 up to β = 4; from β = 8 on they come to 4e-4 in three and four dimensions, and to 1.2e-4
// elsewhere. What is left there comes from the cones at x = 1, where probabilities are not smooth and
// convergence in x and y is slow. In the plane and at β = 0 the mean of three tokens vanishes where they are
// 120° apart, noise with it, and the law is not smooth: there errors are above 1e-3 at long times.
//
// # Four tokens
//
// The overlaps of four tokens are a diffusion in six dimensions. Grids of three tokens have 10⁴ to 5·10⁴
// nodes; as many in each of three more directions would be some 10⁹. A sparse grid of 10⁶ needs bounded mixed
// derivatives of a high order, which the cones do not have.
//
// Simulation can be helped by what is known of fewer tokens: pairs of the four and triples, from the same
// starts and under the same value matrices but without the other tokens, have known laws, and a linear
// function of their outcomes is a control variate. At (d, β, T) = (4, 2.5, 5), (3, 1, 5) and (8, 1.5, 3) the
// pairs divide the variance of the frequency of one cluster by 2.0, 1.4 and 1.2, that of two against two by
// 1.2 to 1.3, and that of one against three by 1.0 to 1.1; pairs and triples together by 3.3, 1.8 and 1.3, by
// 1.3, and by 1.1 to 1.2. As the six pairs have three times as many tokens to move as the four, and the
// triples too, more trajectories of four tokens are better, and there is nothing of this here.
package threetokens
