package propagation

import (
	"context"
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
)

// AttentionPhase is the phase diagram of a single layer of self-attention at
// initialisation (Giorlandino and Goldt, Figs. 2 and 5): over the scale of query and key
// weights and the cosine of its tokens, how many of them a row attends to, and what
// becomes of the cosine.
type AttentionPhase struct {
	Beta   []float64 `json:"beta"`
	Rho    []float64 `json:"rho"`
	Tokens *int64    `json:"tokens"` // T; nil for the limit
}

// NewAttentionPhase returns the default parameters: both phases, in the limit.
func NewAttentionPhase() *AttentionPhase {
	return &AttentionPhase{Beta: evenGrid(4, 80), Rho: evenGrid(1, 40)}
}

// Paper sets the plane of Fig. 2 with the 1024 tokens of its simulation.
func (a *AttentionPhase) Paper() {
	tokens := int64(1024)
	a.Beta, a.Rho, a.Tokens = evenGrid(4, 80), evenGrid(1, 40), &tokens
}

// Name implements Experiment.
func (*AttentionPhase) Name() string { return "attention-phase" }

// Help implements Experiment.
func (*AttentionPhase) Help() (summary, description string) {
	return "a layer of attention as a random energy model: spread or condensed", `Computes what a row of the attention matrix is like at initialisation, over the scale
of query and key weights and the cosine of the tokens: participation ratios, entropy,
and the cosine of the tokens behind the layer, in the limit of many tokens or, by
quadrature over the partition function, for T of them. Writes a table and a figure.

Example: antipode attention-phase --tokens 512 --rho 0,0.5 --beta 0:4:0.1`
}

// Parameters implements Experiment.
func (a *AttentionPhase) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "beta", Meaning: "scales β of query and key weights, of variance β√log T/d", Value: parameter.Reals(&a.Beta, betaRange)},
		{Name: "rho", Meaning: "cosines ρ of the tokens, of norm q = 1", Value: parameter.Reals(&a.Rho, parameter.Range{Low: 0, High: 1})},
		{Name: "tokens", Meaning: "tokens T of a sequence; inf for the limit", Value: tokensValue(&a.Tokens)},
	}
}

// Validate implements Experiment.
func (a *AttentionPhase) Validate() error {
	if err := parameter.Check(a.Parameters()); err != nil {
		return err
	}
	if cells := len(a.Rho) * len(a.Beta); cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(a.Beta)),
			Problem: fmt.Sprintf("with %d cosines these are %d cells; must be at most %d", len(a.Rho), cells, parameter.LargestGrid)}
	}
	return checkScores(a.Beta, a.Tokens)
}

// Columns implements Experiment.
func (*AttentionPhase) Columns() []data.Column {
	real := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Float64, Meaning: meaning}
	}
	return []data.Column{
		real("beta", "scale β of query and key weights"),
		real("rho", "cosine ρ of the tokens before the layer"),
		columns.Nullable("beta_c", "", "critical β of the limit of many tokens, √(2/(1-ρ)); null for ρ = 1"),
		{Name: "phase", Kind: data.Label, Labels: propagation.PhaseNames, Meaning: "phase in the limit of many tokens"},
		real("y2", "participation ratio Y2 = E Σ A², the inverse of the number of tokens attended to"),
		real("y3", "E Σ A³"),
		real("y2_squared", "E (Σ A²)²"),
		columns.Nullable("entropy", "nats", "mean entropy of a row; null where it is infinite"),
		columns.Nullable("cosine", "", "cosine of two tokens behind the layer; null for ρ = 0 below β_c in the limit, where the tokens become 0"),
		real("query_gradient", "E‖∂S/∂W_Q‖²/(d²T√log T) for σ_v² = 1 (Result 2, corrected)"),
	}
}

// Run implements Experiment: the rows of one ρ after another, each cell computed by itself; it
// does not use the seed.
func (a *AttentionPhase) Run(ctx context.Context, options run.Options, table data.Sink) error {
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
			return table.Write(data.Slice[float64]{beta}, data.Slice[float64]{rho}, data.Slice[float64]{columns.FiniteOrNaN(propagation.CriticalBeta(1, rho))}, data.Slice[int8]{int8(propagation.PhaseAt(beta, 1, rho))},
				data.Slice[float64](v[0:1]), data.Slice[float64](v[1:2]), data.Slice[float64](v[2:3]), data.Slice[float64](v[3:4]), data.Slice[float64](v[4:5]), data.Slice[float64](v[5:6]))
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*AttentionPhase) ShardColumns() []data.Column { return run.PieceColumns() }

// pointNumbers is how many numbers the theory has of one (β, ρ).
const pointNumbers = 6

// point is what the theory says at one (β, ρ): the columns from y2 on.
func (a *AttentionPhase) point(beta, rho float64) ([]float64, error) {
	tokens := tokensOrInfinite(a.Tokens)
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
	return []float64{row.Y2, row.Y3, row.Y2Squared, columns.FiniteOrNaN(row.Entropy), min(1, next.Cosine()), propagation.QueryGradient(layer, state, row)}, err
}

// attentionPoint is a row of the table.
type attentionPoint struct {
	beta, rho, cosine float64
	row               propagation.Row
}

// Describe implements Experiment: how the row changes along β, for up to six ρ.
func (*AttentionPhase) Describe(w io.Writer, table *data.Table) error {
	a, points, err := readAttentionPhase(table)
	if err != nil {
		return err
	}
	setting := "many tokens"
	if a.Tokens != nil {
		setting = fmt.Sprintf("%d tokens", *a.Tokens)
	}
	for _, rho := range figure.Spread(a.Rho, 6) {
		line := fmt.Sprintf("ρ = %s: β_c = %.6g", parameter.FormatReal(rho), propagation.CriticalBeta(1, rho))
		var last attentionPoint
		for _, v := range points {
			if v.rho == rho && v.beta >= last.beta {
				last = v
			}
		}
		attended := "all"
		if last.row.Y2 > 0 {
			attended = fmt.Sprintf("%.4g", 1/last.row.Y2)
		}
		line += fmt.Sprintf("; at β = %s a row attends to %s of %s, and the cosine behind it is %s", parameter.FormatReal(last.beta), attended, setting, wording.OrNone(last.cosine))
		if _, err := fmt.Fprintln(w, line+"."); err != nil {
			return err
		}
	}
	return nil
}

func readAttentionPhase(table *data.Table) (*AttentionPhase, []attentionPoint, error) {
	a := NewAttentionPhase()
	if err := run.ReadParameters(a, table); err != nil {
		return nil, nil, err
	}
	r := columns.Reader{Table: table}
	get := func(name string) []float64 { return columns.Of[float64](&r, name) }
	beta, rho, y2, y3, squared, entropy, cosine := get("beta"), get("rho"), get("y2"), get("y3"), get("y2_squared"), get("entropy"), get("cosine")
	if r.Err == nil && len(beta) == 0 {
		r.Err = columns.ErrNoRows
	}
	if r.Err != nil {
		return nil, nil, r.Err
	}
	points := make([]attentionPoint, len(beta))
	for k := range points {
		points[k] = attentionPoint{beta: beta[k], rho: rho[k], cosine: cosine[k],
			row: propagation.Row{Y2: y2[k], Y3: y3[k], Y2Squared: squared[k], Entropy: entropy[k]}}
		if math.IsNaN(entropy[k]) {
			points[k].row.Entropy = math.Inf(1)
		}
	}
	return a, points, nil
}
