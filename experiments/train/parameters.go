package train

import (
	"fmt"
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

// Names of choices.
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

// hasScale reports whether attention is of queries and keys that have a scale.
func hasScale(attention string) bool { return attention == softmax || attention == gain }

// isFree reports whether attention is of a matrix of its own.
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
		{Name: "figure",
			Meaning: "figure of a paper, or the diagram trainability, that sets what is not given",
			Value:   figureChoice{e}, Preset: true},
		{Name: "task", Meaning: "what is learned; heaviside takes as many tokens as its dimensions allow where " +
			"--tokens is not given",
			Value: taskChoice{parameter.Choice{Field: &e.Task, Names: taskNames}, e}},
		{Name: "tokens", Meaning: "tokens T of a sequence",
			Value: parameter.Whole(&e.Tokens, parameter.Range{Low: 2, High: 4096}),
			Inapplicable: parameter.Unless(e.Task != images,
				"images have patches and a class token; must be left out")},
		{Name: "vocabulary", Meaning: "kinds of digits, or symbols of the chain whose tokens are masked",
			Value:        parameter.Whole(&e.Vocabulary, parameter.Range{Low: 3, High: 256}),
			Inapplicable: vocabulary},
		{Name: "memory", Meaning: "last symbols that the walk whose tokens are masked goes on from; if " +
			"more than 1, that many tokens are seen on either side of a masked one",
			Value: parameter.Whole(&e.Memory, parameter.Range{Low: 1, High: 11}),
			Inapplicable: parameter.Unless(walk,
				"must be left out without --task masked, or with a text")},
		text.ByteParameter(&e.Text, parameter.Unless(e.Task == masked, of(masked))),
		{Name: "image-law", Meaning: "what images show: the class's texture in all patches, the same at a " +
			"place that is to be found, or textures of which that after a marked patch counts",
			Value:        parameter.Choice{Field: &e.ImageLaw, Names: imageLawNames},
			Inapplicable: parameter.Unless(law, "must be left out without --task images, or with --data")},
		cifar.Parameter(&e.Data, parameter.Unless(e.Task == images, of(images))),
		{Name: "patch", Meaning: "pixels of a patch's side, of 32 of an image's; 1/N for N patches a side",
			Value:        patchSide{&e.Patch},
			Inapplicable: parameter.Unless(e.Task == images, of(images))},
		{Name: "examples", Meaning: "examples that are learned from, again and again, of files the first; " +
			"0 for new ones in every step, of files for all",
			Value: parameter.Whole(&e.Examples, parameter.Range{Low: 0, High: 1 << 20})},
	}
}

func (e *Experiment) networkParameters() []parameter.Parameter {
	list := func(field *[]string, names []string) parameter.Choices {
		return parameter.Choices{Field: field, Names: names}
	}
	return []parameter.Parameter{
		{Name: "layers", Meaning: "layers of a network",
			Value: parameter.Wholes(&e.Layers, parameter.Range{Low: 1, High: 10_000})},
		{Name: "norm", Meaning: "where LayerNorm stands", Value: list(&e.Norm, network.PlacementNames)},
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, of variance β√log T/d",
			Value:   parameter.Reals(&e.Beta, networks.BetaRange), Inapplicable: e.withoutScores()},
		{Name: "alpha-sa", Meaning: "strengths α of attention's skip connection",
			Value: parameter.Reals(&e.AlphaSA, networks.AlphaRange)},
		{Name: "sigma-v2", Meaning: "d times the variance of value weights, σ_v², or the square of the " +
			"factor of identity and orthogonal ones",
			Value: parameter.Reals(&e.SigmaV2, networks.VarianceRange),
			Inapplicable: parameter.Unless(
				slices.ContainsFunc(e.Values, func(v string) bool { return values(v).scaled() }),
				"the values have scales of their own; must be left out")},
		{Name: "values",
			Meaning: "laws of the value matrices, each with a colon and a scale of its own or with " +
				"--sigma-v2: of gaussian ones the variance of an entry, as gaussian:1 and gaussian:1/d, of " +
				"others the square of the factor; shared-identity is one matrix for all layers, 1 at first",
			Value: valuesList{&e.Values}},
		{Name: "attention", Meaning: "kinds of attention: softmax, the same less the mean over tokens, or " +
			"uniform; free: softmax of a matrix of scores that is learned, whose exponentials have a " +
			"deviation equal to their mean; identity: a matrix that is learned, the identity at first",
			Value: list(&e.Attention, attentionNames)},
		{Name: "dim", Meaning: "dimension d of tokens",
			Value: parameter.Whole(&e.Dim, parameter.Range{Low: 2, High: networks.MostDim})},
		{Name: "heads", Meaning: "heads, which divide the dimension",
			Value: parameter.Whole(&e.Heads, parameter.Range{Low: 1, High: networks.MostDim})},
		{Name: "layer-norm",
			Meaning: "with learned gains and biases, without, or also without the mean subtracted",
			Value:   parameter.Choice{Field: &e.LayerNorm, Names: []string{affine, plain, rms}},
			Inapplicable: parameter.Unless(e.FinalNorm || slices.ContainsFunc(e.Norm,
				func(norm string) bool { return norm != network.NoNorm.String() }),
				"there is no LayerNorm; must be left out without one")},
		{Name: "projection", Meaning: "d times the variance of the matrix that mixes the outputs of heads",
			Value: parameter.OptionalReal(&e.Projection, "none", networks.VarianceRange)},
		{Name: "projection-law", Meaning: "law of this matrix, of which --projection is the square of the " +
			"factor if it is the identity or orthogonal",
			Value:        parameter.Choice{Field: &e.ProjectionLaw, Names: network.ValueLawNames},
			Inapplicable: parameter.Unless(e.Projection != nil, "must be left out without --projection")},
		{Name: "branches", Meaning: "strengths of attention and of the MLP beside their skip connections",
			Value: parameter.Reals(&e.Branches,
				parameter.Range{Low: 0, High: networks.AlphaRange.High, Open: true})},
		{Name: "depth-scaling", Meaning: "these strengths are divided by the root of the number of layers",
			Value: parameter.Switch{On: &e.DepthScaling}},
		{Name: "overlap", Meaning: "overlaps of the embeddings of different words at first",
			Value: parameter.Reals(&e.Overlap, parameter.Range{Low: 0, High: 1}),
			Inapplicable: parameter.Unless(e.hasWords(),
				"there are no words; must be left out without --task reverse or masked")},
		{Name: "share", Meaning: "matrices that all layers share; tied queries and keys are one matrix, " +
			"in every layer the same",
			Value: parameter.Choice{Field: &e.Share,
				Names: []string{shareNothing, shareKeys, shareKeysTied, shareAll}}},
		{Name: "causal", Meaning: "attention is to a token itself and those before it",
			Value: parameter.Switch{On: &e.Causal}},
		{Name: "final-norm", Meaning: "LayerNorm after the last layer",
			Value: parameter.Switch{On: &e.FinalNorm}},
	}
}

func (e *Experiment) mlpParameters() []parameter.Parameter {
	all := []parameter.Parameter{
		{Name: "width", Meaning: "hidden width of the MLP, 0 for the dimension",
			Value: parameter.Whole(&e.Width, parameter.Range{Low: 0, High: networks.MostDim})},
		{Name: "sigma-w2", Meaning: "variance of the MLP's weights times the number of their inputs, σ_w²",
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

// withoutScores says that there are none of queries and keys.
func (e *Experiment) withoutScores() string {
	return parameter.Unless(slices.ContainsFunc(e.Attention, hasScale),
		"must be left out without attention softmax or gain-controlled")
}

// rateRange is that of learning rates.
var rateRange = parameter.Range{Low: 0, High: 1e6, Open: true}

func (e *Experiment) optimiserParameters() []parameter.Parameter {
	share := parameter.Range{Low: 0, High: 0.999999}
	has := func(rules ...training.Rule) bool {
		return slices.ContainsFunc(rules, func(r training.Rule) bool {
			return slices.Contains(e.Optimiser, r.String())
		})
	}
	adam := parameter.Unless(has(training.Adam, training.AdamW),
		"it is Adam's; must be left out without adam and adamw")
	return []parameter.Parameter{
		{Name: "optimiser", Meaning: "rules by which weights follow from gradients",
			Value: parameter.Choices{Field: &e.Optimiser, Names: training.RuleNames}},
		{Name: "learning-rate", Meaning: "largest learning rates",
			Value: parameter.Reals(&e.LearningRate, rateRange)},
		{Name: "schedule", Meaning: "how the learning rate falls after the warm-up; step: to a tenth " +
			"after two fifths of the steps, to a hundredth after four",
			Value: parameter.Choice{Field: &e.Schedule, Names: training.DeclineNames}},
		{Name: "warmup", Meaning: "first steps, in which the learning rate grows",
			Value: parameter.Whole(&e.Warmup, parameter.Range{Low: 0, High: mostSteps})},
		{Name: "momentum", Meaning: "share of the step before that a step keeps",
			Value: parameter.Real(&e.Momentum, share),
			Inapplicable: parameter.Unless(has(training.Momentum),
				"must be left out without the optimiser momentum")},
		{Name: "adam-beta1", Meaning: "share of its mean of gradients that Adam keeps",
			Value: parameter.Real(&e.Beta1, share), Inapplicable: adam},
		{Name: "adam-beta2", Meaning: "share of its mean of squared gradients that Adam keeps",
			Value: parameter.Real(&e.Beta2, share), Inapplicable: adam},
		{Name: "adam-epsilon", Meaning: "what Adam adds to the root of that mean",
			Value:        parameter.Real(&e.Epsilon, parameter.Range{Low: 0, High: 1, Open: true}),
			Inapplicable: adam},
		{Name: "weight-decay", Meaning: "factor of weights that is added to their gradients, in adamw to " +
			"their steps; not of biases, gains and residual strengths",
			Value: parameter.Real(&e.Decay, parameter.Range{Low: 0, High: 1e6})},
		{Name: "clip", Meaning: "largest norm of a gradient, to which larger ones are scaled; 0 for any",
			Value: parameter.Real(&e.Clip, parameter.Range{Low: 0, High: 1e12})},
		{Name: "smoothing", Meaning: "share of the right class that the loss spreads over all classes",
			Value: parameter.Real(&e.Smoothing, share),
			Inapplicable: parameter.Unless(e.Task != heaviside,
				"there are no classes; must be left out with --task heaviside")},
		{Name: "dropout", Meaning: "probability with which coordinates of embeddings, attention weights " +
			"and outputs of branches are dropped",
			Value: parameter.Real(&e.Dropout, share)},
		{Name: "attention-dropout", Meaning: "probability with which attention weights are, if it is another",
			Value: parameter.OptionalReal(&e.AttentionDropout, "as-dropout", share)},
		{Name: "mlp-dropout", Meaning: "probability with which outputs of the MLP's activation are",
			Value: parameter.Real(&e.MLPDropout, share),
			Inapplicable: parameter.Unless(e.MLP != noMLP,
				"there is no MLP; must be left out without one")},
		{Name: "score-warmup", Meaning: "first steps, in which the scores of queries and keys grow",
			Value:        parameter.Whole(&e.ScoreWarmup, parameter.Range{Low: 0, High: mostSteps}),
			Inapplicable: e.withoutScores()},
		{Name: "learn-strengths", Meaning: "strengths of residual connections that are learned",
			Value: parameter.Choice{Field: &e.Strengths, Names: training.StrengthsNames}},
	}
}

// mostSteps bounds the steps of a run, mostRows the rows of a table.
const (
	mostSteps = 1_000_000_000
	mostRows  = 10_000_000
)

func (e *Experiment) runParameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "batch", Meaning: "sequences of a batch",
			Value: parameter.Whole(&e.Batch, parameter.Range{Low: 1, High: 1_000_000})},
		{Name: "accumulate", Meaning: "batches whose mean gradient a step takes",
			Value: parameter.Whole(&e.Accumulate, parameter.Range{Low: 1, High: 1_000_000})},
		{Name: "steps", Meaning: "steps of a run",
			Value: parameter.Whole(&e.Steps, parameter.Range{Low: 1, High: mostSteps})},
		{Name: "every", Meaning: "steps between rows",
			Value: parameter.Whole(&e.Every, parameter.Range{Low: 1, High: mostSteps})},
		{Name: "validation", Meaning: "examples of the validation",
			Value: parameter.Whole(&e.Validation, parameter.Range{Low: 1, High: 1_000_000})},
		{Name: "bound", Meaning: "loss above which a run has diverged",
			Value: parameter.Real(&e.Bound, parameter.Range{Low: 0, High: 1e12, Open: true})},
		{Name: "seeds", Meaning: "runs of each setting, of that many seeds from --seed on",
			Value: parameter.Whole(&e.Seeds, parameter.Range{Low: 1, High: 10_000})},
		{Name: "map", Meaning: "the figure is a map of what is learned at each α and β, beside the theory",
			Value: parameter.Switch{On: &e.Map}},
		{Name: "by-layer", Meaning: "the figure is of tokens layer by layer, before learning and after it",
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
		return &parameter.Error{Parameter: "every", Value: fmt.Sprint(e.Every),
			Problem: fmt.Sprintf("the table would have %.3g rows; must be greater, for at most %d",
				rows, mostRows)}
	}
	return nil
}
