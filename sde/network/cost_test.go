package network

import (
	"math"
	"testing"
)

// Operations are two for each multiplication of the products, counted by hand: for queries and keys 2·6·4,
// for values 6², for scores and outputs 5·(4+6), for W_O 6², and for the gated MLP 6·14 + 7·6, each for 5
// tokens. A pass back and the gradients of a layer by itself take four times as much again.
func TestOperationEstimates(t *testing.T) {
	bare := Network{Tokens: 5, Dim: 6, Layers: 3, Heads: 2, KeyDim: 2, AttentionOnly: true}
	const attention, mixed, mlp = 2 * 5 * (48 + 36 + 50), 2 * 5 * 36, 2 * 5 * (84 + 42)
	full := bare
	full.Projection, full.AttentionOnly, full.Gated, full.Width = true, false, true, 7
	classified := full
	classified.Input, classified.Embedding = Embedded, Embedding{Vocabulary: 9}
	const weights, mapped, perceptron = 48 + 36 + 2, 36, 84 + 14 + 42 + 6 + 2 // two strengths of a branch
	for _, c := range []struct {
		e               Ensemble
		products, draws float64
	}{
		{Ensemble{Network: bare}, 3 * attention, 3 * weights},
		{Ensemble{Network: full}, 3 * (attention + mixed + mlp), 3 * (weights + mapped + perceptron)},
		{Ensemble{Network: classified, Sequences: 4}, 3 * 4 * (attention + mixed + mlp),
			3 * (weights + mapped + perceptron)},
		{Ensemble{Network: full, Gradients: true, Classes: 8}, 5*3*(attention+mixed+mlp) + 4*5*6*8,
			2*3*(weights+mapped+perceptron) + 6*8},
	} {
		if products, draws := c.e.operations(); products != c.products || draws != c.draws {
			t.Errorf("%+v: %v operations and %v draws, want %v and %v", c.e, products, draws,
				c.products, c.draws)
		}
	}
}

// The time of a pass is that of the products, of which those of the outputs are two for each weight and
// token, and of 1.5 ns for each number of a layer: 8 for each coordinate, the hidden units, and 4 for each
// score. With gradients it is three times as long.
func TestSecondsOfAPass(t *testing.T) {
	n := Network{Tokens: 5, Dim: 6, Layers: 3, Heads: 2, KeyDim: 2, Width: 7, Gated: true, Projection: true,
		Outputs: 4}
	const layer = 2 * 5 * (48 + 36 + 50 + 36 + 84 + 42)
	const numbers = 5 * (48 + 14 + 40)
	want := secondsPerOperation()*(3*layer+2*5*6*4) + 1.5e-9*3*numbers
	if got := n.Seconds(false); !(math.Abs(got/want-1) <= 1e-12) {
		t.Errorf("%v s, want %v", got, want)
	}
	if got := n.Seconds(true); !(math.Abs(got/want-3) <= 1e-12) {
		t.Errorf("%v s with gradients, want %v", got, 3*want)
	}
	e := Ensemble{Network: n, Networks: 7}
	products, draws := e.operations()
	want = 7 * (secondsPerOperation()*products + 4e-9*draws)
	if got := e.Seconds(); !(math.Abs(got/want-1) <= 1e-12) {
		t.Errorf("%v s for an ensemble, want %v", got, want)
	}
}
