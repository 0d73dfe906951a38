package network

import "testing"

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
