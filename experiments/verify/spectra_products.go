package verify

import (
	"fmt"
	"math"

	"antipode/overlap/spectrum"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

var spectraProducts = []Claim{
	{
		"gaussian-product", Spectra, "Lemma 1",
		"E s₁²(uuᵀW₁…W_q) = d^q for a unit vector u and independent Gaussian matrices",
		"value matrices whose entries have another variance than 1, or share random numbers between layers",
		gaussianProduct,
	},
	{
		"markov-product", Spectra, "Lemma 2",
		"A_p…A₁ - 11ᵀ/T is of the order T^(-1/2) for every p, not T^(-p/2), as A_p⊥…A₁⊥ is",
		"the printed rate: means of columns, which deviate from 1/T, pass through all layers", markovProduct,
	},
	{
		"signal-values", Spectra, "Theorems 9, 10",
		"with p = q s₁(A_p…A₁W₁…W_q) is d^(q/2), and s₂ does not grow",
		"a largest singular value of another power of the width; a second one that grows with it",
		signalValues,
	},
	{
		"key-query-growth", Spectra, "Figs. 6, 10",
		"with key-query attention gradients of deeper networks grow faster than the bound T^(L-1)",
		"gradients without their path through the scores, or growth at the rate of the bound", keyQueryGrowth,
	},
	{
		"jacobian-moments", Spectra, "Prop. 8",
		"squares of the Jacobian's singular values: mean (σ_Aσ_V)^2ℓ γ^-ℓ, relative variance ℓ(ℓ+2)",
		"the printed mean, which lacks γ^-ℓ; the moments of one factor of the Kronecker product alone",
		jacobianMoments,
	},
	{
		"dynamical-isometry", Spectra, "Section 2.3",
		"aI + bA⊥, b² ∝ 1/ℓ, and orthogonal values keep Σ_ℓ near I: mean 1, variance ℓ(1-a⁴) < 2",
		"attention that keeps its gap, or values that are not orthogonal: a variance that grows with ℓ",
		dynamicalIsometry,
	},
}

// valueProduct returns the product W₁…W_q of independent standard normal matrices (d×d). The product is
// computed as the signal of layers whose attention is the identity.
func valueProduct(f *fixture, sample int64, d, q int) *mat.Dense {
	n := matrices.Network{Attention: matrices.Identity, Tokens: d, Dim: d, Layers: q, Heads: 1}
	return f.lastSignal(n, sample).X()
}

// attentionProduct returns the product A_p…A₁ of independent Markov matrices of T tokens, with or without the
// spectral gap.
func attentionProduct(f *fixture, sample int64, tokens, p int, gap matrices.Gap) *mat.Dense {
	n := matrices.Network{Tokens: tokens, Dim: 1, Layers: p, Heads: 1, Gap: gap}
	signal := f.signal(n, sample)
	var product *mat.Dense
	for range p {
		ensure(signal.Advance())
		if product == nil {
			product = mat.DenseCopyOf(signal.Attention(0))
			continue
		}
		var next mat.Dense
		next.Mul(signal.Attention(0), product)
		product = &next
	}
	return product
}

func gaussianProduct(f *fixture, r *report) {
	const dim, samples = 6, 3000
	for q := range parts(r, []int{1, 3}) {
		squares := f.meanOver(samples, func(sample int64) float64 {
			w := valueProduct(f, sample, dim, q)
			row := mat.NewVecDense(dim, nil) // a row vector u ∝ (1, …, 1) times a product
			for i := range dim {
				row.AddScaledVec(row, 1/math.Sqrt(dim), w.RowView(i))
			}
			return mat.Dot(row, row) / math.Pow(dim, float64(q))
		})
		r.normal("E s₁²/d^q, q = "+number(float64(q)), 1, squares, 0.15, 0)
	}
}

func markovProduct(f *fixture, r *report) {
	const samples = 100
	for c := range parts(r, []struct {
		what      string
		p         int
		gap       matrices.Gap
		predicted float64
	}{
		{"power of T, p = 1", 1, matrices.KeepGap, -0.5}, {"power of T, p = 2", 2, matrices.KeepGap, -0.5},
		{"power of T, p = 2, without gaps", 2, matrices.RemoveMeans, -1},
	}) {
		var logarithms [2]estimate
		for k, tokens := range []int{40, 80} {
			logarithms[k] = logarithmOf(f.meanOver(samples, func(sample int64) float64 {
				product := attentionProduct(f, sample, tokens, c.p, c.gap)
				if c.gap == matrices.KeepGap {
					product.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(tokens) },
						product)
				}
				return must(matrices.SingularValues(product))[0]
			}))
		}
		r.normal(c.what, c.predicted, logarithms[1].minus(logarithms[0]).scaled(1/math.Ln2), 0.13, 0.09)
		if c.p == 2 && c.gap == matrices.KeepGap {
			r.refute(-1) // the value that the paper prints
		}
	}
}

func signalValues(f *fixture, r *report) {
	const layers, samples = 2, 60
	var first, second [2]estimate
	for k, tokens := range []int{32, 64} {
		n := matrices.Network{Tokens: tokens, Dim: tokens, Layers: layers, Heads: 1}
		first[k], second[k] = f.meansOver(samples, func(sample int64) (float64, float64) {
			values := must(matrices.SingularValues(f.lastSignal(n, sample).X()))
			return values[0] / float64(tokens), values[1] // divided by d^(q/2) with q = 2
		})
	}
	r.normal("s₁/d^(q/2), T = 64", 1, first[1], 0.12, 0.15)
	r.normal("power of T of s₂", 0, logarithmOf(second[1]).minus(logarithmOf(second[0])).scaled(1/math.Ln2),
		0.18, 0.15)
	r.refute(1) // the rate of the largest singular value s₁
}

func keyQueryGrowth(f *fixture, r *report) {
	const samples, layers = 400, 2
	var logarithms [2]estimate
	for k, tokens := range []int{16, 64} {
		n := matrices.Network{Attention: matrices.Softmax, Tokens: tokens, Dim: tokens, Layers: layers,
			Heads: 1}
		logarithms[k] = f.meanOver(samples, func(sample int64) float64 {
			return math.Log(f.gradients(n, sample)[0])
		})
	}
	const bound, expected = layers - 1, layers + 0.5
	rate := logarithms[1].minus(logarithms[0]).scaled(1 / math.Log(4))
	r.beyond("power of T of ‖∂X₂/∂W₁‖²", bound, expected, rate)
}

// jacobianMoments tests the mean and the relative second moment of the squared singular values of the
// Jacobian J = A ⊗ Wᵀ. The squared singular values of J are products of the squared singular values of A =
// A_ℓ…A₁, without spectral gaps, and those of W = W₁…W_ℓ.
func jacobianMoments(f *fixture, r *report) {
	const layers, samples = 2, 80
	moments := func(m *mat.Dense) (mean, square float64) {
		rows, _ := m.Dims()
		var gram mat.Dense
		gram.Mul(m, m.T())
		norm := mat.Norm(&gram, 2)
		return mat.Trace(&gram) / float64(rows), norm * norm / float64(rows)
	}
	for gamma := range parts(r, []float64{1, 0.5}) {
		var means, ratios [2]estimate
		for k, tokens := range []int{30, 60} {
			dim := int(float64(tokens) / gamma)
			means[k], ratios[k] = f.meansOver(samples, func(sample int64) (mean, ratio float64) {
				a := attentionProduct(f, sample, tokens, layers, matrices.RemoveMeans)
				w := valueProduct(f, sample, dim, layers)
				m1, s1 := moments(a)
				m2, s2 := moments(w)
				return m1 * m2, s1 * s2 / (m1 * m2 * m1 * m2)
			})
		}
		extrapolated := means[1].scaled(2).minus(means[0]) // removes the correction of order 1/T
		r.normal("mean, γ = "+number(gamma), math.Pow(gamma, -layers), extrapolated, 0.45, 0.2)
		if gamma != 1 {
			r.refute(1) // the value that the paper prints
		}
		r.normal("relative variance, γ = "+number(gamma), layers*(layers+2),
			ratios[1].scaled(2).minus(ratios[0]).shifted(-1), 1, 0.4)
	}
}

// dynamicalIsometry adds the identity to attention without its spectral gap. The mean squared singular value
// of a layer is then 1, and attention contributes the fraction 1/ℓ of it. With orthogonal value matrices the
// variance of the eigenvalues of Σ_ℓ stays below 2; with Gaussian value matrices it grows with the depth ℓ.
func dynamicalIsometry(f *fixture, r *report) {
	const samples, gamma = 80, 0.5
	for c := range parts(r, []struct {
		layers int
		values matrices.Values
		gamma  float64 // for Gaussian value matrices
		wrong  float64 // ℓ, the variance without the identity, or 2-1/ℓ, the variance with orthogonal values
	}{
		{8, matrices.OrthogonalValues, 0, 8}, {2, matrices.OrthogonalValues, 0, 2},
		{3, matrices.GaussianValues, gamma, 5. / 3},
	}) {
		share := 1 / float64(c.layers)
		var means, variances [2]estimate
		for k, tokens := range []int{32, 64} {
			means[k], variances[k] = f.meansOver(samples, func(sample int64) (mean, variance float64) {
				x := f.skipSignal(sample, tokens, int(float64(tokens)/gamma), c.layers, share, c.values)
				squared := mat.Norm(x, 2)
				return squared * squared / float64(tokens), relativeMoment(x) - 1
			})
		}
		one, variance := spectrum.SkipMoments(c.layers, math.Sqrt(1-share), math.Sqrt(share), c.gamma)
		where := fmt.Sprintf(" of Σ_ℓ, ℓ = %d, %s values", c.layers, c.values)
		// Extrapolation removes the correction of order 1/T from the variance and the mean.
		r.normal("variance"+where, variance, variances[1].scaled(2).minus(variances[0]), 0.35, 0.1)
		r.refute(c.wrong)
		r.normal("mean"+where, one, means[1].scaled(2).minus(means[0]), 0.08, 0.02)
	}
}

// skipSignal returns the signal (T×d) after layers of attention aI + b√T A⊥ with a² = 1-b² and b² = share.
// The value matrices are scaled to a mean squared singular value of 1, and the signal starts from an
// orthonormal input.
func (f *fixture) skipSignal(
	sample int64, tokens, dim, layers int, share float64, values matrices.Values,
) *mat.Dense {
	attention := f.signal(matrices.Network{Tokens: tokens, Dim: 1, Layers: layers, Heads: 1,
		Gap: matrices.RemoveMeans}, sample)
	value := f.signal(matrices.Network{Attention: matrices.Identity, Tokens: dim, Dim: dim, Layers: layers,
		Heads: 1, Values: values}, sample)
	product := mat.NewDense(tokens, tokens, nil)
	for i := range tokens {
		product.Set(i, i, 1)
	}
	for range layers {
		ensure(attention.Advance())
		ensure(value.Advance())
		var next mat.Dense
		next.Mul(attention.Attention(0), product)
		next.Scale(math.Sqrt(share*float64(tokens)), &next)
		product.Scale(math.Sqrt(1-share), product)
		product.Add(product, &next)
	}
	var x mat.Dense
	x.Mul(product, value.X().Slice(0, tokens, 0, dim))
	x.Scale(math.Pow(float64(dim), -0.5*float64(layers)), &x)
	return &x
}
