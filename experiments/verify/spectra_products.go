package verify

import (
	"math"

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
}

// valueProduct is W₁…W_q of independent standard normal matrices (d×d): the signal of attention that is the
// identity.
func valueProduct(seed uint64, sample int64, d, q int) (*mat.Dense, error) {
	n := matrices.Network{Attention: matrices.Identity, Tokens: d, Dim: d, Layers: q, Heads: 1}
	signal := n.Start(seed, sample)
	for range q {
		if err := signal.Advance(); err != nil {
			return nil, err
		}
	}
	return signal.X(), nil
}

// attentionProduct is A_p…A₁ of independent Markov matrices of T tokens, with the gap or without.
func attentionProduct(seed uint64, sample int64, tokens, p int, gap matrices.Gap) (*mat.Dense, error) {
	n := matrices.Network{Tokens: tokens, Dim: 1, Layers: p, Heads: 1, Gap: gap}
	signal := n.Start(seed, sample)
	var product *mat.Dense
	for range p {
		if err := signal.Advance(); err != nil {
			return nil, err
		}
		if product == nil {
			product = mat.DenseCopyOf(signal.Attention(0))
			continue
		}
		var next mat.Dense
		next.Mul(signal.Attention(0), product)
		product = &next
	}
	return product, nil
}

func gaussianProduct(f *fixture, r *report) error {
	const dim, samples = 6, 3000
	for _, q := range []int{1, 3} {
		var squares []float64
		for sample := range int64(samples) {
			w, err := valueProduct(f.seed, sample, dim, q)
			if err != nil {
				return err
			}
			row := mat.NewVecDense(dim, nil) // u ∝ (1, …, 1)
			for i := range dim {
				row.AddScaledVec(row, 1/math.Sqrt(dim), w.RowView(i))
			}
			squares = append(squares, mat.Dot(row, row)/math.Pow(dim, float64(q)))
		}
		r.normal("E s₁²/d^q, q = "+number(float64(q)), 1, meanOf(squares, identity), 0.03, 0)
	}
	return nil
}

func markovProduct(f *fixture, r *report) error {
	const samples = 100
	for _, c := range []struct {
		what      string
		p         int
		gap       matrices.Gap
		predicted float64
	}{
		{"power of T, p = 1", 1, matrices.KeepGap, -0.5}, {"power of T, p = 2", 2, matrices.KeepGap, -0.5},
		{"power of T, p = 2, without gaps", 2, matrices.RemoveMeans, -1},
	} {
		var logarithms [2]estimate
		for k, tokens := range []int{40, 80} {
			var values []float64
			for sample := range int64(samples) {
				product, err := attentionProduct(f.seed, sample, tokens, c.p, c.gap)
				if err != nil {
					return err
				}
				if c.gap == matrices.KeepGap {
					product.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(tokens) }, product)
				}
				singular, err := matrices.SingularValues(product)
				if err != nil {
					return err
				}
				values = append(values, singular[0])
			}
			logarithms[k] = logarithmOf(meanOf(values, identity))
		}
		r.normal(c.what, c.predicted, logarithms[1].minus(logarithms[0]).scaled(1/math.Ln2), 0.02, 0.09)
		if c.p == 2 && c.gap == matrices.KeepGap {
			r.refute(-1) // as printed
		}
	}
	return nil
}

func signalValues(f *fixture, r *report) error {
	const layers, samples = 2, 60
	var first, second [2]estimate
	for k, tokens := range []int{32, 64} {
		n := matrices.Network{Tokens: tokens, Dim: tokens, Layers: layers, Heads: 1}
		var s1, s2 []float64
		for sample := range int64(samples) {
			signal := n.Start(f.seed, sample)
			for range layers {
				if err := signal.Advance(); err != nil {
					return err
				}
			}
			values, err := matrices.SingularValues(signal.X())
			if err != nil {
				return err
			}
			s1, s2 = append(s1, values[0]/float64(tokens)), append(s2, values[1]) // over d^(q/2), q = 2
		}
		first[k], second[k] = meanOf(s1, identity), meanOf(s2, identity)
	}
	r.normal("s₁/d^(q/2), T = 64", 1, first[1], 0.04, 0.15)
	r.normal("power of T of s₂", 0, logarithmOf(second[1]).minus(logarithmOf(second[0])).scaled(1/math.Ln2),
		0.05, 0.15)
	r.refute(1) // that of s₁
	return nil
}

func keyQueryGrowth(f *fixture, r *report) error {
	const samples, layers = 400, 2
	var logarithms [2]estimate
	for k, tokens := range []int{16, 64} {
		n := matrices.Network{Attention: matrices.Softmax, Tokens: tokens, Dim: tokens, Layers: layers,
			Heads: 1}
		var values []float64
		for sample := range int64(samples) {
			if err := f.context.Err(); err != nil {
				return err
			}
			gradients, err := n.Gradients(f.seed, sample)
			if err != nil {
				return err
			}
			values = append(values, math.Log(gradients[0]))
		}
		logarithms[k] = meanOf(values, identity)
	}
	const expected = 1.5
	rate := logarithms[1].minus(logarithms[0]).scaled(1 / math.Log(4))
	r.differs("power of T of ‖∂X₂/∂W₁‖²", layers-1, expected, rate)
	if rate.value < layers-1 {
		r.most("which must be above the bound", 0, 1)
	}
	return nil
}

// jacobianMoments are the mean and the relative second moment of the squared singular values of J = A ⊗ Wᵀ,
// which are products of those of A = A_ℓ…A₁ without gaps and W = W₁…W_ℓ.
func jacobianMoments(f *fixture, r *report) error {
	const layers, samples = 2, 80
	moments := func(m *mat.Dense) (mean, square float64) {
		rows, _ := m.Dims()
		var gram mat.Dense
		gram.Mul(m, m.T())
		norm := mat.Norm(&gram, 2)
		return mat.Trace(&gram) / float64(rows), norm * norm / float64(rows)
	}
	for _, gamma := range []float64{1, 0.5} {
		var means, ratios [2]estimate
		for k, tokens := range []int{30, 60} {
			dim := int(float64(tokens) / gamma)
			var mean, ratio []float64
			for sample := range int64(samples) {
				a, err := attentionProduct(f.seed, sample, tokens, layers, matrices.RemoveMeans)
				if err != nil {
					return err
				}
				w, err := valueProduct(f.seed, sample, dim, layers)
				if err != nil {
					return err
				}
				m1, s1 := moments(a)
				m2, s2 := moments(w)
				mean, ratio = append(mean, m1*m2), append(ratio, s1*s2/(m1*m2*m1*m2))
			}
			means[k], ratios[k] = meanOf(mean, identity), meanOf(ratio, identity)
		}
		extrapolated := means[1].scaled(2).minus(means[0]) // without the correction of order 1/T
		r.normal("mean, γ = "+number(gamma), math.Pow(gamma, -layers), extrapolated, 0.1, 0.2)
		if gamma != 1 {
			r.refute(1) // as printed
		}
		r.normal("relative variance, γ = "+number(gamma), layers*(layers+2),
			estimate{2*ratios[1].value - ratios[0].value - 1,
				math.Hypot(2*ratios[1].stderr, ratios[0].stderr)}, 0.2, 0.4)
	}
	return nil
}
