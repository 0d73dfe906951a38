package tasks

import (
	"math"

	"antipode/sde/network"
	"antipode/sde/training"
)

// Collapse makes the embeddings of different words similar. A random vector that all embeddings have in
// common contributes a fraction of the variance of a coordinate; this fraction is the argument overlap, from
// 0 to 1. So the correlation of the embeddings of different words is overlap, and tokens are similar before
// the first layer. Collapse does not change a network whose input is not words.
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
