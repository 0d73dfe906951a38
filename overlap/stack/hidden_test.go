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

// quadrature is the mean of f(x)f(y) for normal x and y of the given variance and correlation ρ, with a step
// that resolves features of f of width 1.
func quadrature(f func(float64) float64, variance, rho float64) float64 {
	deviation := math.Sqrt(variance)
	step := min(0.2, 0.25/deviation)
	orthogonal := math.Sqrt(max(0, (1-rho)*(1+rho)))
	sum := 0.0
	for x := -7.; x <= 7; x += step {
		for y := -7.; y <= 7; y += step {
			weight := math.Exp(-0.5*(x*x+y*y)) / (2 * math.Pi) * step * step
			sum += weight * f(deviation*x) * f(deviation*(rho*x+orthogonal*y))
		}
	}
	return sum
}

// slopeOf is the derivative of a smooth function.
func slopeOf(f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 { return (f(x+1e-5) - f(x-1e-5)) / 2e-5 }
}

// For large pre-activations too, kernels and slopes of expanded activations agree with sums over pairs of
// normal variables.
func TestLargePreActivations(t *testing.T) {
	for _, a := range []Activation{SiLU, GELUTanh} {
		for _, variance := range []float64{15, 16.1, 16.3, 17, 100} {
			h := newHidden(Architecture{Activation: a, Hidden2: variance})
			for _, rho := range []float64{0.1, 0.9, 1} {
				const tolerance = 3e-4
				want := quadrature(h.phi, variance, rho)
				if got := h.gram(rho); !(math.Abs(got/want-1) <= tolerance) {
					t.Errorf("%v, variance %g, ρ = %g: kernel %g, sum %g", a, variance, rho, got, want)
				}
				want = quadrature(slopeOf(h.phi), variance, rho)
				if got := h.derivativeGram(rho); !(math.Abs(got/want-1) <= tolerance) {
					t.Errorf("%v, variance %g, ρ = %g: slope %g, sum %g", a, variance, rho, got, want)
				}
			}
		}
	}
}

// Without pre-activations, E φ'φ' is the squared derivative at 0, and for pre-activations that are tiny it
// nearly is. That of ReLU is 0 at 0, as in networks.
func TestPreActivationsOfZero(t *testing.T) {
	for a, want := range map[Activation]float64{Linear: 1, GELUTanh: 0.25, SiLU: 0.25, GELU: 0.25, Tanh: 1} {
		for _, variance := range []float64{0, 1e-320, 1e-200, 1e-39, 1e-20} {
			h := newHidden(Architecture{Activation: a, Hidden2: variance})
			if got := h.derivativeGram(0.3); !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%v, variance %g: %g, want %g", a, variance, got, want)
			}
		}
	}
	for variance, want := range map[float64]float64{0: 0, 1e-20: 0.5} {
		h := newHidden(Architecture{Activation: ReLU, Hidden2: variance})
		if got := h.derivativeGram(1); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("relu, variance %g: %g, want %g", variance, got, want)
		}
	}
}

// In d dimensions the cosines ρ of tokens scatter around their mean c with variance (1-c²)²/d. The products
// of the outputs of a gated linear MLP are proportional to ρ², which has the mean c² + (1-c²)²/d; the
// derivatives in the backward pass are proportional to ρ, whose mean does not change.
func TestGatedLinearOutputs(t *testing.T) {
	s := usual()
	s.Norm, s.Layers, s.Dim, s.Activation, s.Gated = PreNorm, 1, 25, Linear, true
	s.Bias2, s.SkipMLP, s.Value2 = 0, 0, 0
	s.Input.Cosine = 0.6
	layers := forward(t, s)
	if want := 0.36 + 0.4096/25; !(math.Abs(layers[1].Cosine-want) <= 1e-12) {
		t.Errorf("cosine %.15g, want %.15g", layers[1].Cosine, want)
	}
	s.WideLimit = true
	if got := forward(t, s)[1].Cosine; !(math.Abs(got-0.36) <= 1e-12) {
		t.Errorf("wide limit: cosine %.15g, want 0.36", got)
	}
	k := must(t, s).hidden
	x := newGram(1)
	x.square[0], x.inner[0][0] = 1, 0.6
	got := x.mapCosines(k.derivativeGram, 25).inner[0][0]
	if want := k.derivativeGram(0.6); !(math.Abs(got/want-1) <= 1e-12) {
		t.Errorf("derivatives %.15g, want %.15g", got, want)
	}
}
