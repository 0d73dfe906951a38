// Package stablerank is the experiment on rank collapse: the stable rank of the signal against the number of
// tokens and of layers.
//
//	e := stablerank.New()
//	e.Attention, e.Tokens, e.Layers = []matrices.Attention{matrices.Markov}, []int{16, 32, 64}, 3
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package stablerank

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/internal/text"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Experiment measures the stable rank of the covariance of the signal against the number of tokens and of
// layers. The networks consist of random attention matrices, with or without their spectral gap, or they are
// Transformers at initialisation.
type Experiment struct {
	attention.Grid
	Layers int64    `json:"layers"`
	Figure string   `json:"figure"` // figure of the paper whose parameters Paper sets
	Model  []string `json:"model"`
	Text   string   `json:"text"` // text file with the words that Transformers read
}

// New returns the experiment stable-rank with its default parameters.
func New() *Experiment {
	return &Experiment{Grid: attention.NewGrid(), Layers: 3, Figure: "2", Model: []string{attentionAlone},
		Text: namedfile.None}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "stable-rank" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "rank collapse: stable rank of the signal against width and depth",
		`Sends orthonormal tokens through networks of attention layers of several widths. The table
has the stable rank of the covariance of the signal after each layer, and its limit where that is
known. With markov attention alone the stable rank falls to 1 as T^(1-2l) in layer l when the gap is
kept, and is proportional to T when the gap is removed. The power of T is fitted with a 95 %
interval. With four widths or more the fit includes a correction term.

--model sends words through BERT and GPT-2, or patches through ViT, in their base sizes at
initialisation (Fig. 3). The table then has the mean cosine and norm of the tokens, and the stable
rank of XXᵀ.

Examples: antipode stable-rank --tokens 250,500,1000 --layers 2 --samples 10
          antipode stable-rank --figure 3 --tokens 128 --samples 8`
}

// Paper sets the parameters of the paper's Fig. 2, 3 or 4. The paper states no sizes of networks; the sizes
// are choices of this program.
func (s *Experiment) Paper() {
	figure := s.Figure
	*s = *New()
	s.Figure = figure
	if figure == "3" {
		s.Samples, s.Model, s.Tokens = 5, slices.Clone(modelNames), []int{8, 16, 32, 64, 128, 256, 512}
		return
	}
	s.Samples = 3
	s.Tokens = []int{50, 100, 200, 400}
	s.Attention = []matrices.Attention{matrices.Markov, matrices.Softmax, matrices.Identity}
	s.Architecture, s.Values = attention.Architectures(),
		[]matrices.Values{matrices.GaussianValues, matrices.OrthogonalValues}
	s.Gap = []matrices.Gap{matrices.KeepGap, matrices.RemoveMeans, matrices.RemoveOutliers}
	if s.Layers = 6; figure == "4" {
		s.Layers = 1
	}
}

// Parameters implements run.Experiment. Setting the parameter figure to 3 also sets the models, the tokens
// and the samples of Fig. 3. Because the figure is set first, other values that the user gives take
// precedence.
func (s *Experiment) Parameters() []parameter.Parameter {
	grid := s.GridParameters()
	grid = append(grid, parameter.Parameter{Name: "layers", Meaning: "number L of layers",
		Value: parameter.Whole(&s.Layers, parameter.Range{Low: 1, High: matrices.MaxLayers})})
	for k := range grid {
		if name := grid[k].Name; s.real() && name != "tokens" && name != "samples" {
			grid[k].Inapplicable = "real architectures have their own value of this parameter; " +
				"must be left out where the model is not attention"
		}
	}
	noText := "is read by bert and gpt2; must be left out without them"
	if s.real() && slices.ContainsFunc(s.Model, func(name string) bool { return name != ViT.String() }) {
		noText = ""
	}
	return append(append([]parameter.Parameter{s.figure()}, grid...),
		parameter.Parameter{Name: "model",
			Meaning: "what the signal passes through: attention layers alone, or networks of real " +
				"architectures at initialisation", Value: s.modelChoices()},
		text.Parameter(&s.Text, noText))
}

func (s *Experiment) modelChoices() parameter.Choices {
	return parameter.Choices{Field: &s.Model, Names: append([]string{attentionAlone}, modelNames...)}
}

// figure returns the parameter figure. Choosing Fig. 3 also sets its parameters. If Fig. 3 is the present
// figure, choosing it does not set them again, because Paper may have changed the sizes.
func (s *Experiment) figure() parameter.Parameter {
	before := s.Figure
	return parameter.Parameter{Name: "figure", Preset: true,
		Meaning: "figure of the paper whose parameters --paper sets; 3 implies --model bert, even " +
			"without --paper",
		Value: parameter.Choice{Field: &s.Figure, Names: []string{"2", "3", "4"}},
		Then: func() {
			if s.Figure == "3" && before != "3" {
				s.Model, s.Tokens, s.Samples = []string{BERT.String()}, []int{16, 32, 64, 128}, 4
			}
		}}.Where(before == "3", run.WithoutPaper)
}

// Validate implements run.Experiment.
func (s *Experiment) Validate() error {
	if err := parameter.Check(s.Parameters()); err != nil {
		return err
	}
	if len(s.Model) > 1 || s.real() {
		return s.validateModels()
	}
	return s.ValidateNetworks(int(s.Layers))
}

// Columns implements run.Experiment.
func (s *Experiment) Columns() []data.Column {
	if s.real() {
		return data.ColumnsOf[ModelRow]()
	}
	return data.ColumnsOf[Row]()
}

// Run implements run.Experiment. Run writes the rows of one network after another.
func (s *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if s.real() {
		return s.runModels(ctx, options, table)
	}
	of := func(k attention.Kind, tokens int) matrices.Network { return s.Network(k, tokens, int(s.Layers)) }
	return s.Sample(ctx, options, attention.Sampling{
		Networks:   lists.Grid(s.Kinds(), s.Tokens, of),
		KeptLayers: func(matrices.Network) int { return 1 },
		Measure: func(ctx context.Context, w *matrices.Workspace, sample int64) ([]float64, error) {
			return excesses(ctx, w, options.Seed, sample)
		},
		Write: func(n matrices.Network, layers []statistics.Estimate) error {
			return data.WriteRows(table, s.rowsOf(n, layers)...)
		},
	}, table)
}

// rowsOf returns the rows of a network of attention matrices, one for each layer.
func (s *Experiment) rowsOf(n matrices.Network, layers []statistics.Estimate) (rows []Row) {
	for l, excess := range layers {
		rows = append(rows, Row{
			Sized: attention.SizedOf(n), Layer: int32(l + 1), Samples: s.Samples, StableRank: 1 +
				excess.Value,
			Excess: excess.Value, ExcessStderr: excess.Stderr, Limit: excessLimit(n, l+1),
		})
	}
	return rows
}

// excesses returns the excess sr(Σ_ℓ)-1 of the stable rank of the covariance Σ_ℓ over 1 after each layer ℓ,
// for one sample of a network.
func excesses(
	ctx context.Context, w *matrices.Workspace, seed uint64, sample int64,
) (values []float64, err error) {
	signal := w.Start(seed, sample)
	for range w.Network().Layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := signal.Advance(); err != nil {
			return nil, err
		}
		excess, err := matrices.CovarianceExcess(signal.X())
		if err != nil {
			return nil, err
		}
		values = append(values, excess)
	}
	return values, nil
}

// excessLimit returns the excess sr(Σ_ℓ)-1 of the stable rank after a layer to leading order for many tokens.
// The result is NaN if the theory does not cover the network.
func excessLimit(n matrices.Network, layer int) float64 {
	if !attention.HasTheory(n) {
		return math.NaN()
	}
	tokens, gamma := float64(n.Tokens), float64(n.Tokens)/float64(n.Dim)
	if n.Gap == matrices.KeepGap {
		exponent, factor := spectrum.StableRankExcess(layer, gamma, n.Law.Deviation())
		return factor * math.Pow(tokens, float64(exponent))
	}
	share, err := spectrum.StableRankShare(layer, gamma)
	if err != nil {
		return math.NaN()
	}
	return share*tokens - 1
}
