// Package train is the experiment that trains Transformers from their random initialisation, and records what
// they learn.
//
//	e := train.New()
//	e.Task, e.Layers, e.Steps = "reverse", []int{1, 2}, 100
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package train

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/run"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// Experiment trains networks on a task. Each combination of values of the parameters that are lists is a
// setting, and each setting is trained with every seed.
type Experiment struct {
	Figure     string `json:"figure"` // figure of a paper that sets the defaults
	Task       string `json:"task"`
	Tokens     int64  `json:"tokens"`
	Vocabulary int64  `json:"vocabulary"`
	Text       string `json:"text"`
	Data       string `json:"data"`
	Examples   int64  `json:"examples"`
	Memory     int64  `json:"memory"`
	ImageLaw   string `json:"image-law"`
	Patch      int64  `json:"patch"`

	Layers        []int     `json:"layers"`
	Norm          []string  `json:"norm"`
	Attention     []string  `json:"attention"`
	Values        []string  `json:"values"`
	AlphaSA       []float64 `json:"alpha-sa"`
	Beta          []float64 `json:"weight-beta"`
	SigmaV2       []float64 `json:"sigma-v2"`
	Branches      []float64 `json:"branches"`
	DepthScaling  bool      `json:"depth-scaling"`
	Overlap       []float64 `json:"overlap"`
	Dim           int64     `json:"dim"`
	Heads         int64     `json:"heads"`
	LayerNorm     string    `json:"layer-norm"`
	Projection    *float64  `json:"projection"`
	ProjectionLaw string    `json:"projection-law"`
	MLP           string    `json:"mlp"`
	Width         int64     `json:"width"`
	SigmaW2       float64   `json:"sigma-w2"`
	SigmaB2       float64   `json:"sigma-b2"`
	AlphaMLP      float64   `json:"alpha-mlp"`
	Share         string    `json:"share"`
	Causal        bool      `json:"causal"`
	FinalNorm     bool      `json:"final-norm"`

	Optimiser    []string  `json:"optimiser"`
	LearningRate []float64 `json:"learning-rate"`
	Schedule     string    `json:"schedule"`
	Warmup       int64     `json:"warmup"`
	Momentum     float64   `json:"momentum"`
	Beta1        float64   `json:"adam-beta1"`
	Beta2        float64   `json:"adam-beta2"`
	Epsilon      float64   `json:"adam-epsilon"`
	Decay        float64   `json:"weight-decay"`
	Clip         float64   `json:"clip"`
	Smoothing    float64   `json:"smoothing"`
	Dropout      float64   `json:"dropout"`

	AttentionDropout *float64 `json:"attention-dropout"`
	MLPDropout       float64  `json:"mlp-dropout,omitempty"`
	ScoreWarmup      int64    `json:"score-warmup,omitempty"`

	Strengths string `json:"learn-strengths"`

	Batch      int64   `json:"batch"`
	Accumulate int64   `json:"accumulate"`
	Steps      int64   `json:"steps"`
	Every      int64   `json:"every"`
	Validation int64   `json:"validation"`
	Bound      float64 `json:"bound"`
	Seeds      int64   `json:"seeds"`
	Map        bool    `json:"map"`
	ByLayer    bool    `json:"by-layer"`
}

// New returns the experiment train with its default parameters: the task and the network of Noci et al., C.1,
// with small weights.
func New() *Experiment {
	return &Experiment{
		Figure: ownFigure, Task: reverse, Tokens: 20, Vocabulary: 10,
		Text: namedfile.None, Data: namedfile.None, Memory: 1, ImageLaw: textures, Patch: tasks.PatchSide,
		Layers: []int{5}, Norm: []string{network.PostNorm.String()}, Attention: []string{softmax},
		Values: []string{network.GaussianValues.String()}, AlphaSA: []float64{1}, Beta: []float64{0.3},
		SigmaV2: []float64{0.5}, Dim: 16, Heads: 1, LayerNorm: affine, MLP: network.ReLU.String(),
		SigmaW2: 0.5, AlphaMLP: 1, Branches: []float64{1}, Overlap: []float64{0}, Share: shareNothing,
		Optimiser: []string{training.Adam.String()}, LearningRate: []float64{0.01},
		Schedule: training.Constant.String(), Warmup: 50, Momentum: 0.9,
		Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8,
		Strengths: training.NoStrengths.String(), ProjectionLaw: network.GaussianValues.String(),
		Batch: 32, Accumulate: 1, Steps: 600, Every: 20, Validation: 128, Bound: 1e6, Seeds: 3,
	}
}

// Paper sets the sizes of networks and training in the paper of the chosen figure, if the paper states them.
// The texts and the images of the papers are not part of this program.
func (e *Experiment) Paper() {
	name := e.Figure
	*e = *New()
	if name == ownFigure {
		e.Steps, e.Every, e.Seeds, e.Warmup = 2000, 50, 10, 0
		return
	}
	e.Figure = name
	f := figureOf(name)
	f.ours(e)
	f.paper(e)
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "train" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "what networks learn from their initialisation",
		`Trains Transformers from random weights, with every setting and every seed. A setting is
one combination of values of those parameters that take several. The table has a row every few
steps: loss, accuracy, learning rate and gradient, and for each layer the mean cosine of tokens, the
entropy of attention, the stable rank, norms, clusters, pairs at ±1, and the strengths of residual
connections. The status in the last row of a run says whether the run diverged. Unfinished runs are
kept, and --resume continues them. Writes a table and a figure. The figure shows the quantities
against the steps. For several depths the figure shows the final losses against depth, beside the
theory. With --by-layer the figure shows the layers before and after learning.

--task reverse asks for the digits of a sequence in reverse order. heaviside asks for 1 where a
coordinate of orthonormal tokens is above 0. masked asks for the 15 in 100 tokens that are hidden,
in a random walk on a ring (--memory) or in the bytes of --text FILE. images asks for the class of
an image with textures (--image-law), or of a CIFAR-10 image in --data DIR. Every step has new
examples, unless --examples gives a fixed set to learn.

--figure selects a figure of the papers, at a size that takes two cores minutes to an hour; with
--paper the figure has the paper's own size, which takes days or longer. The figures are: values on
images (clustering-2); both failure modes (failure-modes-1, -1b, -3, -8, -6); inputs that are alike,
and depth (rank-collapse-6, -5, -5b); attention without its gap (mind-the-gap-8a, -8b, -11, -11b,
-12); and trainability, which is not in a paper and shows what was learned for each β and α, beside
the theory of the initialisation.

Examples: antipode train
          antipode train --norm post-norm,pre-norm --weight-beta 0.3,3 --seeds 5
          antipode train --task masked --optimiser sgd,adam --learning-rate 0.001,0.01
          antipode train --values gaussian:1,gaussian:1/d,shared-identity --mlp none
          antipode train --figure failure-modes-3`
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// ModelFiles implements run.ModelSaver.
func (*Experiment) ModelFiles() string {
	return "of each run, as run-0, the weights before the first step and after the last, and the hidden " +
		"states of 16 sequences, for antipode measure: weights-first.npz, states-last.npz and so on"
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// Run implements run.Experiment. Run trains the networks of all settings, one run for each setting and seed.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	source, err := e.source()
	if err != nil {
		return err
	}
	r := &runs{Experiment: e, source: source, settings: e.settings(), options: options}
	if err := r.check(); err != nil {
		return err
	}
	return run.Pieces{
		Count: r.count(), Steps: e.Steps, Length: r.length, Forget: r.forget,
		Worker: run.Shared(r.train),
		Take: func(piece int, numbers []float64) error {
			return data.WriteRows(table, r.rows(piece, numbers)...)
		},
	}.Run(ctx, options, table)
}
