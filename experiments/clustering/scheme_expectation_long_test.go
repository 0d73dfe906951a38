//go:build long

package clustering

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// The mean overlap of two tokens at a finite time, by multilevel Monte Carlo and by
// extrapolation of the limit (6), and from the Fokker-Planck equation: within 4.5 standard
// errors and the bias that was asked for; false alarm 2e-5 in all.
func TestMeanOverlapInTheLimit(t *testing.T) {
	const dim, beta, z0, horizon, accuracy = 4, 1, 0, 1, 0.02
	want := meanOverlapInTheory(t, dim, beta, z0, horizon)
	const depth = 4
	cell := sde.Cell{Model: sde.TransformerSDE, Tokens: 2, Dim: dim, Beta: beta, Sigma: 1, Depth: depth, Start: sde.PairStart{Overlap: z0}}
	e := sde.Expectation{Cell: cell, Steps: horizon * depth, Seed: 1, Function: func(x []float64) float64 {
		sum := 0.0
		for k := range dim {
			sum += x[k] * x[dim+k]
		}
		return sum
	}}
	compare := func(what string, value, deviation float64) {
		t.Logf("%s: %.4f ± %.4f, want %.4f", what, value, deviation, want)
		if math.Abs(value-want) > 4.5*deviation+accuracy {
			t.Errorf("%s: %.4f ± %.4f, want %.4f", what, value, deviation, want)
		}
	}
	for _, antithetic := range []bool{false, true} {
		if antithetic {
			e.Cell.Scheme = sde.Heun
		}
		m, err := e.Multilevel(t.Context(), sde.Multilevel{StandardError: accuracy, Antithetic: antithetic})
		if err != nil {
			t.Fatal(err)
		}
		compare("multilevel, "+e.Cell.Scheme.String(), m.Value, m.StandardError)
	}
	x, err := e.Extrapolate(t.Context(), accuracy)
	if err != nil {
		t.Fatal(err)
	}
	compare("extrapolation", x.Value, x.StandardError)
}

// meanOverlapInTheory is E Z_T = 1 - ∫ P(Z_T ≤ z) dz.
func meanOverlapInTheory(t *testing.T, dim int, beta, z0, horizon float64) float64 {
	t.Helper()
	d, err := overlap.New(dim, beta, overlap.Softmax, 1)
	if err != nil {
		t.Fatal(err)
	}
	laws, err := fokkerplanck.From(d, z0, []float64{horizon}, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	const panels = 2000
	mean := 1.0
	for k := range panels {
		mean -= laws[0].Below((2*(float64(k)+0.5)/panels - 1)).Value * 2 / panels
	}
	return mean
}
