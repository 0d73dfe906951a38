// Package attentionmatrix is the experiment on complete attention matrices at initialisation, with their
// entries and eigenvalues.
//
//	e := attentionmatrix.New()
//	e.Tokens, e.Beta = 20, []float64{0.5, 2}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package attentionmatrix

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// Experiment computes the attention matrix of a layer at several scales β of query and key weights, with its
// entries and its eigenvalues (Giorlandino and Goldt, Figs. 1a, 1b and 7). Attention is spread over many
// tokens below the critical β_c, and concentrated on few tokens above it. The matrices of all β have the same
// tokens and, up to the scale, the same weights.
type Experiment struct {
	Beta   []float64 `json:"weight-beta"`
	Tokens int64     `json:"tokens"`
	Dim    int64     `json:"dim"`
	Rho    float64   `json:"rho"`
	Figure string    `json:"figure"` // figure of the paper whose parameters Paper sets
}

// New returns the experiment attention-matrix with its default parameters: the two β of Fig. 1, and a smaller
// matrix than in Fig. 1.
func New() *Experiment {
	return &Experiment{Beta: []float64{0.1, 1.8}, Tokens: 64, Dim: 128, Figure: "1"}
}

// Paper sets the parameters of Fig. 1 (a, b) or of Fig. 7 of the paper. The two β of Fig. 1 are read off the
// paper's diagram. For Fig. 7 the paper states only the size of the matrix.
func (e *Experiment) Paper() {
	e.Tokens, e.Dim = 64, 512
	if e.Beta = []float64{0.1, 1.8}; e.Figure == "7" {
		e.Tokens, e.Beta = 512, []float64{0.5, 1, 1.4, 2, 4}
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "attention-matrix" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "attention matrices at initialisation, their entries and eigenvalues, against β",
		`Draws one sequence of tokens and one layer of softmax attention. For each scale of
the query and key weights the table has all entries of the attention matrix and its eigenvalues. The
figure shows the entries as maps and the eigenvalues in the complex plane. Below the critical scale
a token attends to all tokens, and all eigenvalues but one are near 0. Above the critical scale a
token attends to few tokens.

Example: antipode attention-matrix --tokens 128 --weight-beta 0.5,1.4,3`
}

// Parameters implements run.Experiment.
func (e *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Reals(&e.Beta, networks.BetaRange)},
		{Name: "tokens", Meaning: "number T of tokens in the sequence",
			Value: parameter.Whole(&e.Tokens, parameter.Range{Low: 2, High: attention.DenseTokens})},
		{Name: "dim", Meaning: "dimension d of the tokens",
			Value: parameter.Whole(&e.Dim, parameter.Range{Low: 1, High: 10_000})},
		{Name: "rho", Meaning: "mean cosine ρ of the tokens, whose squared norm per dimension is q = 1",
			Value: parameter.Real(&e.Rho, parameter.Range{Low: 0, High: 1})},
		{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets",
			Value: parameter.Choice{Field: &e.Figure,
				Names: []string{"1", "7"}}, Inapplicable: run.WithoutPaper, Preset: true},
	}
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error {
	if err := parameter.Check(e.Parameters()); err != nil {
		return err
	}
	return networks.CheckScores(e.Beta, &e.Tokens)
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// numbers returns how many numbers each β has: the entries of the attention matrix, and the real and
// imaginary parts of its eigenvalues.
func (e *Experiment) numbers() int { return int(e.Tokens * (e.Tokens + 2)) }

// Run implements run.Experiment. Run writes the rows of one β after another.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	layer := matrices.ScoreLayer{Tokens: int(e.Tokens), Dim: int(e.Dim), Rows: int(e.Tokens), Rho: e.Rho}
	tasks := int64(len(e.Beta))
	workers := options.WorkersFor(tasks)
	sample, each := layer.Operations()
	needs := run.Needs{
		Rows: float64(tasks) * float64(e.Tokens*(e.Tokens+1)),
		Kept: 8 * float64(tasks) * float64(e.numbers()),
		Seconds: (sample + each + attention.EigenCost*attention.Cube(int(e.Tokens))) * float64(tasks) *
			attention.PerOperation / workers,
	}
	memory := (layer.Memory() + 100*float64(e.numbers())) * workers
	if err := run.CheckCost(memory, needs.Of(options.Part, tasks), options, e.Parameters(), "tokens",
		networks.WeightBeta); err != nil {
		return err
	}
	return run.Pieces{
		Count:  len(e.Beta),
		Length: func(int) int { return e.numbers() },
		Worker: run.Shared(func(_ context.Context, piece int) ([]float64, error) {
			return matrixNumbers(layer.Draw(options.Seed, 0), e.Beta[piece])
		}),
		Take: func(piece int, numbers []float64) error {
			return data.WriteRows(table, rowsOf(e.Beta[piece], int(e.Tokens), numbers)...)
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }
