package verify

import (
	"fmt"
	"math"

	"antipode/overlap/spectrum"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// dynamicalIsometry adds the identity to attention without its gap. The mean squared singular value of a
// layer is then 1, and attention contributes the fraction 1/ℓ of it. With orthogonal values the variance of
// Σ_ℓ stays below 2; with Gaussian values it grows with depth.
func dynamicalIsometry(f *fixture, r *report) {
	const samples, gamma = 80, 0.5
	for c := range parts(r, []struct {
		layers int
		values matrices.Values
		gamma  float64 // for Gaussian values
		wrong  float64 // ℓ, the variance without the identity, or 2-1/ℓ, the variance with orthogonal values
	}{
		{8, matrices.OrthogonalValues, 0, 8}, {2, matrices.OrthogonalValues, 0, 2},
		{3, matrices.GaussianValues, gamma, 5. / 3},
	}) {
		share := 1 / float64(c.layers)
		var means, variances [2]estimate
		for k, tokens := range []int{32, 64} {
			var mean, variance []float64
			for sample := range f.samples(samples) {
				x := f.skipSignal(sample, tokens, int(float64(tokens)/gamma), c.layers, share, c.values)
				squared := mat.Norm(x, 2)
				mean = append(mean, squared*squared/float64(tokens))
				variance = append(variance, relativeMoment(x)-1)
			}
			means[k], variances[k] = meanOf(mean, identity), meanOf(variance, identity)
		}
		one, variance := spectrum.SkipMoments(c.layers, math.Sqrt(1-share), math.Sqrt(share), c.gamma)
		where := fmt.Sprintf(" of Σ_ℓ, ℓ = %d, %s values", c.layers, c.values)
		// Extrapolation removes the correction of order 1/T.
		r.normal("variance"+where, variance, variances[1].scaled(2).minus(variances[0]), 0.35, 0.1)
		r.refute(c.wrong)
		r.normal("mean"+where, one, means[1].scaled(2).minus(means[0]), 0.08, 0.02)
	}
}

// skipSignal returns the signal (T×d) after layers of attention aI + b√T A⊥ with a² = 1-b² and b² = share,
// and of values scaled to a mean squared singular value of 1, starting from an orthonormal input.
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
