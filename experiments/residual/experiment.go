// Package residual is the experiment on the scaling of residual branches with the depth L: Table 1 of Fedorov
// et al.
//
//	e := residual.New()
//	e.Tokens, e.Depth, e.Samples = 4, []int{16, 32, 64}, 100
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package residual

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/overlap"
)

// Experiment simulates recursion (1) of Fedorov et al. without normalisation, X ← X + α V A(X) for tokens X
// with attention A(X), at several depths L. The value matrix V is the identity or a random matrix, and the
// factor α is 1/L or 1/√L. Experiment compares the tokens with the limits L → ∞ in Table 1. For the identity
// and α = 1/L the limit is an ordinary differential equation, and for random matrices and α = 1/√L a
// stochastic differential equation. For the identity and α = 1/√L there is no limit, and for random matrices
// and α = 1/L the tokens do not move in the limit.
type Experiment struct {
	Tokens  int64   `json:"tokens"`
	Dim     int64   `json:"dim"`
	Beta    float64 `json:"beta"`
	Depth   []int   `json:"depth"`   // layers per unit of time: the least depth times powers of 2
	Horizon float64 `json:"horizon"` // end of trajectories, in units of time
	Samples int64   `json:"samples"` // number of starts, each with its own value matrices
}

// New returns the experiment residual with its default parameters. Table 1 of the paper states no parameters.
func New() *Experiment {
	return &Experiment{Tokens: 4, Dim: 8, Beta: 1, Depth: []int{8, 16, 32, 64, 128, 256}, Horizon: 1,
		Samples: 1000}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "residual" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "limits of the recursion without normalisation, for different scalings of the residual " +
			"branches (Table 1)",
		`Runs the residual recursion X <- X + a V A(X) of tokens with softmax attention A
and without normalisation. The value matrix V is the identity or has normal entries, and a is 1/L or
1/sqrt(L). All depths L use common Brownian paths. The table compares the mean logarithm of the
tokens' norms and the mean cosine at the horizon with their limits. The limit of the identity with
1/L is an ordinary differential equation, and the limit of random matrices with 1/sqrt(L) is a
stochastic one, extrapolated from the two greatest depths if they are large enough. Random matrices
with 1/L do not move the tokens, and the identity with 1/sqrt(L) has no limit.

Example: antipode residual --tokens 2 --dim 16 --depth 8,16,32,64 --samples 4000`
}

// Parameters implements run.Experiment.
func (e *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "depth", Meaning: "three or more depths L, each a power of 2 times the smallest",
			Unit: "layers per unit of time", Value: parameter.Wholes(&e.Depth,
				parameter.Range{Low: 1, High: 1e5})},
		{Name: "tokens", Meaning: "number N of tokens",
			Value: parameter.Whole(&e.Tokens, parameter.Range{Low: 1, High: 1000})},
		{Name: "dim", Meaning: "dimension d of the tokens",
			Value: parameter.Whole(&e.Dim, parameter.Range{Low: 1, High: 1000})},
		{Name: "beta", Meaning: "inverse temperature β",
			Value: parameter.Real(&e.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		{Name: "horizon", Meaning: "horizon T", Unit: "units of time",
			Value: parameter.Real(&e.Horizon, parameter.Range{Low: 0, High: 10, Open: true})},
		{Name: "samples", Meaning: "number of independent starts on the sphere, each with its own matrices",
			Value: parameter.Whole(&e.Samples, parameter.Range{Low: 2, High: 1e7})},
	}
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error {
	if err := parameter.Check(e.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckDepths(e.Depth); err != nil {
		return err
	}
	layers := float64(slices.Min(e.Depth)) * e.Horizon
	if math.Abs(layers-math.Round(layers)) > 1e-9*max(1, layers) || math.Round(layers) < 1 {
		return parameter.Errorf("horizon", e.Horizon, "the least depth × horizon must be a whole number of "+
			"layers, at least 1; here it is %.6g", layers)
	}
	return nil
}

// depths returns the different depths in ascending order.
func (e *Experiment) depths() []int { return slices.Compact(slices.Sorted(slices.Values(e.Depth))) }

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes all rows at the end.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	depths := e.depths()
	kept := 8 * float64(e.Samples) * float64(e.numbers())
	needs := run.Needs{
		Rows:    float64(len(regimes) * len(depths) * kinds),
		Kept:    kept,
		Seconds: e.seconds() * float64(e.Samples),
	}
	memory := 8 * float64(e.Dim*e.Dim) * 40 * options.WorkersFor(e.Samples)
	if err := run.CheckCost(memory+kept, needs.Of(options.Part, e.Samples), options, e.Parameters(), "tokens",
		"samples"); err != nil {
		return err
	}
	return run.Pieces{
		Count:  int(e.Samples),
		Length: func(int) int { return e.numbers() },
		Worker: run.Shared(func(ctx context.Context, sample int) ([]float64, error) {
			return e.sample(ctx, options.Seed, int64(sample))
		}),
		Take: run.Gathered(e.Samples, func(_ int, samples [][]float64) error {
			return data.WriteRows(table, e.rows(samples)...)
		}),
	}.Run(ctx, options, table)
}

// seconds returns the approximate time of a sample. The times of a pair of tokens and of an entry of a random
// matrix are measured.
func (e *Experiment) seconds() float64 {
	tokens, dim := float64(e.Tokens), float64(e.Dim)
	attention := tokens * tokens * (10 + 1.5*dim) * 1e-9
	matrix := dim * dim * (18 + 1.5*tokens) * 1e-9
	layers := 0.0
	for _, depth := range e.depths() {
		layers += float64(depth) * e.Horizon
	}
	const random = 2 // regimes
	return 2*e.flowSteps()*attention + layers*(float64(len(regimes))*attention+random*matrix)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }
