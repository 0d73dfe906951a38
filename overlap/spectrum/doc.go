// Package spectrum contains the theory of the spectra of random attention matrices at initialisation, and of
// the signal and gradients that attention matrices propagate through the layers. Most results are for the
// limit of many tokens T and dimensions D with ratio γ = T/D, and some for finite T and D. All computations
// of package spectrum are deterministic. Proposition, theorem and equation numbers are those of the paper
// "Mind the Gap: a Spectral Analysis of Rank Collapse and Signal Propagation in Transformers". The last
// section lists corrections to the paper.
//
//	signal, err := spectrum.Covariance(3, 0.5, 1) // layers, T/D, scale
//	if err != nil {
//		return err
//	}
//	low, high := signal.Support()
//	share := signal.Distribution(0.5) // fraction of the singular values up to 1/2
//
// # One attention matrix
//
// A Markov matrix A is a T×T matrix of independent positive entries of coefficient of variation σ_A, divided
// by the sums of their rows. Write A = 11ᵀ/T + A⊥. The matrix √T A⊥ behaves like a matrix with independent
// entries of variance σ_A²: its singular values follow the law QuarterCircle, its eigenvalues follow the law
// Circle, and its largest singular value tends to 2σ_A at the rate T^(-2/3) (EdgeMean). The term 11ᵀ/T
// produces an outlying largest singular value s₁ → 1 of A, and hence a spectral gap. As Aᵀ1/T has variance
// σ_A²/T², s₁ - 1 ~ σ_A²/(2T). Subtracting the mean from each row of A removes the spectral gap.
//
// # Layers
//
// The signal X_ℓ = A_ℓX_(ℓ-1)W_ℓ, with standard normal W_ℓ and orthonormal input, has covariance Σ_ℓ =
// X_ℓX_ℓᵀ. Without the spectral gap, X_ℓ is a product of 2ℓ independent matrices: ℓ of them have T columns,
// and ℓ have D columns. So the singular values of Σ_ℓ follow the law Product with ℓ ratios 1 and ℓ ratios γ
// (Covariance). Without the gap, the stable rank grows like T: sr(Σ_ℓ)/T tends to a limit (StableRankShare).
// With the gap, Σ_ℓ has an additional singular value D^ℓ, and sr(Σ_ℓ) - 1 falls like T^(1-2ℓ)
// (StableRankExcess). Mean traces of Σ_ℓ and mean gradients are exact for finite T and D (MeanTrace,
// MeanGradients).
//
// # Where the paper is corrected
//
//   - Prop. 1: the entries of a row of attention share a query, so these entries are not independent, and for
//     T of the order of the key dimension d the law of the singular values is another one (Scores).
//     Proposition 1 holds for d much larger than T.
//   - Prop. 3: the rate of sr(Σ_ℓ) - 1 is T^(1-2ℓ), not T^(1-4ℓ) (StableRankExcess). Theorem 9 states s₁(X_ℓ)
//     ~ T^(ℓ/2), but the proof uses T^ℓ.
//   - Prop. 4 and Fig. 6: the rate of the squared gradient is T^L, not T^(L-1). The rate T^(L-1) is that of a
//     bound of the largest of some T values, whose sum is the squared norm (GradientRate). The constant of
//     the bound of Prop. 4 lacks γ^(1-L) (GradientBound).
//   - Prop. 5: the limits of sr(Σ_ℓ)/T are known constants (StableRankShare).
//   - Prop. 6: the constant is C = σ_A^(2L) γ^(1-L), the same for all layers (GradientRate).
//   - Prop. 7: for γ > 1 the moments of the singular values need no adjustment if the atom at 0 is included
//     (Covariance).
//   - Prop. 8: the moments of the squared singular values of the Jacobian lack γ^-ℓ and γ^(-2ℓ).
//   - Lemma 2: s₁(A_p…A₁ - 11ᵀ/T) is of order T^(-1/2) for every p: the column means of A₁ deviate from 1/T,
//     and the deviation of column means passes through all later layers. Theorem 10 holds nevertheless, as
//     this deviation is a matrix of rank one.
//   - Lemma 4 and Prop. 5: all value matrices have ratio γ, not only the first (Covariance).
//   - A.3.1: lognormal entries under softmax have no moments; normal entries are meant.
package spectrum
