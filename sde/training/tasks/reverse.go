package tasks

import (
	"antipode/sde/internal/kernels"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sphere/elementary"
)

// Reverse is the task of predicting the digits of a sequence in reverse order (Noci et al., Signal
// Propagation in Transformers, C.1). The digits are independent and uniform, and the number of examples
// is unlimited.
type Reverse struct {
	Digits int    // number of digits of a sequence, at least 2
	Kinds  int    // number of kinds of digits, at least 2
	Seed   uint64 // seed of the sequences
}

// Fit implements training.Task. The inputs of the network are words with sinusoidal positions, and an
// embedding of variance 1.
func (r Reverse) Fit(n network.Network) network.Network {
	n.Tokens, n.Outputs, n.Input, n.Q, n.P = r.Digits, r.Kinds, network.Embedded, 0, 0
	n.Embedding = network.Embedding{Vocabulary: r.Kinds, Positions: network.SinusoidalPositions, Variance: 1}
	return n
}

// Loss implements training.Task.
func (Reverse) Loss() training.Loss { return training.CrossEntropy }

// Examples implements training.Task; the number of examples is unlimited.
func (Reverse) Examples(training.Split) int64 { return 0 }

// Example implements training.Task.
func (r Reverse) Example(split training.Split, index int64, into *training.Example) {
	const cell = 0x72657665727365 // spells "reverse"
	if len(into.Classes) != r.Digits {
		into.Sequence.Words, into.Classes = make([]int, r.Digits), make([]int, r.Digits)
	}
	var uniforms [64]float64
	stream := kernels.NewStream(r.Seed, cell)
	for first := 0; first < r.Digits; first += len(uniforms) {
		part := uniforms[:min(len(uniforms), r.Digits-first)]
		stream.Uniforms(part, 0.5, kernels.Starts, index, int64(split)<<32+int64(first))
		for k, u := range part {
			digit := kernels.Integer(u+0.5, r.Kinds)
			into.Sequence.Words[first+k], into.Classes[r.Digits-1-first-k] = digit, digit
		}
	}
}

// Blind returns the loss of a predictor that sees no sequence.
func (r Reverse) Blind() float64 { return elementary.Log(float64(r.Kinds)) }

// Best implements training.Task. A predictor can know every digit; a causal predictor cannot know the digits
// of the first half of the outputs, which are later in the sequence.
func (r Reverse) Best(causal bool) (loss, accuracy float64) {
	if !causal {
		return 0, 1
	}
	unseen := float64(r.Digits/2) / float64(r.Digits)
	return unseen * r.Blind(), 1 - float64(unseen*(1-1/float64(r.Kinds)))
}
