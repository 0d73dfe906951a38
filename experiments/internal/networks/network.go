package networks

import (
	"math"
	"slices"

	"antipode/experiments/parameter"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/elementary"
)

// Of returns the network of finite width whose layers are a block of the theory. The tokens of its input have
// squared norm q = 1 and overlap p.
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
	// tokens cannot have prescribed inner products if there are as many as dimensions or more
	if tokens >= dim {
		n.Input = network.Gaussian
	}
	return n
}

// Vocabulary is the number of words that networks know, that of BERT.
const Vocabulary = 30522

// OfWords returns a network whose tokens are words. A token is the sum of the embeddings of its word and of
// its position, normalised by LayerNorm. In wide networks different words have overlap 0, and the same word
// at two positions has overlap ½.
func OfWords(n network.Network) network.Network {
	n.Input, n.Q, n.P = network.Embedded, 0, 0
	n.Embedding = network.Embedding{
		Vocabulary: Vocabulary, Positions: network.LearnedPositions, Norm: true, Variance: 0.5,
	}
	return n
}

// normOf returns the position of LayerNorm in a block of the theory.
func normOf(kind propagation.Kind) network.Placement {
	if kind == propagation.PreNorm || kind == propagation.GainPreNorm {
		return network.PreNorm
	}
	return network.PostNorm
}

// Check returns an error for networks whose parameters, or memory, are out of bounds.
func Check(e network.Ensemble) error {
	if err := e.Validate(); err != nil {
		return parameter.Errorf("dim", e.Network.Dim, "%v", err)
	}
	return nil
}
