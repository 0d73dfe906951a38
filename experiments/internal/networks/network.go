package networks

import (
	"math"
	"slices"

	"antipode/experiments/parameter"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/elementary"
)

// Of returns a simulated network of finite width whose layers are the block b of the theory. The input tokens
// of the network have squared norm q = 1 per dimension and overlap p.
func Of(b propagation.Block, p float64, tokens, dim, layers int64) network.Network {
	n := network.Network{
		Norm: normOf(b.Kind), GainControl: b.Kind == propagation.GainPostNorm ||
			b.Kind == propagation.GainPreNorm,
		Activation: network.Activation(slices.Index(network.ActivationNames, b.Activation.String())),
		Tokens:     int(tokens), Dim: int(dim), Heads: 1, Layers: int(layers),
		QueryKey2: b.Beta * math.Sqrt(elementary.Log(float64(tokens))), Value2: b.SigmaV2,
		Hidden2: b.SigmaW2, Output2: b.SigmaW2, Bias2: b.SigmaB2, AlphaSA: b.AlphaSA, AlphaMLP: b.AlphaMLP,
		Q: 1, P: p,
	}
	// If there are as many tokens as dimensions or more, the inner products of tokens cannot be prescribed.
	if tokens >= dim {
		n.Input = network.Gaussian
	}
	return n
}

// Vocabulary is the number of words of networks that read words; it is the number of words of BERT.
const Vocabulary = 30522

// OfWords returns the network n with words as input. A token of the input is the sum of the embeddings of its
// word and of its position, normalised by LayerNorm. In wide networks, tokens of different words have overlap
// 0, and tokens of the same word at two positions have overlap ½.
func OfWords(n network.Network) network.Network {
	n.Input, n.Q, n.P = network.Embedded, 0, 0
	n.Embedding = network.Embedding{
		Vocabulary: Vocabulary, Positions: network.LearnedPositions, Norm: true, Variance: 0.5,
	}
	return n
}

// normOf returns the position of LayerNorm in simulated networks whose layers are a block of the theory.
func normOf(kind propagation.Kind) network.Placement {
	if kind == propagation.PreNorm || kind == propagation.GainPreNorm {
		return network.PreNorm
	}
	return network.PostNorm
}

// Check returns a *parameter.Error for networks whose parameters, or the memory that they need, are out of
// bounds.
func Check(e network.Ensemble) error {
	if err := e.Validate(); err != nil {
		return parameter.Errorf("dim", e.Network.Dim, "%v", err)
	}
	return nil
}
