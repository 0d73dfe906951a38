// Package threetokens computes the law of three tokens at finite times in the limit of infinite depth,
// without simulation.
//
//	laws, err := threetokens.Uniform(4, 2.5, overlap.Softmax, 1, []float64{20}, 1e-3, 5e-5)
//	if err != nil {
//		return err
//	}
//	laws[0].TwoAgainstOne // 0.26458: probability that, within 0.001, one token is opposite to two
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
//	q = log (1-z₁₂)/(1-z₁₃) ≤ 0, y = asinh(cot(ω/2)/ε), 0 ≤ x ≤ 1
//
// fill a box. At q = 0 and at x = 0 two pairs are equally close, and both faces are reflecting. At x = 1
// the tokens lie in a plane, and the noise orthogonal to this face vanishes. At q = -∞ the first two
// tokens merge, and as y → ∞ all three form a single cluster. For d = 2 always x = 1. At y = 0 the third
// token is opposite to m. Beyond y = 0 lies the mirror image with Y¹ and Y² exchanged. It has another q,
// so values there are interpolated. Two tokens and one leave opposition at distances of order e^(-2β),
// which cells resolve because ε is of this order. Noises are represented as tr(CᵀdW) with 3×3 matrices C
// in the frame of the tokens. Differences are taken before rounding, so that the motion of (α, ω, x) is
// accurate near all faces.
//
// # The scheme
//
// The generator acts on polynomials in q and x, and by central differences of fourth order in y. The
// nodes in q are Gauss-Lobatto nodes, denser near 0. Those in x are Gauss nodes for the density
// (1-x²)^(-1/2). They are dense near x = 1, where the third token comes near the opposite of one of the
// others and probabilities have a conical singularity. In q and x the generator is in divergence form,
// and the weak form omits the flux through the reflecting faces. At q = -length the first two tokens are
// treated as merged, and beyond the last y all three are. The transposed matrix advances masses; it is
// block-banded. A step applies the rational function Σ c_k (1-γz)^-k of order 5, which is A-stable and
// vanishes at infinity (Hairer and Wanner). The step length grows with the elapsed time. Once the mass of
// three separate tokens is negligible, only the line of merged tokens is advanced, for an arbitrarily
// long time.
//
// # Errors
//
// Errors are estimates, not bounds: twice the sum of all further changes on finer grids, extrapolated
// from the latest ones. Grids are refined in all respects: nodes, cells, ranges, ε and steps. Once most
// tokens are clustered, errors are near or below 1e-4 up to β = 8 and dimension 50, and 7e-4 there at
// β = 12. At short times, when many tokens are not clustered, they reach 2e-3 for β ≥ 8 and dimensions
// from 10 on, mostly due to q. In the plane and at β = 0 the mean of three tokens vanishes where they are
// 120° apart. There the noise vanishes too, and the law is not smooth; errors are 1e-3 at long times.
package threetokens
