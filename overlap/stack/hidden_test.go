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
				if got := horner(squares, rho); math.Abs(got-want) > 1e-9 {
					t.Errorf("%v, variance %g, ρ = %g: %.12g, closed form %.12g", a, variance, rho, got, want)
				}
			}
		}
	}
}

// Kernels of SiLU and of the approximation of GELU, with and without gates, agree with a sum over pairs
// of normal variables, and their derivatives agree with differences.
func TestKernelsAgainstSums(t *testing.T) {
	const variance = 0.8
	for _, a := range []Activation{SiLU, GELUTanh, Linear, ReLU} {
		for _, gated := range []bool{false, true} {
			h := newHidden(Shape{Activation: a, Hidden2: variance, Gated: gated})
			for _, rho := range []float64{0.15, 0.6, 0.97} {
				want := 0.0
				phi := a.function()
				for i, x := range normal.x {
					for j, y := range normal.x {
						second := rho*x + math.Sqrt(1-rho*rho)*y
						want += normal.weight[i] * normal.weight[j] * phi(math.Sqrt(variance)*x) *
							phi(math.Sqrt(variance)*second)
					}
				}
				if gated {
					want *= variance * rho
				}
				tolerance := 1e-6
				if a == ReLU { // which has a kink
					tolerance = 4e-3
				}
				if got := h.gram(rho); math.Abs(got-want) > tolerance {
					t.Errorf("%v, gated %v, ρ = %g: %.9g, sum %.9g", a, gated, rho, got, want)
				}
				const step = 1e-5
				slope := (h.gram(rho+step) - h.gram(rho-step)) / (2 * step * variance)
				if got := h.change(rho); math.Abs(got-slope) > 1e-6 {
					t.Errorf("%v, gated %v, ρ = %g: derivative %.9g, difference %.9g", a, gated, rho, got,
						slope)
				}
			}
		}
	}
}
