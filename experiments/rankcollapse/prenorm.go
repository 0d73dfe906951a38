package rankcollapse

import (
	"math"

	"antipode/experiments/internal/networks"
	"antipode/sde/network"
)

// preNormParts are Fig. 9 with the sizes of Table 2: pre-norm Transformers on embedded words, whose depth the
// paper does not print. Weights have variance 1/d, as in Xavier's initialisation.
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
	gradient := map[Quantity]networks.Weights{
		QueryGradient: networks.Query, KeyGradient: networks.Key, ValueGradient: networks.Value,
	}
	rowsOf := func(runs [][]network.Layer) (rows []Row, err error) {
		of := func(l network.Layer) (inner, square float64) { return l.P, l.Q }
		input := networks.RatioOf(runs, 0, of).Mean
		square := networks.EstimateOf(runs, 0, func(l network.Layer) float64 { return l.Q }).Mean
		add := func(quantity Quantity, layer int, e networks.Estimate) {
			r := rowOf(n, quantity, Constant)
			r.Layer, r.Rho, r.Sigma, r.Simulated, r.Stderr = int32(layer), input, math.Sqrt(square), e.Mean, e.Stderr
			rows = append(rows, r)
		}
		for layer := range layers + 1 {
			add(Correlation, layer, networks.RatioOf(runs, layer, of))
		}
		for layer := range layers + 1 {
			add(MeanCosine, layer, networks.EstimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine }))
		}
		for _, quantity := range []Quantity{QueryGradient, KeyGradient, ValueGradient} {
			for layer := 1; layer <= layers; layer++ {
				add(quantity, layer, networks.EstimateOf(runs, layer,
					func(l network.Layer) float64 { return gradient[quantity].Of(l.Whole) }))
			}
		}
		return rows, nil
	}
	return []part{{network: n, networks: count, gradients: true, rows: rowsOf}}
}
