package advise

import (
	"antipode/overlap/stack"
	"antipode/sde/network"
)

// The names of the models, each of which stands for an architecture in its usual size.
const (
	bert  = "bert"
	gpt2  = "gpt2"
	vit   = "vit"
	llama = "llama"
)

var modelNames = []string{bert, gpt2, vit, llama}

// usualDeviation is the standard deviation of the weights of all named models.
const usualDeviation = 0.02

// be sets the parameters of the architecture to those of a named model. The parameters of the report stay
// unchanged.
func (e *Experiment) be(model string) {
	e.Model = model
	e.setSize(size{layers: 12, dim: 768, heads: 12, width: 3072, deviation: usualDeviation})
	e.Tokens = 128
	switch model {
	case bert:
		e.beEncoder()
	case gpt2:
		e.beGPT2()
	case vit:
		e.beViT(16 * 16 * 3)
		e.Tokens = 197
	case llama: // the model with 7 billion weights
		e.setSize(size{layers: 32, dim: 4096, heads: 32, width: 11008, deviation: usualDeviation})
		e.beLlama()
	}
}

// size holds the sizes of an architecture, and the standard deviation of its weights.
type size struct {
	layers, dim, heads, width int64
	deviation                 float64
}

func (e *Experiment) setSize(s size) {
	e.Layers, e.Dim, e.Heads, e.Width = s.layers, s.dim, s.heads, s.width
	e.AlphaSA, e.AlphaMLP, e.BranchSA, e.BranchMLP = 1, 1, 1, 1
	projection := s.deviation
	e.Query, e.Value, e.Projection, e.Hidden, e.Output = s.deviation, s.deviation, &projection, s.deviation,
		s.deviation
	e.Embedding, e.Start = s.deviation, 0
	e.Types, e.Features, e.Positions = 0, 1, false
	e.Bias = 0
	e.Gated, e.Causal, e.RMS, e.Epsilon = false, false, false, 1e-12
}

// beEncoder sets the architecture of BERT and similar models, apart from its size.
func (e *Experiment) beEncoder() {
	e.Norm, e.Activation = network.PostNorm.String(), stack.GELU.String()
	e.Input, e.Positions, e.Types = words, true, 2
}

// beGPT2 sets the architecture of GPT-2, apart from its size. The standard deviation of the last matrix of
// each branch is divided by the square root of the number of branches.
func (e *Experiment) beGPT2() {
	e.Norm, e.Activation, e.Causal, e.Epsilon = network.PreNorm.String(), stack.GELUTanh.String(), true, 1e-5
	e.Input, e.Positions = words, true
	scaled := e.Output / branchRoot(e.Layers)
	e.Projection, e.Output = &scaled, scaled
}

// beViT sets the architecture of ViT, apart from its size, for image patches with the given number of
// features.
func (e *Experiment) beViT(features int64) {
	e.Norm, e.Activation = network.PreNorm.String(), stack.GELU.String()
	e.Input, e.Positions, e.Features = patches, true, features
}

// beLlama sets the architecture of Llama, apart from its size. The rotation of queries and keys is left out,
// because it does not change the law of a score.
func (e *Experiment) beLlama() {
	e.Norm, e.Activation, e.Gated, e.Causal = network.PreNorm.String(), stack.SiLU.String(), true, true
	e.Input, e.RMS, e.Epsilon = words, true, 1e-6
}
