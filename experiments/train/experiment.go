// Package train is the experiment on what networks learn from their initialisation.
package train

import (
	"context"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde/network"
	"antipode/sde/training"
)

// Experiment is on networks that learn a task: every setting, one of each value of the parameters that are
// lists, with every seed.
type Experiment struct {
	Task       string `json:"task"`
	Tokens     int64  `json:"tokens"`
	Vocabulary int64  `json:"vocabulary"`

	Layers     []int     `json:"layers"`
	Norm       []string  `json:"norm"`
	Attention  []string  `json:"attention"`
	Values     []string  `json:"values"`
	AlphaSA    []float64 `json:"alpha-sa"`
	Beta       []float64 `json:"beta"`
	SigmaV2    []float64 `json:"sigma-v2"`
	Dim        int64     `json:"dim"`
	Heads      int64     `json:"heads"`
	LayerNorm  string    `json:"layer-norm"`
	Projection *float64  `json:"projection"`
	BranchSA   float64   `json:"branch-sa"`
	MLP        string    `json:"mlp"`
	Width      int64     `json:"width"`
	SigmaW2    float64   `json:"sigma-w2"`
	SigmaB2    float64   `json:"sigma-b2"`
	AlphaMLP   float64   `json:"alpha-mlp"`
	BranchMLP  float64   `json:"branch-mlp"`
	Share      string    `json:"share"`
	Causal     bool      `json:"causal"`
	FinalNorm  bool      `json:"final-norm"`

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
	Strengths    string    `json:"learn-strengths"`

	Batch      int64   `json:"batch"`
	Accumulate int64   `json:"accumulate"`
	Steps      int64   `json:"steps"`
	Every      int64   `json:"every"`
	Validation int64   `json:"validation"`
	Bound      float64 `json:"bound"`
	Seeds      int64   `json:"seeds"`
}

// New returns the default parameters: the task and the network of Noci et al., C.1, with small weights.
func New() *Experiment {
	return &Experiment{
		Task: reverse, Tokens: 20, Vocabulary: 10,
		Layers: []int{5}, Norm: []string{network.PostNorm.String()}, Attention: []string{softmax},
		Values: []string{network.GaussianValues.String()}, AlphaSA: []float64{1}, Beta: []float64{0.3},
		SigmaV2: []float64{0.5}, Dim: 16, Heads: 1, LayerNorm: affine, BranchSA: 1, MLP: network.ReLU.String(),
		SigmaW2: 0.5, AlphaMLP: 1, BranchMLP: 1, Share: shareNothing,
		Optimiser: []string{training.Adam.String()}, LearningRate: []float64{0.01},
		Schedule: training.Constant.String(), Warmup: 50, Momentum: 0.9, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8,
		Strengths: training.NoStrengths.String(),
		Batch:     32, Accumulate: 1, Steps: 600, Every: 20, Validation: 128, Bound: 1e6, Seeds: 3,
	}
}

// Paper sets the steps and seeds of the toy example of Noci et al., without warm-up.
func (e *Experiment) Paper() {
	*e = *New()
	e.Steps, e.Every, e.Seeds, e.Warmup = 2000, 50, 10, 0
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "train" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "what networks learn from their initialisation",
		`Takes Transformers from their random weights on, of every setting with every seed, and
looks at them every few steps: loss, accuracy, learning rate and gradient, and layer by
layer the mean cosine of tokens, the entropy of attention, the stable rank and the
strengths of residual connections. A setting is one of each value of those parameters
that take several. A run that diverges ends with a row that says so. Unfinished runs are
kept, with --resume they go on. Writes a table and a figure.

--task reverse asks for the digits of a sequence in the inverted order.

Examples: antipode train
          antipode train --norm post-norm,pre-norm --beta 0.3,3 --seeds 5
          antipode train --optimiser sgd,adam --learning-rate 0.001,0.01,0.1 --steps 300`
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// Run implements run.Experiment: one run after another, of each setting with all seeds.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	r := &runs{Experiment: e, settings: e.settings(), options: options}
	if err := r.check(); err != nil {
		return err
	}
	return run.Pieces{
		Count: r.count(), Steps: e.Steps, Length: r.length, Forget: r.forget,
		Worker: func() func(ctx context.Context, piece int) ([]float64, error) { return r.train },
		Take: func(piece int, numbers []float64) error {
			return data.WriteRows(table, r.rows(piece, numbers)...)
		},
	}.Run(ctx, options, table)
}
