package stack

import (
	"math"
	"testing"

	"antipode/overlap/propagation"
)

// Hermite expansions agree with the kernels and slopes that are known in closed form.
func TestExpansionsAgainstClosedForms(t *testing.T) {
	for _, variance := range []float64{0.03, 0.31, 2.5} {
		for _, a := range []Activation{GELU, Erf, Tanh} {
			squares := hermiteSquares(a.function(), math.Sqrt(variance))
			closed := propagation.Activation(a)
			for _, rho := range []float64{0, 0.2, 0.75, 1} {
				want := closed.Kernel(variance, variance*rho)
				if got := horner(squares, rho); !(math.Abs(got-want) <= 1e-9) {
					t.Errorf("%v, variance %g, ρ = %g: %.12g, closed form %.12g", a, variance, rho, got, want)
				}
			}
		}
	}
}

// Kernels of SiLU and of the approximation of GELU, with biases and with and without gates, agree with a sum
// over pairs of normal variables, and their derivatives agree with differences.
func TestKernelsAgainstSums(t *testing.T) {
	const variance, bias = 0.8, 0.3
	for _, a := range []Activation{SiLU, GELUTanh, Linear, ReLU} {
		phi := a.function()
		for _, h := range []*hidden{
			newHidden(Architecture{Activation: a, Hidden2: variance - bias, Bias2: bias}),
			newHidden(Architecture{Activation: a, Hidden2: variance - bias, Bias2: bias, Gated: true}),
		} {
			for _, cosine := range []float64{0.15, 0.6, 0.97} {
				rho := ((variance-h.bias)*cosine + h.bias) / variance
				want := 0.0
				for i, x := range normalRule.x {
					for j, y := range normalRule.x {
						second := rho*x + math.Sqrt(1-rho*rho)*y
						want += normalRule.weight[i] * normalRule.weight[j] * phi(math.Sqrt(variance)*x) *
							phi(math.Sqrt(variance)*second)
					}
				}
				if h.gated {
					want *= variance * rho
				}
				tolerance := 1e-6
				if a == ReLU { // which has a kink
					tolerance = 4e-3
				}
				if got := h.gram(cosine); !(math.Abs(got-want) <= tolerance) {
					t.Errorf("%v, gated %v, bias %v, cosine %v: %.9g, sum %.9g", a, h.gated, h.bias, cosine,
						got, want)
				}
				const step = 1e-5
				slope := (h.gram(cosine+step) - h.gram(cosine-step)) / (2 * step * (variance - h.bias))
				if got := h.derivativeGram(cosine); !(math.Abs(got-slope) <= 1e-6) {
					t.Errorf("%v, gated %v, bias %v, cosine %v: derivative %.9g, difference %.9g", a, h.gated,
						h.bias, cosine, got, slope)
				}
			}
		}
	}
}
