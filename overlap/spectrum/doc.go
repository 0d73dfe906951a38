// Package spectrum is the theory of the spectra of random attention matrices at
// initialisation, and of the signal and gradients that they carry through the layers, in
// the limit of many tokens T and dimensions D with ratio γ = T/D, and some of it for finite
// ones. Nothing in it is random. Proposition, theorem and equation numbers are those of
// "Mind the Gap: a Spectral Analysis of Rank Collapse and Signal Propagation in
// Transformers", and its corrections are below.
//
//	signal, err := spectrum.Covariance(3, 0.5, 1) // layers, T/D, scale
//	if err != nil {
//		return err
//	}
//	low, high := signal.Support()
//	share := signal.Distribution(0.5) // share of the values up to 1/2
//
// # One attention matrix
//
// A Markov matrix A has independent positive entries of coefficient of variation σ_A,
// divided by the sums of their rows. A = 11ᵀ/T + A⊥, where √T A⊥ looks like a matrix of
// independent entries of variance σ_A²: its singular values have the law of QuarterCircle,
// its eigenvalues that of Circle, and the largest singular value tends to 2σ_A as
// T^(-2/3) (EdgeMean). The first term makes an outlier: s₁ → 1. As Aᵀ1/T has variance
// σ_A²/T², s₁ - 1 ~ σ_A²/(2T). The gap is removed by taking the mean from each row.
//
// # Layers
//
// X_ℓ = A_ℓX_(ℓ-1)W_ℓ with standard normal W_ℓ and orthonormal input has covariance Σ_ℓ =
// X_ℓX_ℓᵀ. Without the gap it is a product of 2ℓ independent matrices, ℓ of T columns and ℓ
// of D, so its singular values have the law Product with ℓ ratios 1 and ℓ ratios γ
// (Covariance), and sr(Σ_ℓ)/T has a limit (StableRankShare). With the gap Σ_ℓ has one more
// of D^ℓ, and sr(Σ_ℓ) - 1 falls like T^(1-2ℓ) (StableRankExcess). Mean traces and gradients
// are exact for finite sizes (MeanTrace, MeanGradients).
//
// # Where the paper is corrected
//
//   - Prop. 1: entries of a row share a query, so they are not independent, and for T of the
//     order of d the law is another (Scores). The statement is right for d much larger than T.
//   - Prop. 3: the rate is T^(1-2ℓ), not T^(1-4ℓ) (StableRankExcess). Theorem 9 has s₁(X_ℓ) ~
//     T^(ℓ/2), and the proof uses T^ℓ.
//   - Prop. 4 and Fig. 6: the rate is T^L, not T^(L-1), which is a bound on the largest of
//     some T values of which the squared norm is the sum (GradientRate). The constant of
//     the bound lacks γ^(1-L) (GradientBound).
//   - Prop. 5: the constants are known (StableRankShare).
//   - Prop. 6: the constant is C = σ_A^(2L) γ^(1-L), the same for all layers (GradientRate).
//   - Prop. 7: for γ > 1 the moments need no adjustment, if the atom is included
//     (Covariance).
//   - Prop. 8: the moments of the squared singular values of the Jacobian lack γ^-ℓ and γ^(-2ℓ).
//   - Lemma 2: s₁(A_p…A₁ - 11ᵀ/T) is of the order T^(-1/2) for every p: the means of the columns of A₁,
//     which deviate from 1/T, pass through all later layers. Theorem 10 holds, as they make a matrix of
//     rank one.
//   - Lemma 4 and Prop. 5: all value matrices count with ratio γ, not only the first
//     (Covariance).
//   - A.3.1: lognormal entries under softmax have no moments; normal ones are meant.
package spectrum
