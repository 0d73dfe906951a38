package advise

import (
	"math"
	"slices"

	"antipode/overlap/stack"
	"antipode/sde/network"
)

// vocabulary is the number of words that simulated networks know. The vocabulary is so large that few words
// occur twice in a sequence.
const vocabulary = 1 << 20

// branchRoot returns the square root of the number of branches, attention and MLP, in the given number of
// layers.
func branchRoot(layers int64) float64 { return math.Sqrt(float64(2 * layers)) }

// shape returns the architecture as package stack describes it.
func (e *Experiment) shape() stack.Architecture {
	projection := 1.
	if e.Projection != nil {
		projection = squared(*e.Projection, e.Dim)
	}
	return stack.Architecture{
		Layers: int(e.Layers), Dim: int(e.Dim), Tokens: int(e.Tokens), Heads: int(e.Heads),
		Norm: stack.Placement(slices.Index(stack.PlacementNames, e.Norm)), Causal: e.Causal,
		SkipSA: e.AlphaSA, SkipMLP: e.AlphaMLP, BranchSA: e.BranchSA, BranchMLP: e.BranchMLP,
		QueryKey2: squared(e.Query, e.Dim), Value2: squared(e.Value, e.Dim),
		Projection2: projection, Hidden2: squared(e.Hidden, e.Dim), Output2: squared(e.Output, e.Width),
		Width:      int(e.Width),
		Activation: stack.Activation(slices.Index(stack.ActivationNames, e.Activation)), Gated: e.Gated,
		Bias2: float64(e.Bias * e.Bias), Unmixed: e.Projection == nil, Input: e.start(),
	}
}

// start returns the norms and overlaps of the input tokens in the theory.
func (e *Experiment) start() stack.Input {
	variance := e.embeddingVariance()
	own, common := variance, 0.
	if e.Positions {
		own += variance
	}
	switch {
	case e.Input == given:
		return stack.Input{Square: 1, Cosine: e.Start, Fixed: e.Tokens < e.Dim}
	case e.Input == patches:
		position := own - variance
		return stack.Input{Square: float64(variance*float64(e.Features)) + position, First: own,
			Features: int(e.Features)}
	case e.Types > 0:
		common = variance
	}
	in := stack.Input{Square: own + common, Cosine: common / (own + common)}
	if e.Norm == network.PostNorm.String() {
		in.Square = 1
	}
	return in
}

// embeddingVariance returns the variance of the entries of embeddings. If LayerNorm makes the variance
// irrelevant, the result is the usual variance.
func (e *Experiment) embeddingVariance() float64 {
	if e.Input == words && e.Norm == network.PostNorm.String() {
		return usualDeviation * usualDeviation
	}
	return float64(e.Embedding * e.Embedding)
}

// network returns the law of simulated networks with the architecture.
func (e *Experiment) network() network.Network {
	s := e.shape()
	n := network.Network{
		Tokens: s.Tokens, Dim: s.Dim, Layers: s.Layers, Heads: int(e.Heads), Width: s.Width,
		Activation: network.Activation(s.Activation), Gated: s.Gated, Causal: s.Causal,
		AlphaSA: s.SkipSA, AlphaMLP: s.SkipMLP, BranchSA: s.BranchSA, BranchMLP: s.BranchMLP,
		LayerNorm: network.LayerNorm{Centred: !e.RMS, Epsilon: e.Epsilon},
		QueryKey2: s.QueryKey2, Value2: s.Value2, Hidden2: s.Hidden2, Output2: s.Output2, Bias2: s.Bias2,
	}
	n.Norm = network.Placement(slices.Index(network.PlacementNames, e.Norm))
	n.Biases = s.Bias2 > 0
	if e.Projection != nil {
		n.Projection, n.Projection2 = true, s.Projection2
	}
	if e.Input == given {
		n.Q, n.P, n.Input = 1, e.Start, network.Gaussian
		if s.Input.Fixed {
			n.Input = network.Rotated
		}
		return n
	}
	n.Input = network.Embedded
	n.Embedding = network.Embedding{Variance: e.embeddingVariance()}
	if e.Positions {
		n.Embedding.Positions = network.LearnedPositions
	}
	if e.Input == patches {
		n.Embedding.Features, n.Embedding.Class = int(e.Features), true
		return n
	}
	n.Embedding.Vocabulary, n.Embedding.Types = vocabulary, int(e.Types)
	n.Embedding.Norm = n.Norm == network.PostNorm
	return n
}
