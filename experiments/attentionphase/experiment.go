// Package attentionphase is the experiment on a single layer of attention at initialisation.
package attentionphase

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

// Experiment is the phase diagram of a single layer of self-attention at
// initialisation (Giorlandino and Goldt, Figs. 2 and 5): over the scale of query and key
// weights and the cosine of its tokens, how many of them a row attends to, and what
// becomes of the cosine.
type Experiment struct {
	Beta   []float64 `json:"beta"`
	Rho    []float64 `json:"rho"`
	Tokens *int64    `json:"tokens"` // T; nil for the limit
}

// New returns the default parameters: both phases, in the limit.
func New() *Experiment {
	return &Experiment{Beta: networks.EvenGrid(4, 80), Rho: networks.EvenGrid(1, 40)}
}

// Paper sets the plane of Fig. 2 with the 1024 tokens of its simulation.
func (a *Experiment) Paper() {
	tokens := int64(1024)
	a.Beta, a.Rho, a.Tokens = networks.EvenGrid(4, 80), networks.EvenGrid(1, 40), &tokens
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "attention-phase" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "a layer of attention as a random energy model: spread or condensed",
		`Computes what a row of the attention matrix is like at initialisation, over the scale
of query and key weights and the cosine of the tokens: participation ratios, entropy,
and the cosine of the tokens behind the layer, in the limit of many tokens or, by
quadrature over the partition function, for T of them. Writes a table and a figure.

Example: antipode attention-phase --tokens 512 --rho 0,0.5 --beta 0:4:0.1`
}

// Parameters implements run.Experiment.
func (a *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "beta", Meaning: "scales β of query and key weights, of variance β√log T/d",
			Value: parameter.Reals(&a.Beta, networks.BetaRange)},
		{Name: "rho", Meaning: "cosines ρ of the tokens, of norm q = 1",
			Value: parameter.Reals(&a.Rho, parameter.Range{Low: 0, High: 1})},
		{Name: "tokens", Meaning: "tokens T of a sequence; inf for the limit",
			Value: networks.TokensValue(&a.Tokens)},
	}
}

// Validate implements run.Experiment.
func (a *Experiment) Validate() error {
	if err := parameter.Check(a.Parameters()); err != nil {
		return err
	}
	if cells := len(a.Rho) * len(a.Beta); cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(a.Beta)),
			Problem: fmt.Sprintf("with %d cosines these are %d cells; must be at most %d", len(a.Rho), cells,
				parameter.LargestGrid)}
	}
	return networks.CheckScores(a.Beta, a.Tokens)
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment: the rows of one ρ after another, each cell computed by itself; it
// does not use the seed.
func (a *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := a.Validate(); err != nil {
		return err
	}
	at := func(cell int) (beta, rho float64) { return a.Beta[cell%len(a.Beta)], a.Rho[cell/len(a.Beta)] }
	return run.Pieces{
		Count:  len(a.Rho) * len(a.Beta),
		Length: func(int) int { return pointNumbers },
		Worker: func() func(context.Context, int) ([]float64, error) {
			return func(_ context.Context, cell int) ([]float64, error) {
				beta, rho := at(cell)
				return a.point(beta, rho)
			}
		},
		Take: func(cell int, v []float64) error {
			beta, rho := at(cell)
			return data.WriteRows(table, Row{
				Beta: beta, Rho: rho,
				BetaC: data.FiniteOrNaN(propagation.CriticalBeta(1, rho)), Phase: propagation.PhaseAt(beta, 1, rho),
				Y2: v[0], Y3: v[1], Y2Squared: v[2], Entropy: v[3], Cosine: v[4], QueryGradient: v[5],
			})
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// pointNumbers is how many numbers the theory has of one (β, ρ).
const pointNumbers = 6

// point is what the theory says at one (β, ρ): the columns from y2 on.
func (a *Experiment) point(beta, rho float64) ([]float64, error) {
	tokens := networks.TokensOrInfinite(a.Tokens)
	state := propagation.State{Q: 1, P: rho}
	row := propagation.LimitRow(propagation.CriticalBeta(1, rho) / beta)
	if a.Tokens != nil {
		var err error
		if row, err = propagation.FiniteRow(tokens, propagation.ScoreDeviation(beta, tokens, 1, rho)); err != nil {
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
