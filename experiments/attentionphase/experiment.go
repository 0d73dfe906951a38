// Package attentionphase is the experiment on the two phases of a single layer of attention at
// initialisation: a token attends to many tokens or to few.
//
//	e := attentionphase.New()
//	e.Beta, e.Rho = []float64{0.5, 1, 2}, []float64{0, 0.5}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package attentionphase

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/overlap/propagation"
)

// Experiment computes the phase diagram of a single layer of self-attention at initialisation (Giorlandino
// and Goldt, Figs. 2 and 5). For each scale β of query and key weights and each cosine ρ of the tokens,
// Experiment computes how many tokens a row of attention attends to, and how the layer changes the cosine.
type Experiment struct {
	Beta   []float64 `json:"weight-beta"`
	Rho    []float64 `json:"rho"`
	Tokens *int64    `json:"tokens"` // number T; nil for the limit of many
	// Simulate is the number of simulated layers at each ρ, or nil for theory only. Dim is the dimension d of
	// the tokens in simulated layers.
	Simulate *int64 `json:"simulate"`
	Dim      int64  `json:"dim"`
	Figure   string `json:"figure"` // figure of the paper whose parameters Paper sets
}

// New returns the experiment attention-phase with its default parameters, which cover both phases in the
// limit of infinitely many tokens.
func New() *Experiment {
	return &Experiment{Beta: networks.EvenGrid(4, 80), Rho: networks.EvenGrid(1, 40), Dim: 512, Figure: "2"}
}

// Paper sets the parameters of Fig. 2 or of Fig. 5 of the paper. For the plane of Fig. 2 it sets the 1024
// tokens of the paper's simulation and their dimension 512. For the line of Fig. 5 it sets 100,000 tokens;
// the paper does not state their dimension.
func (a *Experiment) Paper() {
	tokens, samples := int64(1024), int64(2)
	a.Beta, a.Rho, a.Dim = networks.EvenGrid(4, 40), networks.EvenGrid(1, 20), 512
	if a.Figure == "5" {
		tokens, samples, a.Rho, a.Dim = 100_000, 8, []float64{0}, 128
	}
	a.Tokens, a.Simulate = &tokens, &samples
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "attention-phase" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "attention as a random energy model: whether a token attends to many tokens or to few",
		`Computes the statistics of a row of the attention matrix at initialisation, for
each scale of the query and key weights and each cosine of the tokens: participation ratios,
entropy, and the cosine of the tokens after the layer. The theory is the limit of many tokens or,
for T tokens, a quadrature over the partition function. With --simulate the participation ratio and
the cosine are also measured in random layers. If there are more tokens than dimensions, simulated
tokens cannot be orthogonal, as the theory assumes. Writes a table and a figure.

Example: antipode attention-phase --tokens 512 --rho 0,0.5 --weight-beta 0:4:0.1`
}

// Parameters implements run.Experiment.
func (a *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Reals(&a.Beta, networks.BetaRange)},
		{Name: "rho", Meaning: "cosines ρ of the tokens, whose squared norm per dimension is q = 1",
			Value: parameter.Reals(&a.Rho, parameter.Range{Low: 0, High: 1})},
		{Name: "tokens", Meaning: "number T of tokens in a sequence; inf for the limit of infinitely many",
			Value: networks.TokensValue(&a.Tokens)},
		{Name: "simulate",
			Meaning: "number of random layers simulated per ρ, with up to 32 measured rows each; none " +
				"for theory only",
			Value: parameter.OptionalWhole(&a.Simulate, "none",
				parameter.Range{Low: 1, High: networks.MostNetworks})},
		{Name: "dim", Meaning: "dimension d of the tokens of simulated layers",
			Value:        parameter.Whole(&a.Dim, parameter.Range{Low: 1, High: 10_000}),
			Inapplicable: parameter.Unless(a.Simulate != nil, "no layer is simulated; must be left out")},
		{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets",
			Value: parameter.Choice{Field: &a.Figure,
				Names: []string{"2", "5"}}, Inapplicable: run.WithoutPaper, Preset: true},
	}
}

// Validate implements run.Experiment.
func (a *Experiment) Validate() error {
	if err := parameter.Check(a.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckCells(networks.WeightBeta, len(a.Beta),
		setting.Axis{Count: len(a.Rho), Many: "cosines"}); err != nil {
		return err
	}
	if err := a.checkSimulation(); err != nil {
		return err
	}
	return networks.CheckScores(a.Beta, a.Tokens)
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes the rows of one cosine ρ after another. The theory of all cells
// (β, ρ) is computed first, and then the simulated layers, which are the only part that uses the seed.
func (a *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := a.Validate(); err != nil {
		return err
	}
	if err := a.checkCost(options); err != nil {
		return err
	}
	cells, samples := len(a.Rho)*len(a.Beta), a.samplesOf()
	rows := make([]Row, cells)
	at := func(cell int) (beta, rho float64) { return a.Beta[cell%len(a.Beta)], a.Rho[cell/len(a.Beta)] }
	measured := run.Gathered(int64(samples), func(k int, results [][]float64) error { // of the k-th ρ
		own := rows[k*len(a.Beta):][:len(a.Beta)]
		for i := range own {
			own[i].measure(results, i)
		}
		return data.WriteRows(table, own...)
	})
	return run.Pieces{
		Count: cells + len(a.Rho)*samples,
		Length: func(piece int) int {
			if piece < cells {
				return pointNumbers
			}
			return measures * len(a.Beta)
		},
		Worker: run.Shared(func(ctx context.Context, piece int) ([]float64, error) {
			if k := piece - cells; k >= 0 {
				return a.sample(ctx, a.Rho[k/samples], options.Seed, int64(k%samples))
			}
			beta, rho := at(piece)
			return a.point(beta, rho)
		}),
		Take: func(piece int, v []float64) error {
			if piece >= cells {
				return measured(piece-cells, v)
			}
			rows[piece] = rowOf(at(piece))
			rows[piece].setTheory(v)
			if samples > 0 {
				return nil
			}
			return data.WriteRows(table, rows[piece])
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// pointNumbers is how many theoretical numbers each cell (β, ρ) has.
const pointNumbers = 6

// point returns the theoretical numbers of a cell (β, ρ): the columns of the table from y2 on.
func (a *Experiment) point(beta, rho float64) ([]float64, error) {
	tokens := networks.TokensOrInfinite(a.Tokens)
	state := propagation.State{Q: 1, P: rho}
	row := propagation.LimitRow(propagation.CriticalBeta(1, rho) / beta)
	if a.Tokens != nil {
		var err error
		if row, err = propagation.FiniteRow(tokens,
			propagation.ScoreDeviation(beta, tokens, 1, rho)); err != nil {
			return nil, err
		}
	}
	layer := propagation.Attention{Beta: beta, SigmaV2: 1, Tokens: tokens}
	next, err := layer.Step(state)
	return []float64{
		row.Y2, row.Y3, row.Y2Squared, data.FiniteOrNaN(row.Entropy), min(1, next.Cosine()),
		propagation.QueryGradient(layer, state, row),
	}, err
}
