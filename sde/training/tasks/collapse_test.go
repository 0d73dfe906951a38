package tasks

import (
	"math"
	"testing"

	"antipode/sde/network"
)

// Embeddings keep their variance, and have the given overlap: over 64 words of 512 coordinates, both
// within 5 standard errors.
func TestCollapse(t *testing.T) {
	const words, dim, overlap = 64, 512, 0.7
	n := network.Network{
		Tokens: 3, Dim: dim, Layers: 1, Heads: 1, Input: network.Embedded, AttentionOnly: true,
		Embedding: network.Embedding{Vocabulary: words, Variance: 4},
	}
	transformer, err := network.New(n, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := transformer.Parameters[0].Value
	Collapse(transformer, overlap, 5)
	total, square := make([]float64, dim), 0.0
	for k, v := range w {
		total[k%dim] += v
		square += v * v / 4 / words / dim
	}
	pairs := 0.0 // mean product of coordinates of different words
	for _, v := range total {
		pairs += v * v / 4 / dim
	}
	pairs = (pairs - words*square) / (words * (words - 1))
	// The squared norm of the common vector has the relative standard deviation √(2/512).
	if !(math.Abs(pairs-overlap) <= 5*overlap*math.Sqrt(2./dim)) {
		t.Errorf("overlap %v, want %v", pairs, overlap)
	}
	if !(math.Abs(square-1) <= 5*overlap*math.Sqrt(2./dim)) {
		t.Errorf("variance %v, want 1", square)
	}
	if !(math.Abs(square-pairs-(1-overlap)) <= 5*(1-overlap)*math.Sqrt(2./dim/words)) {
		t.Errorf("own variance %v, want %v", square-pairs, 1-overlap)
	}
}
