// Package advise is the experiment that predicts the behaviour of a user's architecture at initialisation,
// and suggests changes.
//
//	e := advise.New()
//	e.Layers, e.Dim, e.Heads, e.Width, e.Tokens = 24, 64, 4, 64, 32
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package advise

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/overlap/stack"
	"antipode/sde/network"
)

// Experiment computes, layer by layer, what theory says about the tokens and gradients of a Transformer at
// initialisation. On request it compares the theory with simulated networks.
type Experiment struct {
	Model  string `json:"model"`  // sets all other parameters, as Config does
	Config string `json:"config"` // "none", or a config.json with its checksum

	Norm       string  `json:"norm"`
	Layers     int64   `json:"layers"`
	Dim        int64   `json:"dim"`
	Heads      int64   `json:"heads"`
	Width      int64   `json:"width"`
	Activation string  `json:"activation"`
	Gated      bool    `json:"gated"`
	Causal     bool    `json:"causal"`
	Tokens     int64   `json:"tokens"`
	AlphaSA    float64 `json:"alpha-sa"`
	AlphaMLP   float64 `json:"alpha-mlp"`
	BranchSA   float64 `json:"branch-sa"`
	BranchMLP  float64 `json:"branch-mlp"`

	// The fields below are standard deviations of weights.
	Query      float64  `json:"query-deviation"` // also of keys
	Value      float64  `json:"value-deviation"`
	Projection *float64 `json:"projection-deviation"` // nil if no matrix mixes the outputs of heads
	Hidden     float64  `json:"hidden-deviation"`
	Output     float64  `json:"output-deviation"`
	Bias       float64  `json:"bias-deviation,omitempty"`

	Input     string  `json:"input"`
	Embedding float64 `json:"embedding-deviation"`
	Positions bool    `json:"positions"`
	Types     int64   `json:"types"`
	Features  int64   `json:"features"` // number of coordinates of an image patch
	Start     float64 `json:"start"`

	Collapse float64 `json:"collapse"`
	Check    int64   `json:"check"` // number of simulated networks
	RMS      bool    `json:"rms"`
	Epsilon  float64 `json:"epsilon"`
}

// New returns the experiment advise with its default parameters, which are those of BERT-base.
func New() *Experiment {
	e := &Experiment{Config: namedfile.None, Collapse: 0.7}
	e.be(bert)
	return e
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "advise" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "what your architecture does at initialisation in each layer, and what to change",
		`Computes what a network with random initial weights does to a sequence of tokens. The
architecture is that of a model, of a config.json of Hugging Face, or of the flags. For each layer
the report gives the mean cosine of the tokens, with a band that contains 99 of 100 networks, the
stable rank, and the growth of the gradients of each matrix. The report also gives the depth at
which tokens become alike, says whether the architecture is above or below the critical values, and
proposes the smallest changes with which the signal passes. Each number names its theory and the
assumptions of this theory. Cosines and their bands hold for attention scores of a standard
deviation below about 1. --check 8 also simulates 8 networks of this shape for comparison.

Examples: antipode advise --model gpt2 --tokens 64
          antipode advise --config config.json --check 8
          antipode advise --layers 24 --dim 64 --heads 4 --width 256 --tokens 32`
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes the rows of all layers, beginning with the input.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	if e.Check == 0 {
		rows, err := e.theory()
		if err != nil {
			return err
		}
		return data.WriteRows(table, rows...)
	}
	part := networks.Part{
		Ensemble: e.ensemble(),
		Rows:     int(e.Layers) + 1,
		Write: func(_ []float64, runs [][]network.Layer) error {
			rows, err := e.theory()
			if err != nil {
				return err
			}
			for l := range rows {
				rows[l].simulate(runs, l)
			}
			return data.WriteRows(table, rows...)
		},
	}
	return networks.Run(ctx, []networks.Part{part}, options, "check", table)
}

// theory returns the rows of all layers with the theory, and without results of simulated networks.
func (e *Experiment) theory() ([]Row, error) {
	k, err := stack.New(e.shape())
	if err != nil {
		return nil, e.refused(err)
	}
	layers, err := k.Forward()
	if err != nil {
		return nil, e.refused(err)
	}
	gradients, err := k.Backward()
	if err != nil {
		return nil, e.refused(err)
	}
	var rows []Row
	for l, layer := range layers {
		r := data.NullRow[Row]()
		r.Layer, r.Cosine, r.Low, r.High = int32(l), layer.Cosine, layer.Low, layer.High
		r.Square, r.StableRank = layer.Square, layer.StableRank
		r.RankLow, r.RankHigh = layer.RankLow, layer.RankHigh
		if l > 0 {
			r.ScoreDeviation = layer.ScoreDeviation
			r.CriticalRatio = data.FiniteOrNaN(1 / k.Margin(layer.ScoreDeviation))
			r.Participation = layer.Participation
			r.StepValues, r.StepMLP = data.FiniteOrNaN(layer.StepValues), data.FiniteOrNaN(layer.StepMLP)
			r.setGradients(gradients[l-1])
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// ensemble returns the ensemble of simulated networks.
func (e *Experiment) ensemble() network.Ensemble {
	return network.Ensemble{Network: e.network(), Networks: int(e.Check), Gradients: true, Ranks: true}
}

// squared returns the squared standard deviation of weights, their variance, times the number of their
// inputs.
func squared(deviation float64, inputs int64) float64 {
	return float64(deviation*deviation) * float64(inputs)
}
