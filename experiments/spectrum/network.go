package spectrum

import (
	"fmt"
	"runtime"
	"slices"

	"antipode/experiments/parameter"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// gapNames say whether the gap is kept.
var gapNames = []string{"keep", "remove"}

const keep, remove = "keep", "remove"

// pastGap says what was done with the gap.
var pastGap = map[string]string{keep: "kept", remove: "removed"}

// architectures are what stands between two layers of attention.
var architectureNames = []string{"plain", "skip", "layer-norm", "skip-layer-norm"}

func withArchitecture(n matrices.Network, name string) matrices.Network {
	n.Skip = name == "skip" || name == "skip-layer-norm"
	n.LayerNorm = name == "layer-norm" || name == "skip-layer-norm"
	return n
}

// denseTokens is the largest matrix of which all singular values are computed.
const denseTokens = 2000

func attentionParameter(field *[]string) parameter.Parameter {
	return parameter.Parameter{Name: "attention", Meaning: "attention matrices: independent positive entries with rows divided by their sums, or softmax, scores, their logistic function or positive part",
		Value: parameter.Choices{Field: field, Names: matrices.AttentionNames}}
}

// lawParameter is the law of matrices of some kinds of attention.
func lawParameter(field *string, attention []string) parameter.Parameter {
	return parameter.Parameter{Name: "law", Meaning: "law of the entries of a markov matrix", Value: parameter.Choice{Field: field, Names: matrices.LawNames},
		Idle: parameter.IdleUnless(slices.Contains(attention, matrices.Markov.String()), "no attention is markov, whose entries have the law; must be left out")}
}

func samplesParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{Name: "samples", Meaning: "independent networks", Value: parameter.Whole(field, parameter.Range{Low: 1, High: 1_000_000})}
}

func headsParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{Name: "heads", Meaning: "attention heads, each for a part of the dimension", Value: parameter.Whole(field, parameter.Range{Low: 1, High: matrices.MaxHeads})}
}

func gapsParameter(field *[]string) parameter.Parameter {
	return parameter.Parameter{Name: "gap", Meaning: "keep the gap, or remove it: A - 11ᵀ/T", Value: parameter.Choices{Field: field, Names: gapNames}}
}

func architectureParameter(field *[]string) parameter.Parameter {
	return parameter.Parameter{Name: "architecture", Meaning: "what follows attention: nothing, a skip connection, LayerNorm, or both", Value: parameter.Choices{Field: field, Names: architectureNames}}
}

func attentionOf(name string) matrices.Attention {
	return matrices.Attention(slices.Index(matrices.AttentionNames, name))
}

func lawOf(name string) matrices.Law { return matrices.Law(slices.Index(matrices.LawNames, name)) }

// problem is an error of the parameter of that name for a network that is not valid.
func problem(name string, value any, err error) error {
	return &parameter.Error{Parameter: name, Value: fmt.Sprint(value), Problem: err.Error()}
}

// tooDeep is the error of a signal that did not come through all layers.
func tooDeep(n matrices.Network, err error) error {
	return &parameter.Error{Parameter: "layers", Value: fmt.Sprint(n.Layers), Problem: err.Error() + "; must be fewer"}
}

// workersOf is the number of goroutines for that many tasks.
func workersOf(workers int, tasks int64) float64 {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return float64(min(int64(workers), tasks))
}

// Operations of the linear algebra of a matrix with sides n, in units of n³, and the time of
// one: products are faster than what is done to single columns.
const (
	productCost  = 1
	singularCost = 8
	eigenCost    = 40
	perOperation = 4e-10 // seconds, on one core
)

func cube(n int) float64 { return float64(n) * float64(n) * float64(n) }

// bulkEdge is the limit of the largest singular value of the attention matrix of the first
// layer times √T, its gap apart.
func bulkEdge(n matrices.Network) float64 {
	ratio := float64(n.Tokens) / float64(n.Dim/n.Heads)
	switch n.Attention {
	case matrices.Softmax:
		return spectrum.SoftmaxScores(ratio).Edge()
	case matrices.Linear:
		return spectrum.LinearScores(ratio).Edge()
	case matrices.Sigmoid:
		return spectrum.SigmoidScores(ratio).Edge()
	case matrices.ReLU:
		return spectrum.ReLUScores(ratio).Edge()
	}
	return spectrum.QuarterCircle{Sigma: n.Law.Deviation()}.Edge()
}

// hasTheory says whether the theory of layers covers a network: Markov matrices alone.
func hasTheory(n matrices.Network) bool {
	return n.Attention == matrices.Markov && !n.Skip && !n.LayerNorm && n.Heads == 1
}
