package propagation

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// expected returns the mean of f(x, y) for normal variables x and y of the given standard deviation and
// correlation, by Gauss-Hermite quadrature.
func expected(deviation, rho float64, f func(x, y float64) float64) float64 {
	const n = 40
	node, weight := make([]float64, n), make([]float64, n)
	quad.Hermite{}.FixedLocations(node, weight, math.Inf(-1), math.Inf(1))
	sum := 0.0
	for i, u := range node {
		for j, v := range node {
			x := math.Sqrt2 * deviation * u
			y := math.Sqrt2 * deviation * (float64(rho*u) + float64(math.Sqrt(1-rho*rho)*v))
			sum += weight[i] * weight[j] * f(x, y) / math.Pi
		}
	}
	return sum
}

// With two tokens, whose scores differ by x, the attention weights are 1/2 ± tanh(x/2)/2.
func TestExcessOfTwoTokens(t *testing.T) {
	product := func(x, y float64) float64 { return math.Tanh(x/2) * math.Tanh(y/2) / 2 }
	for _, s := range []float64{1e-9, 1e-6, 1e-4, 2.9e-3, 3.1e-3, 0.02, 0.049, 0.051, 0.2, 0.7} {
		row, err := FiniteRow(2, s)
		if err != nil {
			t.Fatal(err)
		}
		want := expected(math.Sqrt2*s, 1, product)
		if got := rowExcess(2, s, row); !(math.Abs(got/want-1) < 1e-9) {
			t.Errorf("s = %v: Y2 - 1/2 is %v, want %v", s, got, want)
		}
		for _, rho := range []float64{0.1, 0.6, 0.97} {
			cross, err := CrossParticipation(2, s, rho)
			if err != nil {
				t.Fatal(err)
			}
			want := expected(math.Sqrt2*s, rho, product)
			if got := crossExcess(2, s, rho, row, cross); !(math.Abs(got/want-1) < 1e-5) {
				t.Errorf("s = %v, ρ = %v: Y - 1/2 is %v, want %v", s, rho, got, want)
			}
		}
	}
}

// For any number of tokens the series and the differences agree where both are accurate. The second term of
// the series, which vanishes for two tokens, is at least 20 times the allowed error.
func TestExcessSeriesAgreesWithTheDifference(t *testing.T) {
	for _, tokens := range []float64{3, 17, 1e3, 1e9} {
		const s, rho = 0.055, 0.7
		row, err := FiniteRow(tokens, s)
		cross, err2 := CrossParticipation(tokens, s, rho)
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		for _, c := range [][3]float64{{1, row.Y2, 5e-6}, {rho, cross, 8e-6}} {
			difference, series := c[1]-1/tokens, excessSeries(tokens, s, c[0], row)
			if !(math.Abs(series/difference-1) < c[2]) {
				t.Errorf("T = %v, ρ = %v: series %v, difference %v", tokens, c[0], series, difference)
			}
		}
	}
}

// Attention that subtracts the mean of the values, with β → 0 and without a residual connection, multiplies
// the differences of the tokens by nearly equal numbers: the cosine of the tokens stays, although the tokens
// are nearly 0. The derivative with respect to the value weights is to leading order (Q-P) s² (T-1)/T².
func TestWeakGainControlledAttention(t *testing.T) {
	block := Block{Kind: GainPostNorm, Beta: 1e-7, SigmaV2: 1, Tokens: 16, Activation: Tanh, AlphaMLP: 1}
	for _, block.Beta = range []float64{1e-12, 1e-7, 1e-5, 1e-4} {
		m, err := NewMap(block)
		if err != nil {
			t.Fatal(err)
		}
		next, err := m.Step(State{1, 0.5})
		if err != nil || !(math.Abs(next.Cosine()-0.5) < 1e-6) {
			t.Errorf("β = %v: cosine %v, %v; want 0.5", block.Beta, next.Cosine(), err)
		}
		g, err := m.Gradients(State{1, 0.5})
		want := 0.5 * block.Beta * block.Beta * 0.5 * math.Log(16) * 15 / 256
		if err != nil || !(math.Abs(g.Value/want-1) < 1e-6) {
			t.Errorf("β = %v: value gradient %v, %v; want %v", block.Beta, g.Value, err, want)
		}
	}
	block.Beta = 0
	m, err := NewMap(block)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Step(State{1, 0.5}); !errors.Is(err, ErrVanished) {
		t.Errorf("β = 0: %v; want %v", err, ErrVanished)
	}
}
