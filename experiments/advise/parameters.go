package advise

import (
	"strings"

	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/overlap/stack"
	"antipode/sde/network"
)

var deviationRange = parameter.Range{Low: 0, High: 100}

// The kinds of input tokens: embedded words, embedded image patches, and tokens of a given overlap.
const (
	words   = "words"
	patches = "patches"
	given   = "given"
)

var inputNames = []string{words, patches, given}

// mostLayers is the greatest number of layers of an architecture. A report on this many layers takes a few
// seconds.
const mostLayers = 1000

// Parameters implements run.Experiment. The parameters model and config come first, because setting them also
// sets all other parameters.
func (e *Experiment) Parameters() []parameter.Parameter {
	return append(append([]parameter.Parameter{
		{Name: "model", Meaning: "model whose shape and initialisation are used for all parameters that " +
			"are not given", Preset: true, Value: parameter.Choice{Field: &e.Model, Names: modelNames},
			Then: func() { e.be(e.Model) }},
		{Name: "config", Meaning: "Hugging Face config.json that supplies shape and initialisation " +
			"instead of --model", Value: e.configFile(),
			Preset: true},
	}, e.diagram()...), append(append(e.deviations(), e.inputs()...),
		parameter.Parameter{Name: "collapse", Meaning: "cosine after the last layer above which a change " +
			"is proposed",
			Value: parameter.Real(&e.Collapse, parameter.Range{Low: 0.01, High: 0.999})},
		parameter.Parameter{Name: "check", Meaning: "number of networks simulated for comparison with " +
			"the theory; 0 for none",
			Value: parameter.Whole(&e.Check, parameter.Range{Low: 0, High: 10_000})},
		parameter.Parameter{Name: "rms", Meaning: "RMS normalisation: LayerNorm does not subtract the " +
			"mean of a token's coordinates",
			Value: parameter.Switch{On: &e.RMS}, Inapplicable: e.unchecked()},
		parameter.Parameter{Name: "epsilon", Meaning: "ε of LayerNorm, added to the mean square",
			Value: parameter.Real(&e.Epsilon, parameter.Range{Low: 0, High: 1}), Inapplicable: e.unchecked()},
	)...)
}

// unchecked returns the reason why parameters of simulated networks have no effect if no networks are
// simulated.
func (e *Experiment) unchecked() string {
	return parameter.Unless(e.Check > 0, "the theory, of wide networks, does not depend on it; "+
		"must be left out without --check")
}

// diagram returns the parameters that describe the layers of the architecture.
func (e *Experiment) diagram() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "norm", Meaning: "position of LayerNorm",
			Value: parameter.Choice{Field: &e.Norm, Names: stack.PlacementNames}},
		{Name: "layers", Meaning: "number L of layers",
			Value: parameter.Whole(&e.Layers, parameter.Range{Low: 1, High: mostLayers})},
		{Name: "dim", Meaning: "dimension d of tokens",
			Value: parameter.Whole(&e.Dim, parameter.Range{Low: 2, High: networks.MostDim})},
		{Name: "heads", Meaning: "number of attention heads, a divisor of the dimension",
			Value: parameter.Whole(&e.Heads, parameter.Range{Low: 1, High: networks.MostDim})},
		{Name: "width", Meaning: "width of the MLP's hidden layer",
			Value: parameter.Whole(&e.Width, parameter.Range{Low: 1, High: 1 << 19})},
		{Name: "activation", Meaning: "activation of the MLP",
			Value: parameter.Choice{Field: &e.Activation, Names: stack.ActivationNames}},
		{Name: "gated", Meaning: "gated MLP: hidden activations are φ(W₁x)⊙W₃x, as in SwiGLU",
			Value: parameter.Switch{On: &e.Gated}},
		{Name: "causal", Meaning: "causal attention: each token attends to itself and earlier ones",
			Value: parameter.Switch{On: &e.Causal}},
		{Name: "tokens", Meaning: "number T of tokens in a sequence",
			Value: parameter.Whole(&e.Tokens, parameter.Range{Low: 2, High: stack.MostTokens})},
		{Name: "alpha-sa", Meaning: "strength α of attention's skip connection",
			Value: parameter.Real(&e.AlphaSA, networks.AlphaRange)},
		networks.AlphaMLPParameter(&e.AlphaMLP),
		{Name: "branch-sa", Meaning: "strength of the attention branch, added to its skip connection",
			Value: parameter.Real(&e.BranchSA, branchRange)},
		{Name: "branch-mlp", Meaning: "strength of the MLP branch, added to its skip connection",
			Value: parameter.Real(&e.BranchMLP, branchRange)},
	}
}

// branchRange is the range of strengths of branches. The range excludes 0, because in networks a strength of
// 0 stands for 1.
var branchRange = parameter.Range{Low: 0, High: stack.LargestStrength, Open: true}

// deviations returns the parameters that are standard deviations of weights.
func (e *Experiment) deviations() []parameter.Parameter {
	real := func(name, meaning string, field *float64) parameter.Parameter {
		return parameter.Parameter{Name: name, Meaning: "standard deviation of " + meaning,
			Value: parameter.Real(field, deviationRange)}
	}
	return []parameter.Parameter{
		real("query-deviation", "query and key weights", &e.Query),
		real("value-deviation", "value weights", &e.Value),
		{Name: "projection-deviation", Meaning: "standard deviation of the weights that mix the " +
			"outputs of the heads",
			Value: parameter.OptionalReal(&e.Projection, "none", deviationRange)},
		real("hidden-deviation", "the weights of the MLP's first layer", &e.Hidden),
		real("output-deviation", "the weights of the MLP's second layer", &e.Output),
		real("bias-deviation", "all biases of a layer", &e.Bias),
	}
}

// inputs returns the parameters of the embeddings of input tokens.
func (e *Experiment) inputs() []parameter.Parameter {
	embedded := parameter.Unless(e.Input != given, "tokens are given; must be left out with --input given")
	postWords := parameter.Unless(e.Input == words, "is for words as input; must be left out without "+
		"--input words")
	deviation := embedded
	if e.Input == words && e.Norm == network.PostNorm.String() {
		deviation = "LayerNorm after embeddings of words takes it away; must be left out with --norm " +
			"post-norm"
	}
	return []parameter.Parameter{
		{Name: "input", Meaning: "tokens before the first layer: embeddings of different words " +
			"(words), of patches and a class token (patches), or tokens of a given cosine (given)",
			Value: parameter.Choice{Field: &e.Input, Names: inputNames}},
		{Name: "embedding-deviation", Meaning: "standard deviation of embedding weights",
			Value:        parameter.Real(&e.Embedding, parameter.Range{Low: 0, High: 100, Open: true}),
			Inapplicable: deviation},
		{Name: "positions", Meaning: "adds learned embeddings of positions",
			Value: parameter.Switch{On: &e.Positions}, Inapplicable: embedded},
		{Name: "types", Meaning: "number of token types (type_vocab_size of BERT); all tokens here are of " +
			"the first one; 0 for no type embeddings",
			Value:        parameter.Whole(&e.Types, parameter.Range{Low: 0, High: 1 << 20}),
			Inapplicable: postWords},
		{Name: "features", Meaning: "number of inputs of a patch, each of variance 1",
			Value: parameter.Whole(&e.Features, parameter.Range{Low: 1, High: 1 << 20}),
			Inapplicable: parameter.Unless(e.Input == patches,
				"are those of patches; must be left out without --input patches")},
		{Name: "start", Meaning: "cosine between different tokens before the first layer",
			Value: parameter.Real(&e.Start, parameter.Range{Low: 0, High: 0.999}),
			Inapplicable: parameter.Unless(e.Input == given,
				"embeddings have their own; must be left out without --input given")},
	}
}

// divisor returns the divisor of n that is nearest to k. If two divisors are equally near, the result is the
// greater one.
func divisor(n, k int64) int64 {
	best := int64(1)
	for d := int64(2); d <= n; d++ {
		if n%d == 0 && max(d-k, k-d) <= max(best-k, k-best) {
			best = d
		}
	}
	return best
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error {
	if err := parameter.Check(e.Parameters()); err != nil {
		return err
	}
	if e.Dim%e.Heads != 0 {
		return parameter.Errorf("heads", e.Heads, "must divide the dimension %d, as %d does", e.Dim,
			divisor(e.Dim, e.Heads))
	}
	if err := e.shape().Check(); err != nil {
		return e.refused(err)
	}
	if e.Check == 0 {
		return nil
	}
	ensemble := e.ensemble()
	if err := ensemble.Validate(); err != nil {
		return parameter.Errorf("check", e.Check, "simulated networks are refused: %v", err)
	}
	return nil
}

// refused returns an error of package stack as a *parameter.Error of the parameter that the error is about.
func (e *Experiment) refused(err error) error {
	text := strings.TrimPrefix(err.Error(), "stack: ")
	name := "alpha-sa"
	for part, of := range map[string]string{"queries and keys": "query-deviation",
		"variance of values": "value-deviation", "of projections": "projection-deviation",
		"first weights": "hidden-deviation", "second weights": "output-deviation",
		"of the input": "embedding-deviation", "first token": "embedding-deviation"} {
		if strings.Contains(text, part) {
			name = of
		}
	}
	return parameter.Errorf(name, parameter.ByName(e.Parameters(), name).Value.String(), "%s", text)
}
