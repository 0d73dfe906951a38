package train

import (
	"math"
	"slices"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/internal/lists"
	"antipode/sde/network"
	"antipode/sde/training"
)

// ownFigure is the name of the choice of no figure of a paper, for which the parameters are the defaults.
const ownFigure = "none"

// preset is a choice of parameters that reproduces those parts of a figure of a paper that are about
// training.
type preset struct {
	name  string
	ours  func(e *Experiment) // sets the parameters, for networks that two cores can train
	paper func(e *Experiment) // called after ours; sets the sizes of the paper
}

// The papers are Fedorov et al., Clustering in Deep Stochastic Transformers (clustering); Giorlandino and
// Goldt, Two Failure Modes of Deep Transformers (failure-modes); Noci et al., Signal Propagation in
// Transformers (rank-collapse); and Naderi et al., Mind the Gap (mind-the-gap). The texts and images of the
// papers are replaced by masked tokens of a Markov chain and by images of textures.
var presets = []preset{
	{"clustering-2", clustering2, func(e *Experiment) {
		e.Layers, e.Dim, e.Values, e.Patch = []int{128}, 96, []string{"gaussian:1", sharedIdentity}, 4
		e.Beta = []float64{1 / math.Sqrt(math.Log(65))} // weights of variance 1/d
		e.Batch, e.LearningRate, e.Seeds = 128, []float64{1e-3}, 5
		e.Steps, e.Warmup, e.Every, e.Validation = 117_188, 3125, 3906, 10_000
	}},
	{"failure-modes-1", failureModes1, func(e *Experiment) {
		e.Layers, e.Beta = []int{60}, []float64{0.02}
		bertPaper(e)
	}},
	{"failure-modes-1b", failureModes1b, bertPaper},
	{"failure-modes-3", func(e *Experiment) { failureModes3(e, 5e-4) }, oneLayerPaper},
	{"failure-modes-8", func(e *Experiment) { failureModes3(e, 1e-4) }, oneLayerPaper},
	{"failure-modes-6", failureModes6, func(e *Experiment) {
		e.Dim, e.Batch, e.Tokens, e.Steps, e.Warmup, e.Every = 480, 64, 256, 15_000, 750, 250
	}},
	{"rank-collapse-6", rankCollapse6, func(*Experiment) {}},
	{"rank-collapse-5", rankCollapse5, func(e *Experiment) {
		translationPaper(e)
		e.Optimiser, e.LearningRate = []string{training.AdamW.String()}, []float64{7e-4}
		e.Steps, e.Decay = 100_000, 1e-4
		e.Beta2, e.Schedule, e.Warmup = 0.98, training.InverseSquareRoot.String(), 6000
	}},
	{"rank-collapse-5b", rankCollapse5b, func(e *Experiment) {
		translationPaper(e)
		e.LearningRate, e.Steps, e.Decay = []float64{2e-2}, 250_000, 1e-3
	}},
	{"mind-the-gap-8a", mindTheGap8a, isometricPaper},
	{"mind-the-gap-8b", mindTheGap8b, isometricPaper},
	{"mind-the-gap-11", func(e *Experiment) { mindTheGap11(e, 1) }, isometricPaper},
	{"mind-the-gap-11b", func(e *Experiment) { mindTheGap11(e, 2) }, isometricPaper},
	{"mind-the-gap-12", func(e *Experiment) { mindTheGap11(e, 5) }, isometricPaper},
	{"trainability", trainabilityMap, func(*Experiment) {}},
}

func figureOf(name string) preset {
	return presets[slices.IndexFunc(presets, func(p preset) bool { return p.name == name })]
}

// masking sets the task and the training of BERT in failure-modes: masked tokens, a post-norm network without
// gains, and AdamW with a linearly decreasing learning rate.
func masking(e *Experiment) {
	e.Task, e.Vocabulary, e.Tokens, e.Batch, e.Validation, e.Seeds = masked, 7, 32, 16, 512, 1
	e.Norm, e.LayerNorm, e.MLP = []string{network.PostNorm.String()}, plain, network.ReLU.String()
	e.SigmaV2, e.SigmaW2, e.SigmaB2 = []float64{0.2}, 0.2, 4e-4
	e.Optimiser, e.Schedule = []string{training.AdamW.String()}, training.LinearDecline.String()
	e.Decay, e.Clip, e.Steps, e.Warmup, e.Every = 0.01, 1, 1000, 50, 50
}

// clustering2 sets recursion (4) of the clustering paper with queries and keys that all layers share, and
// with branches of strength L^(-1/2) in L layers. The entries of the value matrices have variance 1, which is
// the paper's σ = 1, or a smaller variance. In other settings the value matrices start as the identity, which
// all layers share or which is separate in each layer. The parameters have several depths L. The task is to
// classify images by the places of their patches. With --task masked the task is on walks of 32 tokens.
func clustering2(e *Experiment) {
	e.Task, e.Data, e.ImageLaw, e.Validation, e.Batch = images, namedfile.None, place, 512, 32
	e.Tokens, e.Vocabulary = 32, 7
	e.Layers, e.Norm, e.LayerNorm = []int{8, 16, 32, 64}, []string{network.PostNorm.String()}, rms
	e.Values = []string{"gaussian:1", "gaussian:0.25", "gaussian:1/d", sharedIdentity, "identity:1",
		"identity:0.5"}
	e.Dim, e.Heads, e.MLP = 24, 1, noMLP
	e.Share, e.Branches, e.DepthScaling, e.AlphaSA = shareKeys, []float64{1}, true, []float64{1}
	e.Beta = []float64{0.59} // close to weights of variance 1/d for 17 tokens
	e.Optimiser, e.LearningRate = []string{training.Adam.String()}, []float64{3e-3}
	e.Schedule = training.Cosine.String()
	e.Steps, e.Warmup, e.Every, e.Seeds = 600, 30, 150, 2
}

// failureModes1 sets Figs. 1e, 1f and 10 of failure-modes. The paper has 60 layers below β_c and 12 layers
// above it; in this program all networks have the same depth. The strengths of residual connections are
// around α_c, which is 0.77 for 24 layers and a cosine of 0.99. The scales β of query and key weights are
// below and above β_c.
func failureModes1(e *Experiment) {
	masking(e)
	e.Layers, e.Dim, e.Heads, e.LearningRate = []int{24}, 64, 4, []float64{1e-3}
	e.AlphaSA, e.Beta = []float64{0.5, 1, 2}, []float64{0.02, 1.8}
}

// failureModes1b sets the part of Fig. 1f of failure-modes above β_c. The networks have only 12 layers, so
// that a failure to learn is not caused by a collapse of the tokens.
func failureModes1b(e *Experiment) {
	failureModes1(e)
	e.Layers, e.Beta = []int{12}, []float64{1.8}
}

// bertPaper sets the sizes of the networks of failure-modes for failureModes1 and failureModes1b.
func bertPaper(e *Experiment) {
	e.Dim, e.Heads, e.Batch, e.Tokens = 600, 6, 64, 256
	e.AlphaSA, e.LearningRate = []float64{1, 1.5, 2}, []float64{1e-4}
	e.Steps, e.Warmup, e.Every = 30_000, 1500, 500
}

// failureModes3 sets Figs. 3a, 3b and 11 of failure-modes, and Fig. 8 with a smaller learning rate: networks
// of one layer, and scales of query and key weights around β_c.
func failureModes3(e *Experiment, rate float64) {
	masking(e)
	e.Layers, e.Dim, e.Heads, e.Tokens, e.AlphaSA = []int{1}, 64, 1, 64, []float64{1}
	e.Beta, e.LearningRate = []float64{0.1, 0.5, 1, 1.5, 3, 6}, []float64{rate}
	e.Steps, e.Warmup, e.Every = 2000, 100, 100
}

func oneLayerPaper(e *Experiment) {
	e.Dim, e.Batch, e.Tokens, e.Steps, e.Warmup, e.Every = 768, 64, 256, 30_000, 1500, 500
}

func failureModes6(e *Experiment) {
	masking(e)
	e.Layers, e.Dim, e.Heads, e.AlphaSA, e.Beta = []int{30}, 48, 1, []float64{1}, []float64{0.1}
	e.Attention, e.LearningRate = []string{softmax, gain}, []float64{5e-4}
}

// reversing sets the toy example of rank-collapse, C.1: the reversal of sequences of digits.
func reversing(e *Experiment) {
	e.Task, e.Tokens, e.Vocabulary, e.Batch, e.Validation = reverse, 20, 10, 32, 256
	e.Dim, e.Heads, e.Norm, e.LayerNorm, e.MLP = 16, 1, []string{network.PostNorm.String()}, affine,
		network.ReLU.String()
	e.AlphaSA, e.Beta = []float64{1}, []float64{1 / math.Sqrt(math.Log(20))} // weights of variance 1/d
	e.SigmaV2, e.SigmaW2 = []float64{1}, 1
	e.Optimiser, e.Schedule = []string{training.Adam.String()}, training.Constant.String()
	e.Decay, e.Clip, e.Warmup = 0, 0, 0
}

// rankCollapse6 sets Fig. 6 of rank-collapse: input tokens of increasing overlap.
func rankCollapse6(e *Experiment) {
	reversing(e)
	e.Layers, e.LearningRate, e.Overlap = []int{5}, []float64{0.01}, []float64{0, 0.9, 0.999}
	e.Steps, e.Every, e.Seeds = 2000, 100, 10
}

// rankCollapse5 replaces the translation task of rank-collapse, in Figs. 1 and 5 and in the quantities by
// layer of Fig. 15, by reversals in 12 layers. Branches have strength 1, strength 1/√L, or learned strengths.
// Attention scores have the usual temperature, or the temperature that matches gradients by (47). The
// optimisers are Adam and SGD, each with three learning rates.
func rankCollapse5(e *Experiment) {
	reversing(e)
	plainScale := e.Beta[0]
	e.Layers, e.Branches = []int{12}, []float64{1, 1 / math.Sqrt(12)}
	e.Strengths = training.AllStrengths.String()
	e.Beta = []float64{plainScale, matchedTemperature * plainScale}
	e.Optimiser = []string{training.Adam.String(), training.SGD.String()}
	e.LearningRate = []float64{0.003, 0.03, 0.3}
	e.Steps, e.Every, e.Seeds = 1000, 100, 2
}

// rankCollapse5b sets the runs of rankCollapse5 with SGD alone, with a learning rate that decreases in steps.
func rankCollapse5b(e *Experiment) {
	rankCollapse5(e)
	e.Optimiser, e.Schedule = []string{training.SGD.String()}, training.Tenths.String()
}

// translationPaper sets the training parameters that both optimisers share in Table 3 of rank-collapse, and
// the warm-up of the temperature from C.3.
func translationPaper(e *Experiment) {
	attention := 0.1
	e.Dim, e.Heads, e.Width, e.Batch, e.Every = 512, 4, 2048, 128, 1000
	e.Dropout, e.AttentionDropout, e.MLPDropout, e.Smoothing = 0.3, &attention, 0.1, 0.1
	e.ScoreWarmup = 1000
}

// matchedTemperature is the temperature τ of (47) of rank-collapse for 20 tokens of dimension 16, variance
// 1.5 and overlap 0.4. The value of τ is 3.0. A third of the variance of a token comes from its digit, and a
// tenth from its position.
var matchedTemperature = temperature(20, 16, 1.5, 0.4)

// temperature returns the temperature τ of (47) of rank-collapse for n tokens of dimension d. The coordinates
// of the tokens have the given variance, and those of different tokens have correlation ρ.
func temperature(n, d, variance, rho float64) float64 {
	denominator := variance * variance * (1 - rho) * (1 - rho) * (n + d) * (n - 1)
	return math.Sqrt(d * n * (1 + float64(rho*(n-1))) / denominator)
}

// isometric sets the task of mind-the-gap, A.3, to learn an entrywise step function. The networks have
// attention alone, with value matrices of variance 1 followed by a linear map that starts as the identity.
// The result is the best of five learning rates. LayerNorm has gains and biases, which the paper does not
// mention. Without gains and biases the outputs would have variance 1, and no loss would be below 1/4.
func isometric(e *Experiment) {
	one := 1.
	e.SigmaV2, e.Projection, e.ProjectionLaw = []float64{64}, &one, network.IdentityValues.String()
	e.Task, e.Tokens, e.Dim, e.Heads, e.Examples, e.Batch, e.Validation = heaviside, 64, 64, 1, 50, 10, 10
	e.MLP, e.LayerNorm, e.Attention = noMLP, affine, []string{softmax, gain}
	e.Optimiser, e.Schedule = []string{training.Adam.String()}, training.Constant.String()
	e.LearningRate = []float64{1e-4, 1e-3, 3e-3, 1e-2, 1e-1}
	e.Decay, e.Clip, e.Warmup, e.Steps, e.Every, e.Seeds = 0, 0, 0, 250, 25, 3
}

// allAttention lists every kind of attention that mind-the-gap trains: with queries and keys, with or without
// the spectral gap; with a free attention matrix, with or without the gap; and with an attention matrix that
// starts as the identity.
var allAttention = []string{softmax, gain, free, freeGain, identity}

// isometricPaper sets the sizes of the networks of mind-the-gap. The variances of weights, which are 1 or
// 1/d, remain; the parameters are these variances times d and are set accordingly.
func isometricPaper(e *Experiment) {
	const dim = 500
	for k, variance := range e.SigmaV2 {
		if variance == float64(e.Dim) {
			e.SigmaV2[k] = dim
		}
	}
	for k, beta := range e.Beta {
		if e.Beta[k] = xavierScale(dim); beta > 1 {
			e.Beta[k] = standardScale(dim)
		}
	}
	e.LearningRate = nil
	for _, power := range []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1} {
		e.LearningRate = append(e.LearningRate, power, 3*power, 5*power)
	}
	e.Tokens, e.Dim, e.Seeds = dim, dim, 5
}

// xavierScale returns the scale β of query and key weights of variance 1/d, for d tokens. The next function,
// standardScale, returns β for weights of variance 1.
func xavierScale(dim float64) float64 { return 1 / math.Sqrt(math.Log(dim)) }

func standardScale(dim float64) float64 { return dim / math.Sqrt(math.Log(dim)) }

// mindTheGap8a sets Fig. 8a of mind-the-gap: query and key weights of the scales xavier and standard, with
// and without the spectral gap.
func mindTheGap8a(e *Experiment) {
	isometric(e)
	e.Layers, e.Norm, e.AlphaSA = []int{1}, []string{network.NoNorm.String()}, []float64{0}
	e.Beta = []float64{xavierScale(64), standardScale(64)}
}

// mindTheGap8b sets Fig. 8b of mind-the-gap: value weights of variance 1/d and 1, and a skip connection.
func mindTheGap8b(e *Experiment) {
	isometric(e)
	e.Attention = slices.Clone(allAttention)
	e.Layers, e.Norm, e.AlphaSA = []int{1}, []string{network.NoNorm.String()}, []float64{1}
	e.Beta, e.SigmaV2 = []float64{standardScale(64)}, []float64{1, 64}
}

// mindTheGap11 sets Fig. 11 of mind-the-gap: networks with LayerNorm, with skip connections, with both or
// with neither, each with and without the spectral gap. The networks have one or two layers, or five layers
// for Fig. 12.
func mindTheGap11(e *Experiment, layers int) {
	isometric(e)
	e.Attention = slices.Clone(allAttention)
	e.Layers, e.Norm = []int{layers}, []string{network.NoNorm.String(), network.PostNorm.String()}
	e.Beta, e.AlphaSA = []float64{standardScale(64)}, []float64{0, 1}
}

// trainabilityMap sets a figure that is in no paper: what networks of 12 layers learn from 8 × 8
// initialisations.
func trainabilityMap(e *Experiment) {
	masking(e)
	e.Layers, e.Dim, e.Heads, e.Steps, e.Warmup, e.Every, e.Map = []int{12}, 32, 1, 300, 15, 100, true
	e.AlphaSA, e.Beta = networks.EvenGrid(3.2, 8)[1:], networks.EvenGrid(4, 8)[1:]
	e.LearningRate = []float64{1e-3, 3e-3, 1e-2}
}

// figure returns the parameter figure. Choosing a figure also sets the parameters of the figure. Choosing the
// present figure does not set its parameters again, because Paper may have changed the sizes.
func (e *Experiment) figure() parameter.Parameter {
	before := e.Figure
	names := append([]string{ownFigure}, lists.Map(presets, func(p preset) string { return p.name })...)
	return parameter.Parameter{Name: "figure",
		Meaning: "figure of a paper, or the diagram trainability, which sets the parameters that " +
			"are not given",
		Value: parameter.Choice{Field: &e.Figure, Names: names}, Preset: true,
		Then: func() {
			name := e.Figure
			if name == before {
				return
			}
			*e = *New()
			if e.Figure = name; name != ownFigure {
				figureOf(name).ours(e)
			}
		}}
}
