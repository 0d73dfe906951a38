package train

import (
	"slices"

	"antipode/experiments/internal/cifar"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/internal/text"
	"antipode/experiments/parameter"
	grid "antipode/experiments/setting"
	"antipode/sde/network"
	"antipode/sde/training"
)

// The names of tasks, kinds of attention and other choices among the parameters.
const (
	reverse   = "reverse"
	heaviside = "heaviside"
	masked    = "masked"
	images    = "images"

	textures  = "textures"
	place     = "place"
	neighbour = "neighbour"

	sharedIdentity = "shared-identity"

	softmax  = "softmax"
	gain     = "gain-controlled"
	uniform  = "uniform"
	free     = "free"
	freeGain = "free-gain-controlled"
	identity = "identity"

	affine = "affine"
	plain  = "plain"
	rms    = "rms"

	noMLP = "none"

	shareNothing  = "none"
	shareKeys     = "queries-keys"
	shareKeysTied = "tied-queries-keys"
	shareAll      = "all"
)

var (
	taskNames      = []string{reverse, heaviside, masked, images}
	imageLawNames  = []string{textures, place, neighbour}
	valueNames     = append(slices.Clone(network.ValueLawNames), sharedIdentity)
	attentionNames = []string{softmax, gain, uniform, free, freeGain, identity}
)

// hasScale reports whether a kind of attention uses queries and keys, whose weights have a scale β.
func hasScale(attention string) bool { return attention == softmax || attention == gain }

// isFree reports whether the attention matrix of a kind of attention is itself a trained parameter.
func isFree(attention string) bool {
	return attention == free || attention == freeGain || attention == identity
}

// Parameters implements run.Experiment.
func (e *Experiment) Parameters() []parameter.Parameter {
	return slices.Concat(e.taskParameters(), e.networkParameters(), e.mlpParameters(),
		e.optimiserParameters(), e.runParameters())
}

func (e *Experiment) taskParameters() []parameter.Parameter {
	of := func(task string) string { return "must be left out without --task " + task }
	walk := e.Task == masked && e.Text == namedfile.None
	vocabulary := parameter.Unless(e.Task == reverse || walk,
		"must be left out without --task reverse, or masked without a text")
	law := e.Task == images && e.Data == namedfile.None
	return []parameter.Parameter{
		e.figure(),
		{Name: "task", Meaning: "task to be learned; heaviside has at most as many tokens as " +
			"dimensions, and 16 if --tokens is not given",
			Value: parameter.Choice{Field: &e.Task, Names: taskNames}, Then: e.limitTokens},
		{Name: "tokens", Meaning: "number T of tokens in a sequence",
			Value: parameter.Whole(&e.Tokens, parameter.Range{Low: 2, High: 4096}),
			Inapplicable: parameter.Unless(e.Task != images,
				"images have patches and a class token; must be left out")},
		{Name: "vocabulary", Meaning: "size of the vocabulary: digits to reverse, or symbols of the " +
			"masked walk",
			Value:        parameter.Whole(&e.Vocabulary, parameter.Range{Low: 3, High: 256}),
			Inapplicable: vocabulary},
		{Name: "memory", Meaning: "number of previous symbols on which the next step of the masked " +
			"walk depends; if more than 1, that many tokens on either side of a masked one stay visible",
			Value: parameter.Whole(&e.Memory, parameter.Range{Low: 1, High: 11}),
			Inapplicable: parameter.Unless(walk,
				"must be left out without --task masked, or with a text")},
		text.ByteParameter(&e.Text, parameter.Unless(e.Task == masked, of(masked))),
		{Name: "image-law", Meaning: "what images show: the texture of their class in every patch " +
			"(textures), in one patch at an unknown place (place), or textures of which only the one " +
			"next to a marked patch counts (neighbour)",
			Value:        parameter.Choice{Field: &e.ImageLaw, Names: imageLawNames},
			Inapplicable: parameter.Unless(law, "must be left out without --task images, or with --data")},
		cifar.Parameter(&e.Data, parameter.Unless(e.Task == images, of(images))),
		{Name: "patch", Meaning: "side of a patch in pixels, for images of 32 × 32; 1/N for N patches " +
			"per side",
			Value:        patchSide{&e.Patch},
			Inapplicable: parameter.Unless(e.Task == images, of(images))},
		{Name: "examples", Meaning: "number of training examples, used repeatedly (the first of a " +
			"file); 0 for new examples in every step, or for all those of files",
			Value: parameter.Whole(&e.Examples, parameter.Range{Low: 0, High: 1 << 20})},
	}
}

// limitTokens reduces the number of tokens of the task heaviside to the dimension, because the tokens of this
// task are orthonormal. A number of tokens that the user gives is set later and is not reduced.
func (e *Experiment) limitTokens() {
	if e.Task == heaviside {
		e.Tokens = min(e.Tokens, e.Dim)
	}
}

func (e *Experiment) networkParameters() []parameter.Parameter {
	list := func(field *[]string, names []string) parameter.Choices {
		return parameter.Choices{Field: field, Names: names}
	}
	return []parameter.Parameter{
		{Name: "layers", Meaning: "number of layers",
			Value: parameter.Wholes(&e.Layers, parameter.Range{Low: 1, High: 10_000})},
		{Name: "norm", Meaning: "position of LayerNorm", Value: list(&e.Norm, network.PlacementNames)},
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Reals(&e.Beta, networks.BetaRange), Inapplicable: e.withoutScores()},
		{Name: "alpha-sa", Meaning: "strengths α of attention's skip connection",
			Value: parameter.Reals(&e.AlphaSA, networks.AlphaRange)},
		{Name: "sigma-v2", Meaning: "σ_v²: d times the variance of the value weights, or the squared " +
			"scale of identity and orthogonal value matrices",
			Value: parameter.Reals(&e.SigmaV2, networks.VarianceRange),
			Inapplicable: parameter.Unless(
				slices.ContainsFunc(e.Values, func(v string) bool { return values(v).scaled() }),
				"the values have scales of their own; must be left out")},
		{Name: "values",
			Meaning: "laws of the value matrices; a scale may follow a colon, else --sigma-v2 sets it: " +
				"for gaussian the variance of an entry (gaussian:1, gaussian:1/d), for the others the " +
				"squared scale; shared-identity is one matrix for all layers, initially the identity",
			Value: valuesList{&e.Values}},
		{Name: "attention", Meaning: "kinds of attention: softmax; gain-controlled, softmax minus the " +
			"mean over tokens; uniform; free, softmax of a learned matrix of scores, whose " +
			"exponentials initially have a standard deviation equal to their mean; identity, a learned " +
			"matrix, initially the identity",
			Value: list(&e.Attention, attentionNames)},
		{Name: "dim", Meaning: "dimension d of tokens",
			Value: parameter.Whole(&e.Dim, parameter.Range{Low: 2, High: networks.MostDim})},
		{Name: "heads", Meaning: "number of attention heads, a divisor of the dimension",
			Value: parameter.Whole(&e.Heads, parameter.Range{Low: 1, High: networks.MostDim})},
		{Name: "layer-norm",
			Meaning: "LayerNorm with learned gains and biases, without them, or also without " +
				"subtracting the mean (rms)",
			Value: parameter.Choice{Field: &e.LayerNorm, Names: []string{affine, plain, rms}},
			Inapplicable: parameter.Unless(e.FinalNorm || slices.ContainsFunc(e.Norm,
				func(norm string) bool { return norm != network.NoNorm.String() }),
				"there is no LayerNorm; must be left out without one")},
		{Name: "projection", Meaning: "d times the variance of the entries of the matrix that mixes " +
			"the outputs of the heads",
			Value: parameter.OptionalReal(&e.Projection, "none", networks.VarianceRange)},
		{Name: "projection-law", Meaning: "law of the matrix that mixes the outputs of the heads; for " +
			"identity and orthogonal, --projection is its squared scale",
			Value:        parameter.Choice{Field: &e.ProjectionLaw, Names: network.ValueLawNames},
			Inapplicable: parameter.Unless(e.Projection != nil, "must be left out without --projection")},
		{Name: "branches", Meaning: "strengths of attention and of the MLP beside their skip connections",
			Value: parameter.Reals(&e.Branches,
				parameter.Range{Low: 0, High: networks.AlphaRange.High, Open: true})},
		{Name: "depth-scaling", Meaning: "divides the strengths of both branches by the square root of " +
			"the number of layers",
			Value: parameter.Switch{On: &e.DepthScaling}},
		{Name: "overlap", Meaning: "initial overlaps of the embeddings of different words",
			Value: parameter.Reals(&e.Overlap, parameter.Range{Low: 0, High: 1}),
			Inapplicable: parameter.Unless(e.hasWords(),
				"there are no words; must be left out without --task reverse or masked")},
		{Name: "share", Meaning: "matrices that all layers share; tied queries and keys are a single " +
			"matrix, the same in every layer",
			Value: parameter.Choice{Field: &e.Share,
				Names: []string{shareNothing, shareKeys, shareKeysTied, shareAll}}},
		{Name: "causal", Meaning: "causal attention: each token attends to itself and earlier ones",
			Value: parameter.Switch{On: &e.Causal}},
		{Name: "final-norm", Meaning: "applies LayerNorm after the last layer",
			Value: parameter.Switch{On: &e.FinalNorm}},
	}
}

func (e *Experiment) mlpParameters() []parameter.Parameter {
	all := []parameter.Parameter{
		{Name: "width", Meaning: "hidden width of the MLP; 0 for the dimension d",
			Value: parameter.Whole(&e.Width, parameter.Range{Low: 0, High: networks.MostDim})},
		{Name: "sigma-w2", Meaning: "σ_w²: variance of the MLP's weights times the number of their inputs",
			Value: parameter.Real(&e.SigmaW2, networks.VarianceRange)},
		networks.SigmaB2Parameter(&e.SigmaB2),
		networks.AlphaMLPParameter(&e.AlphaMLP),
	}
	for k := range all {
		all[k].Inapplicable = parameter.Unless(e.MLP != noMLP,
			"there is no MLP; must be left out without one")
	}
	activation := parameter.Parameter{Name: "mlp",
		Meaning: "activation of the MLP, or none for attention alone",
		Value:   parameter.Choice{Field: &e.MLP, Names: append([]string{noMLP}, network.ActivationNames...)}}
	return append([]parameter.Parameter{activation}, all...)
}

// withoutScores returns the reason why parameters of queries and keys have no effect. The reason is "" if
// some kind of attention uses queries and keys.
func (e *Experiment) withoutScores() string {
	return parameter.Unless(slices.ContainsFunc(e.Attention, hasScale),
		"must be left out without attention softmax or gain-controlled")
}

// rateRange is the range of learning rates.
var rateRange = parameter.Range{Low: 0, High: 1e6, Open: true}

func (e *Experiment) optimiserParameters() []parameter.Parameter {
	share := parameter.Range{Low: 0, High: 0.999999}
	has := func(rules ...training.Rule) bool {
		return slices.ContainsFunc(rules, func(r training.Rule) bool {
			return slices.Contains(e.Optimiser, r.String())
		})
	}
	adam := parameter.Unless(has(training.Adam, training.AdamW),
		"this is a parameter of Adam; must be left out without adam and adamw")
	return []parameter.Parameter{
		{Name: "optimiser", Meaning: "optimisers, the rules by which gradients change the weights",
			Value: parameter.Choices{Field: &e.Optimiser, Names: training.RuleNames}},
		{Name: "learning-rate", Meaning: "peak learning rates",
			Value: parameter.Reals(&e.LearningRate, rateRange)},
		{Name: "schedule", Meaning: "decay of the learning rate after the warm-up; step: to a tenth " +
			"after two fifths of the steps, and to a hundredth after four fifths",
			Value: parameter.Choice{Field: &e.Schedule, Names: training.DeclineNames}},
		{Name: "warmup", Meaning: "number of warm-up steps, during which the learning rate grows",
			Value: parameter.Whole(&e.Warmup, parameter.Range{Low: 0, High: mostSteps})},
		{Name: "momentum", Meaning: "momentum: the fraction of the previous step that is added to each step",
			Value: parameter.Real(&e.Momentum, share),
			Inapplicable: parameter.Unless(has(training.Momentum),
				"must be left out without the optimiser momentum")},
		{Name: "adam-beta1", Meaning: "β₁ of Adam: decay rate of the running mean of gradients",
			Value: parameter.Real(&e.Beta1, share), Inapplicable: adam},
		{Name: "adam-beta2", Meaning: "β₂ of Adam: decay rate of the running mean of squared gradients",
			Value: parameter.Real(&e.Beta2, share), Inapplicable: adam},
		{Name: "adam-epsilon", Meaning: "ε of Adam, added to the square root of the running mean of " +
			"squared gradients",
			Value:        parameter.Real(&e.Epsilon, parameter.Range{Low: 0, High: 1, Open: true}),
			Inapplicable: adam},
		{Name: "weight-decay", Meaning: "weight decay: this multiple of the weights is added to their " +
			"gradients, or with adamw to their steps; biases, gains and residual strengths are exempt",
			Value: parameter.Real(&e.Decay, parameter.Range{Low: 0, High: 1e6})},
		{Name: "clip", Meaning: "norm to which larger gradients are clipped; 0 for no clipping",
			Value: parameter.Real(&e.Clip, parameter.Range{Low: 0, High: 1e12})},
		{Name: "smoothing", Meaning: "label smoothing: the probability that is moved from the right " +
			"class to all classes in equal parts",
			Value: parameter.Real(&e.Smoothing, share),
			Inapplicable: parameter.Unless(e.Task != heaviside,
				"there are no classes; must be left out with --task heaviside")},
		{Name: "dropout", Meaning: "dropout probability of embeddings, attention weights and outputs " +
			"of branches",
			Value: parameter.Real(&e.Dropout, share)},
		{Name: "attention-dropout", Meaning: "dropout probability of attention weights; as-dropout is " +
			"that of --dropout",
			Value: parameter.OptionalReal(&e.AttentionDropout, "as-dropout", share)},
		{Name: "mlp-dropout", Meaning: "dropout probability of the MLP's activations",
			Value: parameter.Real(&e.MLPDropout, share),
			Inapplicable: parameter.Unless(e.MLP != noMLP,
				"there is no MLP; must be left out without one")},
		{Name: "score-warmup", Meaning: "number of first steps during which the scores of queries and " +
			"keys grow to their full size",
			Value:        parameter.Whole(&e.ScoreWarmup, parameter.Range{Low: 0, High: mostSteps}),
			Inapplicable: e.withoutScores()},
		{Name: "learn-strengths", Meaning: "which strengths of residual connections are learned",
			Value: parameter.Choice{Field: &e.Strengths, Names: training.StrengthsNames}},
	}
}

// mostSteps is the greatest number of steps of a training run, and mostRows the greatest number of rows of a
// table.
const (
	mostSteps = 1_000_000_000
	mostRows  = 10_000_000
)

func (e *Experiment) runParameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "batch", Meaning: "number of sequences in a batch",
			Value: parameter.Whole(&e.Batch, parameter.Range{Low: 1, High: 1_000_000})},
		{Name: "accumulate", Meaning: "number of batches over which the gradient of a step is averaged",
			Value: parameter.Whole(&e.Accumulate, parameter.Range{Low: 1, High: 1_000_000})},
		{Name: "steps", Meaning: "number of training steps",
			Value: parameter.Whole(&e.Steps, parameter.Range{Low: 1, High: mostSteps})},
		{Name: "every", Meaning: "number of training steps between rows of the table",
			Value: parameter.Whole(&e.Every, parameter.Range{Low: 1, High: mostSteps})},
		{Name: "validation", Meaning: "number of validation examples",
			Value: parameter.Whole(&e.Validation, parameter.Range{Low: 1, High: 1_000_000})},
		{Name: "bound", Meaning: "loss above which a run has diverged",
			Value: parameter.Real(&e.Bound, parameter.Range{Low: 0, High: 1e12, Open: true})},
		{Name: "seeds", Meaning: "number of runs per setting, with consecutive seeds from --seed",
			Value: parameter.Whole(&e.Seeds, parameter.Range{Low: 1, High: 10_000})},
		{Name: "map", Meaning: "draws a map of the learned fraction at each α and β, next to the theory",
			Value: parameter.Switch{On: &e.Map}},
		{Name: "by-layer", Meaning: "draws the tokens layer by layer, before and after learning",
			Value:        parameter.Switch{On: &e.ByLayer},
			Inapplicable: parameter.Unless(!e.Map, "must be left out with --map")},
	}
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error {
	if err := parameter.Check(e.Parameters()); err != nil {
		return err
	}
	others := []grid.Axis{{Count: len(e.Layers), Many: "depths"}, {Count: len(e.Norm), Many: "norms"},
		{Count: len(e.Attention), Many: "kinds of attention"}, {Count: len(e.Values), Many: "laws of values"},
		{Count: len(e.AlphaSA), Many: "strengths"}, {Count: len(e.Beta), Many: "scales"},
		{Count: len(e.SigmaV2), Many: "variances of values"},
		{Count: len(e.Branches), Many: "strengths of branches"},
		{Count: len(e.Overlap), Many: "overlaps"}, {Count: len(e.Optimiser), Many: "optimisers"},
		{Count: int(e.Seeds), Many: "seeds"}}
	if err := grid.CheckCells("learning-rate", len(e.LearningRate), others...); err != nil {
		return err
	}
	if err := e.validateMap(); err != nil {
		return err
	}
	rows := 0.0
	for _, s := range e.settings() {
		if err := s.validate(); err != nil {
			return err
		}
		rows += float64(e.Seeds) * float64(e.records()) * float64(s.network.Layers+2)
	}
	if rows > mostRows {
		return parameter.Errorf("every", e.Every, "the table would have %.3g rows; must be greater, for at "+
			"most %d", rows, mostRows)
	}
	return nil
}
