package rankcollapse

import (
	"math"

	"antipode/experiments/internal/networks"
	"antipode/experiments/internal/statistics"
	"antipode/sde/network"
)

// preNormParts returns the parts of Fig. 9, with the sizes of Table 2 of the paper. The networks are pre-norm
// Transformers on embedded words; the paper does not state their number of layers. Weights have variance 1/d,
// as in Xavier initialisation.
func preNormParts(paper bool) []part {
	layers, count := 12, int64(10)
	if paper {
		layers, count = 50, 50
	}
	n := network.Network{
		Norm: network.PreNorm, LayerNorm: network.LayerNorm{Centred: true, Epsilon: 1e-5},
		Tokens: 50, Dim: 32, Width: 128, Heads: 4, Layers: layers, Projection: true, Activation: network.ReLU,
		QueryKey2: 1, Value2: 1, Projection2: 1, Hidden2: 1, Output2: 1, AlphaSA: 1, AlphaMLP: 1,
		Input: network.Embedded,
		Embedding: network.Embedding{
			Vocabulary: 1000, Positions: network.SinusoidalPositions, Variance: 1,
		},
	}
	row := func(runs [][]network.Layer, quantity Quantity, layer int, e statistics.Estimate) Row {
		r := rowOf(n, quantity, Constant)
		r.Rho = networks.RatioOf(runs, 0, innerAndSquare).Value
		r.Sigma = math.Sqrt(networks.EstimateOf(runs, 0, func(l network.Layer) float64 { return l.Q }).Value)
		r.Layer, r.Simulated, r.Stderr = int32(layer), e.Value, e.Stderr
		return r
	}
	gradients := func(runs [][]network.Layer, scale float64, quantities [3]Quantity) (rows []Row) {
		for k, weights := range []networks.Weights{networks.Query, networks.Key, networks.Value} {
			for layer := 1; layer <= layers; layer++ {
				rows = append(rows, row(runs, quantities[k], layer, networks.EstimateOf(runs, layer,
					func(l network.Layer) float64 { return scale * weights.Of(l.Whole) })))
			}
		}
		return rows
	}
	ofTokens := func(runs [][]network.Layer) (rows []Row, err error) {
		for layer := range layers + 1 {
			rows = append(rows, row(runs, Correlation, layer, networks.RatioOf(runs, layer, innerAndSquare)))
		}
		for layer := range layers + 1 {
			rows = append(rows, row(runs, MeanCosine, layer,
				networks.EstimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine })))
		}
		return append(rows, gradients(runs, 1,
			[3]Quantity{QueryGradient, KeyGradient, ValueGradient})...), nil
	}
	// The derivatives of the loss with respect to the coordinates of tokens have variance 1/dn² if the logits
	// are small.
	ofLoss := func(runs [][]network.Layer) ([]Row, error) {
		scale := float64(n.Dim * n.Tokens * n.Tokens)
		return gradients(runs, scale, [3]Quantity{QueryLoss, KeyLoss, ValueLoss}), nil
	}
	return []part{
		{network: n, networks: count, gradients: true, rows: ofTokens},
		{network: n, networks: count, gradients: true, classes: n.Embedding.Vocabulary, rows: ofLoss},
	}
}

func innerAndSquare(l network.Layer) (inner, square float64) { return l.P, l.Q }
