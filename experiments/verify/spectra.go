package verify

import (
	"math"

	"antipode/overlap/spectrum"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

var spectra = []Claim{
	{
		"spectral-gap", Spectra, "Theorem 2",
		"a Markov matrix has s₁ → 1, an outlier; s₂√T → 2σ_A, which s₁√T has without the gap",
		"matrices whose rows do not sum to 1, a gap that is not removed, or σ_A off by 5 %", spectralGap,
	},
	{
		"scores-edge", Spectra, "Prop. 1",
		"scores are not independent: for T = d the bulk ends at the edge of theirs, not at 2σ_A",
		"scores drawn as if they were independent", scoresEdge,
	},
	{
		"rank-collapse", Spectra, "Prop. 3",
		"with the gap sr(Σ₁)-1 falls as 3/T for γ = 1, not as T⁻³",
		"the printed rate", widthCollapse,
	},
	{
		"rank-kept", Spectra, "Prop. 5",
		"without the gap sr(Σ₁)/T → 0.0658 for γ = 1",
		"a gap that is left in part, or a Fuss-Catalan law of another order", rankKept,
	},
	{
		"gradient-rate", Spectra, "Props. 4, 6",
		"‖∂X₂/∂W₁‖² grows as T² with the gap, not as its bound T, and as T without it",
		"gradients of a network, or their means in theory, with the paper's bound as their size",
		gradientRate,
	},
	{
		"covariance-moments", Spectra, "Prop. 7, Lemma 4",
		"each of ℓ value matrices adds γ: E Z²/(E Z)² = 1+ℓ(1+γ) for Σ_ℓ without the gap",
		"the free convolution that Lemma 4 names; value matrices that count only once", covarianceMoments,
	},
}

// signal starts the signal of a random stack of attention layers, the sample with the given index.
func (f *fixture) signal(n matrices.Network, sample int64) *matrices.Signal {
	return f.matrices(n).Start(f.seed, sample)
}

// lastSignal returns the signal of a sample of attention layers after the last layer.
func (f *fixture) lastSignal(n matrices.Network, sample int64) *matrices.Signal {
	signal := f.signal(n, sample)
	for range n.Layers {
		ensure(signal.Advance())
	}
	return signal
}

// gradients returns the gradients of a sample of attention layers with respect to the value matrices.
func (f *fixture) gradients(n matrices.Network, sample int64) []float64 {
	ensure(f.context.Err())
	return must(f.matrices(n).Gradients(f.seed, sample))
}

// meanOver estimates the mean of a function of independent samples, which are given by their indices.
func (f *fixture) meanOver(samples int64, value func(sample int64) float64) estimate {
	mean, _ := f.meansOver(samples, func(sample int64) (float64, float64) { return value(sample), 0 })
	return mean
}

// meansOver estimates the means of two functions of the same independent samples, which are given by their
// indices.
func (f *fixture) meansOver(
	samples int64, values func(sample int64) (first, second float64),
) (first, second estimate) {
	var pairs [2][]float64
	for sample := range f.samples(samples) {
		ensure(f.context.Err())
		x, y := values(sample)
		pairs[0], pairs[1] = append(pairs[0], x), append(pairs[1], y)
	}
	return meanOf(pairs[0], identity), meanOf(pairs[1], identity)
}

// attentionNetworks estimates the mean of a measured number over independent random stacks of attention
// layers with one head.
func attentionNetworks(
	f *fixture, n matrices.Network, samples int64, measure func(s *matrices.Signal) float64,
) estimate {
	n.Heads = 1
	return f.meanOver(samples, func(sample int64) float64 { return measure(f.lastSignal(n, sample)) })
}

// attentionValue returns a function that computes the k-th singular value of the attention matrix of a layer,
// counted from 1.
func attentionValue(k int) func(s *matrices.Signal) float64 {
	return func(s *matrices.Signal) float64 {
		values := must(matrices.SingularValues(s.Attention(0)))
		return values[k-1]
	}
}

func excess(s *matrices.Signal) float64 { return must(matrices.CovarianceExcess(s.X())) }

func spectralGap(f *fixture, r *report) {
	const tokens, samples = 100, 120
	root, edge := math.Sqrt(tokens), spectrum.EdgeMean(1, tokens)
	for c := range parts(r, []struct {
		what      string
		gap       matrices.Gap
		k         int
		factor    float64
		predicted float64
		allowance float64 // for terms of the next order: 3/T² and 3/T
	}{
		{"T (s₁-1)", matrices.KeepGap, 1, tokens, tokens * (spectrum.OutlierMean(1, tokens) - 1),
			3. / tokens},
		{"s₂√T", matrices.KeepGap, 2, root, edge, 3. / tokens},
		{"s₁√T without the gap", matrices.RemoveMeans, 1, root, edge, 3. / tokens},
	}) {
		n := matrices.Network{Tokens: tokens, Dim: 1, Layers: 1, Gap: c.gap}
		measured := attentionNetworks(f, n, samples, attentionValue(c.k)).scaled(c.factor)
		if c.gap == matrices.KeepGap && c.k == 1 {
			measured = measured.shifted(-tokens)
		}
		r.normal(c.what, c.predicted, measured, 0.04, c.allowance)
	}
}

// scoresEdge measures the largest singular value of attention by the positive parts of key-query scores. The
// entries of the scores are small enough not to hide the edge of the bulk of singular values. For a finite
// number T of tokens the largest singular value is somewhat smaller than in the limit.
func scoresEdge(f *fixture, r *report) {
	const tokens, samples, allowance = 150, 40, 0.06
	n := matrices.Network{
		Attention: matrices.ReLU, Tokens: tokens, Dim: tokens, Layers: 1, Gap: matrices.RemoveMeans,
	}
	largest := attentionNetworks(f, n, samples, attentionValue(1))
	r.normal("s₁√T for positive parts of scores", spectrum.ReLUScores(1, 1).Edge(),
		largest.scaled(math.Sqrt(tokens)), 0.045, allowance)
	r.refute(2 * math.Sqrt(0.5-0.5/math.Pi))
}

// excessesAt returns the mean excess sr(Σ₁)-1 of the stable rank of the covariance Σ₁ after a layer, for T =
// D = 32 and 64.
func excessesAt(f *fixture, gap matrices.Gap) (small, large estimate) {
	at := func(tokens int) estimate {
		n := matrices.Network{Tokens: tokens, Dim: tokens, Layers: 1, Gap: gap}
		return attentionNetworks(f, n, 400, excess)
	}
	return at(32), at(64)
}

func widthCollapse(f *fixture, r *report) {
	small, large := excessesAt(f, matrices.KeepGap)
	_, factor := spectrum.StableRankExcess(1, 1, 1)
	// Extrapolation removes the correction of order 1/T of T(sr-1); the next correction is below 0.1.
	r.normal("T (sr-1)", factor, large.scaled(2*64).minus(small.scaled(32)), 1, 0.1)
	r.normal("rate of sr-1", -1, logarithmOf(large).minus(logarithmOf(small)).scaled(1/math.Ln2), 0.4, 0.15)
	r.refute(-3)
}

func rankKept(f *fixture, r *report) {
	small, large := excessesAt(f, matrices.RemoveMeans)
	share := must(spectrum.StableRankShare(1, 1))
	// For T tokens, sr/T = C + aT^(-2/3). Two values of T determine C; the term of next order is below 0.006.
	small, large = small.shifted(1), large.shifted(1)
	ratio := math.Pow(2, -2./3)
	weight := 1 / (1 - ratio)
	r.normal("sr/T for many tokens", share, large.scaled(weight/64).minus(small.scaled(weight*ratio/32)),
		0.014, 0.006)
}

func gradientRate(f *fixture, r *report) {
	for c := range parts(r, []struct {
		gap  matrices.Gap
		what string
		rate float64
	}{{matrices.KeepGap, " with the gap", 2}, {matrices.RemoveMeans, " without the gap", 1}}) {
		kept := c.gap == matrices.KeepGap
		var predicted [2]float64
		var measured [2]estimate
		for k, tokens := range []int{12, 24} {
			n := matrices.Network{Tokens: tokens, Dim: tokens, Layers: 2, Heads: 1, Gap: c.gap}
			measured[k] = f.meanOver(600, func(sample int64) float64 { return f.gradients(n, sample)[0] })
			predicted[k] = spectrum.MeanGradients(tokens, tokens, 2, spectrum.RowVariance(tokens), kept)[0]
		}
		r.normal("‖∂X₂/∂W₁‖², T = 24,"+c.what, predicted[1], measured[1], 0.12*predicted[1], 0)
		// For these numbers of tokens the predicted rate is that of the exact means.
		allowance := math.Abs(math.Log2(predicted[1]/predicted[0]) - c.rate)
		r.normal("its rate"+c.what, c.rate,
			logarithmOf(measured[1]).minus(logarithmOf(measured[0])).scaled(1/math.Ln2), 0.3, allowance)
		if kept {
			r.refute(1)
		}
	}
}

func covarianceMoments(f *fixture, r *report) {
	const gamma, layers = 0.5, 2
	// For a covariance with random eigenvalue Z, the ratio E Z²/(E Z)² of each network varies less than its
	// numerator and its denominator. Extrapolation removes the correction of order 1/T.
	var ratios [2]estimate
	for k, tokens := range []int{40, 80} {
		n := matrices.Network{Tokens: tokens, Dim: 2 * tokens, Layers: layers, Gap: matrices.RemoveMeans}
		ratios[k] = attentionNetworks(f, n, 400,
			func(s *matrices.Signal) float64 { return relativeMoment(s.X()) })
	}
	mean, variance := spectrum.CovarianceMoments(layers, gamma, 1)
	r.normal("E Z²/(E Z)² of Σ₂", 1+variance/(mean*mean), ratios[1].scaled(2).minus(ratios[0]), 0.2, 0.06)
	r.refute(1 + 2*layers - 1 + gamma) // for the free convolution that Lemma 4 names
}

// relativeMoment returns the mean fourth power of the singular values of X divided by the square of their
// mean square.
func relativeMoment(x *mat.Dense) float64 {
	var covariance mat.Dense
	covariance.Mul(x, x.T())
	tokens, _ := x.Dims()
	ratio := mat.Norm(&covariance, 2) / mat.Trace(&covariance)
	return float64(tokens) * ratio * ratio
}
