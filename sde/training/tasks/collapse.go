package tasks

import (
	"math"

	"antipode/sde/network"
	"antipode/sde/training"
)

// Collapse makes the embeddings of different words similar. A vector that all embeddings have in common
// contributes the fraction overlap, from 0 to 1, of the variance of a coordinate. So the embeddings of
// different words have the correlation overlap, and tokens are similar before the first layer. A network
// without words is not changed.
func Collapse(t *network.Transformer, overlap float64, seed uint64) {
	embedding := t.Network.Embedding
	for _, p := range t.Parameters {
		if p.Name != "embedding.word.weight" {
			continue
		}
		common := make([]float64, p.Cols)
		deviation := math.Sqrt(overlap * embedding.Variance)
		drawsOf("collapse", seed).normals(common, deviation, training.Train, 0, inputRole)
		own := math.Sqrt(1 - overlap)
		for k, w := range p.Value {
			p.Value[k] = math.FMA(own, w, common[k%p.Cols])
		}
	}
}
