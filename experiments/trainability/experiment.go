// Package trainability is the experiment on which initialisations of a deep Transformer let the signal pass,
// so that the network can be trained.
//
//	e := trainability.New()
//	e.Depth, e.AlphaSA, e.Beta = 24, []float64{0.5, 1}, []float64{0.5, 1, 2}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package trainability

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/overlap/propagation"
)

// Experiment computes the phase diagram of initialisations of a deep Transformer (Giorlandino and Goldt, Fig.
// 1c), in the limit of many tokens. For each strength α_SA of attention's residual connection and each scale
// β of query and key weights, the diagram says whether tokens collapse and whether attention is condensed.
type Experiment struct {
	Block      string    `json:"block"`
	Depth      int64     `json:"layers"` // number of layers
	AlphaSA    []float64 `json:"alpha-sa"`
	Beta       []float64 `json:"weight-beta"`
	Start      float64   `json:"start"` // overlap p of input tokens of squared norm q = 1
	SigmaW2    float64   `json:"sigma-w2"`
	SigmaB2    float64   `json:"sigma-b2"`
	SigmaV2    float64   `json:"sigma-v2"`
	AlphaMLP   float64   `json:"alpha-mlp"`
	Activation string    `json:"activation"`
	Collapse   float64   `json:"collapse"` // cosine above which tokens count as collapsed
	// Tokens is the number T of tokens, and Dim the dimension d, of the network that a user wants to
	// initialise. Either is nil if not given.
	Tokens *int64 `json:"tokens,omitempty"`
	Dim    *int64 `json:"dim,omitempty"`
}

// New returns the experiment trainability with its default parameters: the paper's 60-layer BERT model on a
// coarse grid.
func New() *Experiment {
	return &Experiment{
		Block: propagation.PostNorm.String(), Depth: 60, AlphaSA: networks.EvenGrid(3, 60),
		Beta:    networks.EvenGrid(2, 40),
		SigmaW2: 0.2, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1, Activation: propagation.ReLU.String(),
		Collapse: propagation.Alike,
	}
}

// Paper sets the model of Fig. 1c of the paper and a fine grid. The paper does not state at which cosine of
// tokens the figure speaks of collapse.
func (t *Experiment) Paper() {
	*t = *New()
	t.AlphaSA, t.Beta = networks.EvenGrid(3, 200), networks.EvenGrid(2, 200)
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "trainability" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "which initialisations of a deep Transformer let the signal pass",
		`Computes the norm and the overlap of tokens through a stack of Transformer blocks,
in the limit of many tokens, for each strength of attention's residual connection and each scale of
query and key weights. Rank collapse means that the tokens become alike. Entropy collapse means that
the scale is above the critical scale of some layer. Writes a table and a diagram with the lines of
both failures. The report recommends an initialisation that is away from the line at which networks
were seen not to learn. With --tokens and --dim it prints the standard deviations for PyTorch.

Example: antipode trainability --tokens 512 --dim 768
         antipode trainability --layers 24 --block pre-norm --collapse 0.9`
}

// Parameters implements run.Experiment.
func (t *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "block", Meaning: "kind of block",
			Value: parameter.Choice{Field: &t.Block, Names: propagation.KindNames}},
		{Name: "layers", Former: "depth", Meaning: "number of blocks",
			Value: parameter.Whole(&t.Depth, parameter.Range{Low: 1, High: 100_000})},
		{Name: "alpha-sa", Meaning: "strengths α of attention's residual connection",
			Value: parameter.Reals(&t.AlphaSA, networks.AlphaRange)},
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Reals(&t.Beta, networks.BetaRange)},
		networks.StartParameter(&t.Start),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²",
			Value: parameter.Real(&t.SigmaW2, networks.VarianceRange)},
		networks.SigmaB2Parameter(&t.SigmaB2),
		networks.SigmaV2Parameter(&t.SigmaV2),
		networks.AlphaMLPParameter(&t.AlphaMLP),
		networks.ActivationParameter(&t.Activation),
		{Name: "collapse", Meaning: "cosine above which tokens count as collapsed",
			Value: parameter.Real(&t.Collapse, parameter.Range{Low: 0, High: 1})},
		t.tokens(), t.dim(),
	}
}

func (t *Experiment) tokens() parameter.Parameter {
	return parameter.Parameter{Name: "tokens", Meaning: "number T of tokens of a network, for which the " +
		"report computes standard deviations of the weights; the verdicts hold in the limit of many " +
		"tokens",
		Value: parameter.OptionalWhole(&t.Tokens, "none", parameter.Range{Low: 2, High: 1e9})}
}

func (t *Experiment) dim() parameter.Parameter {
	return parameter.Parameter{Name: "dim", Meaning: "dimension d of the network of --tokens",
		Value: parameter.OptionalWhole(&t.Dim, "none", parameter.Range{Low: 1, High: 1e9})}
}

// Validate implements run.Experiment.
func (t *Experiment) Validate() error {
	if err := parameter.Check(t.Parameters()); err != nil {
		return err
	}
	if (t.Tokens == nil) != (t.Dim == nil) {
		missing := t.tokens()
		if t.Dim == nil {
			missing = t.dim()
		}
		return parameter.Errorf(missing.Name, missing.Value.String(), "must be given with the other of "+
			"tokens and dim, or both left out")
	}
	const mostSteps = 1e9
	cells := len(t.AlphaSA) * len(t.Beta)
	strengths := setting.Axis{Count: len(t.AlphaSA), Many: "strengths"}
	if err := setting.CheckCells(networks.WeightBeta, len(t.Beta), strengths); err != nil {
		return err
	}
	if n := float64(cells) * float64(t.Depth); n > mostSteps {
		return parameter.Errorf("layers", t.Depth, "in %d cells these are %.3g layers; must be at most %g",
			cells, n, mostSteps)
	}
	return nil
}

// block returns the Transformer block of a cell (α_SA, β) of the phase diagram.
func (t *Experiment) block(alpha, beta float64) propagation.Block {
	return propagation.Block{
		Kind: networks.KindOf(t.Block), Beta: beta, AlphaSA: alpha, AlphaMLP: t.AlphaMLP,
		SigmaW2: t.SigmaW2, SigmaB2: t.SigmaB2, SigmaV2: t.SigmaV2,
		Activation: networks.ActivationOf(t.Activation), Tokens: math.Inf(1),
	}
}

func (t *Experiment) start() propagation.State { return propagation.State{Q: 1, P: t.Start} }

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes the rows of one strength α_SA after another. Each strength is a
// piece of work. Run does not use the seed.
func (t *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := t.Validate(); err != nil {
		return err
	}
	alphaC, exists, err := propagation.CriticalAlpha(t.block(0, 0), t.start(), int(t.Depth), t.Collapse)
	if err != nil {
		return err
	}
	if !exists {
		alphaC = math.NaN()
	}
	n := len(t.Beta)
	return run.Pieces{
		Count:  len(t.AlphaSA),
		Length: func(int) int { return 3 * n },
		Worker: run.Shared(func(ctx context.Context, k int) ([]float64, error) {
			return t.row(ctx, t.AlphaSA[k])
		}),
		Take: func(k int, numbers []float64) error {
			rows := make([]Row, n)
			for i, beta := range t.Beta {
				rows[i] = Row{
					AlphaSA: t.AlphaSA[k], Beta: beta, Cosine: numbers[i], BetaC: numbers[n+i],
					AlphaC: alphaC, Verdict: propagation.Verdict(numbers[2*n+i]),
				}
			}
			return data.WriteRows(table, rows...)
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// row returns three lists for one strength α_SA: for all β the cosines, the critical β and the verdicts.
func (t *Experiment) row(ctx context.Context, alpha float64) ([]float64, error) {
	n := len(t.Beta)
	row := make([]float64, 3*n)
	for k, beta := range t.Beta {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := propagation.NewMap(t.block(alpha, beta))
		if err != nil {
			return nil, err
		}
		signal, err := m.Signal(t.start(), int(t.Depth))
		if err != nil {
			return nil, parameter.Errorf("alpha-sa", alpha, "at β = %s: %s", parameter.FormatReal(beta),
				networks.Reason(err))
		}
		row[k], row[n+k], row[2*n+k] = signal.Cosine, data.FiniteOrNaN(signal.CriticalBeta),
			float64(signal.Verdict(beta, t.Collapse))
	}
	return row, nil
}
