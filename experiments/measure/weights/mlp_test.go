package weights

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The outputs of an MLP for two tokens are W_2 φ(W_1 x), and with a gate W_2 (W_1 x ∘ φ(W_g x)).
func TestOutputsOfMLP(t *testing.T) {
	r := &matrices{up: mat.NewDense(3, 2, []float64{1, 2, -3, 4, 0.5, -1}),
		down: mat.NewDense(2, 3, []float64{1, -1, 2, 0.25, 3, 1})}
	tokens := mat.NewDense(2, 2, []float64{1, -2, 0.5, 3}) // the columns are the tokens (1, 0.5) and (-2, 3)
	hidden := [2][3]float64{{2, -1, 0}, {4, 18, -4}}
	gates := [2][3]float64{{-0.5, 1.5, 2}, {-11, 1, 12}}
	logistic := func(x float64) float64 { return x / (1 + math.Exp(-x)) }
	relu := func(x float64) float64 { return max(0, x) }
	for _, c := range []struct {
		activation string
		gated      bool
		of         func(x, gate float64) float64
	}{
		{"relu", false, func(x, _ float64) float64 { return relu(x) }},
		{"tanh", false, func(x, _ float64) float64 { return math.Tanh(x) }},
		{"silu", true, func(x, gate float64) float64 { return x * logistic(gate) }},
		{"relu", true, func(x, gate float64) float64 { return x * relu(gate) }},
	} {
		if r.gate = nil; c.gated {
			r.gate = mat.NewDense(3, 2, []float64{1, -3, 1, 1, 0, 4})
		}
		got := r.outputs(tokens, c.activation)
		for token := range 2 {
			var v [3]float64
			for k := range v {
				v[k] = c.of(hidden[token][k], gates[token][k])
			}
			for i, want := range []float64{v[0] - v[1] + 2*v[2], 0.25*v[0] + 3*v[1] + v[2]} {
				if !(math.Abs(got.At(i, token)-want) <= 1e-12) {
					t.Errorf("%s, gated %t: output %d of token %d is %v, want %v", c.activation,
						c.gated, i, token, got.At(i, token), want)
				}
			}
		}
	}
}
