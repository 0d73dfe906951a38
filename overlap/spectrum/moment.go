package spectrum

import "math"

// Covariance returns the limit law of the singular values of Σ_ℓ, the covariance of the signal after ℓ ≥ 1
// layers of attention without the spectral gap. The law holds for orthonormal input, T/D → γ, and scale
// σ_Aσ_V. The attention matrices have ratio 1 and all value matrices have ratio γ. Mean and variance of the
// law are those of Prop. 7 for every γ; for γ > 1 they include the atom at 0. In the paper's Lemma 4 only the
// first value matrix has ratio γ. Lemma 4 states the right variance, but the free convolution named in Lemma
// 4 has the variance 2ℓ-1+γ times the square of the mean.
//
// Covariance returns an error if the mean (scale²/γ)^ℓ is not positive and finite; the other errors of
// Covariance are those of NewProduct.
func Covariance(layers int, gamma, scale float64) (*Product, error) {
	var ratios []float64
	for range layers {
		ratios = append(ratios, 1, gamma)
	}
	return NewProduct(power(float64(scale*scale)/gamma, layers), ratios...)
}

// CovarianceMoments returns the limits of the mean and of the variance of the singular values of the
// covariance Σ_ℓ of the signal without the spectral gap, (12) and (13) (Prop. 7).
func CovarianceMoments(layers int, gamma, scale float64) (mean, variance float64) {
	mean = power(float64(scale*scale)/gamma, layers)
	return mean, float64(float64(layers) * (1 + gamma) * mean * mean)
}

// SkipMoments returns the limits of the mean and of the variance of the singular values of the covariance Σ_ℓ
// of the signal after ℓ layers with a skip connection, whose matrices aI + b√T A⊥/σ_A add a multiple of the
// identity to attention without the spectral gap. The input is orthonormal, T/D → γ, and value matrices have
// variance 1/D. For orthogonal value matrices, which change no singular value, gamma must be 0.
//
// SkipMoments describes a model with skip connections of the kind for which Section 2.3 asks. If a²+b² = 1
// and value matrices are orthogonal, the mean is 1 and the variance is ℓ(1-a⁴). With b² = s/ℓ the variance is
// below 2s at any depth ℓ, and so as small as wished (dynamical isometry). The squared singular values of the
// Jacobian have the same mean and variance. Gaussian value matrices add ℓγ to the variance.
//
// In the limit of many tokens, √T A⊥/σ_A is circular and free from the signal. So the square of a singular
// value of aI + b√T A⊥/σ_A has mean a²+b² and variance 2a²b²+b⁴. The relative variances of free factors add
// up.
func SkipMoments(layers int, a, b, gamma float64) (mean, variance float64) {
	a2, b2 := float64(a*a), float64(b*b)
	one := a2 + b2
	relative := float64(b2*(float64(2*a2)+b2))/float64(one*one) + gamma
	mean = power(one, layers)
	return mean, float64(float64(layers) * relative * mean * mean)
}

// power returns x^n for n ≥ 0.
func power(x float64, n int) float64 {
	result := 1.0
	for range n {
		result = float64(result * x)
	}
	return result
}

// fuss returns (n+1)^(n+1)/n^n, the upper end of the limit law of the squared singular values of a product of
// n square matrices (Fuss-Catalan law).
func fuss(n int) float64 {
	if n == 0 {
		return 1
	}
	return float64(power(1+1/float64(n), n) * float64(n+1))
}

// squares holds two numbers for a matrix M with T rows: x, the sum of the squares of all entries (field all),
// and y, T times the sum of the squares of the entries of the mean row (field mean). For a random Markov
// matrix A of finite size, the means of x and y for the product AM are linear functions of x and y for M. The
// required means of AᵢₖAᵢₗ follow from the sum of AᵢₖAᵢₗ over k and l and from exchangeability.
type squares struct{ all, mean float64 }

// attend returns the means of the squares of AM over random attention matrices A whose entries have variance
// v/T², given the squares of M.
func (s squares) attend(tokens, v float64, gap bool) squares {
	row := float64(v / float64(tokens*(tokens-1)) * (s.all - s.mean)) // the mean y for a centred row of A
	if !gap {
		return squares{float64(tokens * row), row}
	}
	return squares{s.mean + float64(tokens*row), s.mean + row}
}

// RowVariance returns T² times the variance of an entry of a Markov matrix with exponential law, whose
// rows are uniform on a simplex: (T-1)/(T+1).
func RowVariance(tokens int) float64 { return float64(tokens-1) / float64(tokens+1) }

// MeanTrace returns the exact means of tr Σ_ℓ for ℓ = 0, 1, …, layers, where Σ_ℓ is the covariance of the
// signal after ℓ layers, over Markov matrices for T ≥ 2 tokens and standard normal value matrices with D
// columns. T² times the variance of an entry of an attention matrix is v (RowVariance; σ_A² in the limit of
// many tokens), and gap tells whether attention keeps its spectral gap. Divided by T, the mean traces are
// those of Prop. 7 up to O(1/T).
func MeanTrace(tokens, dim, layers int, v float64, gap bool) []float64 {
	t, d := float64(tokens), float64(dim)
	s := squares{t, 1}
	traces := []float64{t}
	for range layers {
		s = s.attend(t, v, gap)
		s = squares{float64(d * s.all), float64(d * s.mean)}
		traces = append(traces, s.all)
	}
	return traces
}

// MeanGradients returns the exact mean of ‖∂X_L/∂W_ℓ‖², the squared Frobenius norm of the derivative of the
// signal X_L with respect to the value matrix W_ℓ, for ℓ = 1, …, L = layers, in the setting of MeanTrace. The
// derivative ∂X_L/∂W_ℓ is the Kronecker product of A_L…A_1X_0W_1…W_(ℓ-1) and W_(ℓ+1)…W_L.
func MeanGradients(tokens, dim, layers int, v float64, gap bool) []float64 {
	t, d := float64(tokens), float64(dim)
	s := squares{t, 1}
	for range layers {
		s = s.attend(t, v, gap)
	}
	// Each of the L-1 value matrices multiplies the mean by D, and the squared norm of the identity is D.
	mean := float64(s.all * power(d, layers))
	gradients := make([]float64, layers)
	for l := range gradients {
		gradients[l] = mean
	}
	return gradients
}

// GradientRate returns the exponent and the factor of the power of T by which ‖∂X_L/∂W_ℓ‖² grows at fixed γ =
// T/D; exponent and factor are the same for all ℓ. With the spectral gap the squared gradient grows like T^L
// γ^-L, or like (1+σ_A²)T/γ for L = 1. Without the gap the squared gradient grows like σ_A^(2L) γ^-L T, which
// gives the constant of Prop. 6. The bound T^(L-1) of Prop. 4 holds but is not attained.
func GradientRate(layers int, gamma, sigma float64, gap bool) (exponent int, factor float64) {
	sigma2 := float64(sigma * sigma)
	switch {
	case !gap:
		return 1, power(sigma2/gamma, layers)
	case layers == 1:
		return 1, (1 + sigma2) / gamma
	}
	return layers, power(1/gamma, layers)
}

// GradientBound returns the lower bound of Prop. 4 on the squared gradient ‖∂X_L/∂W_ℓ‖² with the spectral
// gap, for T tokens: T^(L-1) γ^(1-L) times the upper end of the limit law for a product of L-ℓ square
// matrices. The power of γ is missing in the paper's proof. For L = 1 GradientBound is the bound T/γ of (7).
func GradientBound(layer, layers int, tokens, gamma float64) float64 {
	if layers == 1 {
		return tokens / gamma
	}
	return float64(power(tokens/gamma, layers-1) * fuss(layers-layer))
}

// StableRankExcess returns the exponent and the factor of the power of T by which the stable rank excess
// sr(Σ_ℓ)-1 vanishes with the spectral gap: exponent 1-2ℓ and factor σ_A^(4ℓ) (1+ℓ(1+γ)). The largest
// singular value of Σ_ℓ is D^ℓ, and the other singular values have the second moment of Prop. 7. Prop. 3
// states the exponent 1-4ℓ, as if Theorem 9 gave the squares of the singular values.
func StableRankExcess(layers int, gamma, sigma float64) (exponent int, factor float64) {
	return 1 - 2*layers, float64(power(sigma, 4*layers) * (1 + float64(float64(layers)*(1+gamma))))
}

// StableRankShare returns the limit C_ℓ, for many tokens T, of the stable rank of Σ_ℓ divided by T, without
// the spectral gap (Prop. 5): the second moment of the law Covariance, divided by the square of the upper end
// of its support. The errors of StableRankShare are those of Covariance.
func StableRankShare(layers int, gamma float64) (float64, error) {
	p, err := Covariance(layers, gamma, math.Sqrt(gamma))
	if err != nil {
		return 0, err
	}
	_, edge := p.Support()
	return (1 + p.Variance()) / float64(edge*edge), nil
}
