// Package harmonics sums e^{β⟨x,y⟩} over many points y of a sphere of few dimensions, at many points x. The
// time for these sums is proportional to the number of points, not to its square.
//
// The kernel e^{βt} depends only on the inner product t = ⟨x,y⟩. So the Funk-Hecke formula gives the kernel
// as a series of spherical harmonics Y of the sphere S^{d-1}, which are orthonormal in the uniform
// probability measure:
//
//	e^{βt} = Σ_n a_n N_n P_n(t),   N_n P_n(⟨x,y⟩) = Σ_s Y_ns(x) Y_ns(y),
//	a_n = Γ(d/2) (2/β)^{d/2-1} I_{n+d/2-1}(β),
//
// where N_n is the number of harmonics of degree n, P_n is the Gegenbauer polynomial with P_n(1) = 1, and I
// is the modified Bessel function of the first kind. The series of harmonics is truncated at a degree that
// grows like β. A first pass over the points x_j with masses m_j computes the moments Σ_j m_j Y_ns(x_j). The
// moments Σ_j m_j x_j Y_ns(x_j) follow from the moments Σ_j m_j Y_ns(x_j), because a coordinate times a
// harmonic is a combination of harmonics of one degree less and of one degree more. A second pass over the
// points computes the sums from both kinds of moments.
//
// A harmonic is a product of a polynomial in the last coordinate z of a point x and a harmonic of the other
// coordinates. With ω = x without z, S_l an orthonormal harmonic polynomial of degree l on S^{d-2}, and the
// polynomials p orthonormal with the weight (1-z²)^{l+(d-3)/2},
//
//	Y(x) = p_{n-l}(z) S_l(ω),   z p_k = β_{k+1} p_{k+1} + β_k p_{k-1},   β_k² = k(k+2λ-1) / (4(k+λ)(k+λ-1)),
//
// where λ = l + d/2 - 1. S_l(ω), a homogeneous polynomial of the coordinates, has no singularity at the
// poles.
package harmonics
