package propagation

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
)

// Trainability is the diagram of initialisations of a deep Transformer (Giorlandino and
// Goldt, Fig. 1c): over the strength of attention's residual connection and the scale of
// query and key weights, whether tokens become alike, or attention is condensed, in the
// limit of many tokens.
type Trainability struct {
	Block      string    `json:"block"`
	Depth      int64     `json:"depth"` // blocks
	AlphaSA    []float64 `json:"alpha-sa"`
	Beta       []float64 `json:"beta"`
	Start      float64   `json:"start"` // overlap p of the input, whose norm q is 1
	SigmaW2    float64   `json:"sigma-w2"`
	SigmaB2    float64   `json:"sigma-b2"`
	SigmaV2    float64   `json:"sigma-v2"`
	AlphaMLP   float64   `json:"alpha-mlp"`
	Activation string    `json:"activation"`
	Collapse   float64   `json:"collapse"` // cosine above which tokens count as alike
}

// NewTrainability returns the default parameters: the paper's 60-layer BERT model, coarse.
func NewTrainability() *Trainability {
	return &Trainability{
		Block: propagation.PostNorm.String(), Depth: 60, AlphaSA: evenGrid(3, 60), Beta: evenGrid(2, 40),
		SigmaW2: 0.2, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1, Activation: propagation.ReLU.String(), Collapse: 0.99,
	}
}

// evenGrid is 0, top/n, ..., top.
func evenGrid(top float64, n int) []float64 {
	values := make([]float64, n+1)
	for k := range values {
		values[k] = float64(top*float64(k)) / float64(n)
	}
	return values
}

// Paper sets the model of Fig. 1c and a fine grid; what the figure calls collapse it
// does not say.
func (t *Trainability) Paper() {
	*t = *NewTrainability()
	t.AlphaSA, t.Beta = evenGrid(3, 200), evenGrid(2, 200)
}

// Name implements Experiment.
func (*Trainability) Name() string { return "trainability" }

// Help implements Experiment.
func (*Trainability) Help() (summary, description string) {
	return "which initialisations of a deep Transformer let the signal pass", `Sends the norm and the overlap of tokens through a stack of Transformer blocks, in the
limit of many tokens, for each strength of attention's residual connection and each
scale of query and key weights. Tokens that become alike are rank collapse; a scale
above the critical one of some layer is entropy collapse. Writes a table and the
diagram with both lines of failure, and recommends an initialisation.

Example: antipode trainability --depth 24 --block pre-norm --collapse 0.9`
}

// Parameters implements Experiment.
func (t *Trainability) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "block", Meaning: "kind of block", Value: t.kind()},
		{Name: "depth", Meaning: "blocks that the tokens pass", Value: parameter.Whole(&t.Depth, parameter.Range{Low: 1, High: 100_000})},
		{Name: "alpha-sa", Meaning: "strengths α of attention's residual connection", Value: parameter.Reals(&t.AlphaSA, alphaRange)},
		{Name: "beta", Meaning: "scales β of query and key weights, of variance β√log T/d", Value: parameter.Reals(&t.Beta, betaRange)},
		startParameter(&t.Start),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²", Value: parameter.Real(&t.SigmaW2, varianceRange)},
		sigmaB2Parameter(&t.SigmaB2),
		sigmaV2Parameter(&t.SigmaV2),
		alphaMLPParameter(&t.AlphaMLP),
		activationParameter(&t.Activation),
		{Name: "collapse", Meaning: "cosine above which tokens count as alike", Value: parameter.Real(&t.Collapse, parameter.Range{Low: 0, High: 1})},
	}
}

func (t *Trainability) kind() parameter.Choice {
	return parameter.Choice{Field: &t.Block, Names: propagation.KindNames}
}

// Validate implements Experiment.
func (t *Trainability) Validate() error {
	if err := parameter.Check(t.Parameters()); err != nil {
		return err
	}
	const mostSteps = 1e9
	cells := len(t.AlphaSA) * len(t.Beta)
	if cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(t.Beta)),
			Problem: fmt.Sprintf("with %d strengths these are %d cells; must be at most %d", len(t.AlphaSA), cells, parameter.LargestGrid)}
	}
	if n := float64(cells) * float64(t.Depth); n > mostSteps {
		return &parameter.Error{Parameter: "depth", Value: fmt.Sprint(t.Depth), Problem: fmt.Sprintf("in %d cells these are %.3g layers; must be at most %g", cells, n, mostSteps)}
	}
	return nil
}

// block is that of a cell.
func (t *Trainability) block(alpha, beta float64) propagation.Block {
	return propagation.Block{
		Kind: propagation.Kind(t.kind().Index()), Beta: beta, AlphaSA: alpha, AlphaMLP: t.AlphaMLP,
		SigmaW2: t.SigmaW2, SigmaB2: t.SigmaB2, SigmaV2: t.SigmaV2,
		Activation: propagation.Activation(slices.Index(propagation.ActivationNames, t.Activation)), Tokens: math.Inf(1),
	}
}

func (t *Trainability) start() propagation.State { return propagation.State{Q: 1, P: t.Start} }

// Columns implements Experiment.
func (*Trainability) Columns() []data.Column {
	return []data.Column{
		{Name: "alpha_sa", Kind: data.Float64, Meaning: "strength of attention's residual connection"},
		{Name: "beta", Kind: data.Float64, Meaning: "scale β of query and key weights"},
		{Name: "cosine", Kind: data.Float64, Meaning: "cosine similarity of two tokens behind the last block"},
		columns.Nullable("beta_c", "", "β above which the attention of some layer condenses; null where all tokens agree"),
		columns.Nullable("alpha_c", "", "least strength with which the cosine is not above the threshold, at β = 0; null if none is enough"),
		{Name: "verdict", Kind: data.Label, Labels: propagation.VerdictNames, Meaning: "trainable, or how the signal fails"},
	}
}

// Run implements Experiment: the rows of one strength after another, each strength computed by
// itself; it does not use the seed.
func (t *Trainability) Run(ctx context.Context, options run.Options, table data.Sink) error {
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
		Worker: func() func(context.Context, int) ([]float64, error) {
			return func(ctx context.Context, k int) ([]float64, error) { return t.row(ctx, t.AlphaSA[k]) }
		},
		Take: func(k int, numbers []float64) error {
			verdict := make([]int8, n)
			for i, v := range numbers[2*n:] {
				verdict[i] = int8(v)
			}
			return table.Write(data.Slice[float64](slices.Repeat([]float64{t.AlphaSA[k]}, n)), data.Slice[float64](t.Beta), data.Slice[float64](numbers[:n]), data.Slice[float64](numbers[n:2*n]), data.Slice[float64](slices.Repeat([]float64{alphaC}, n)), data.Slice[int8](verdict))
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Trainability) ShardColumns() []data.Column { return run.PieceColumns() }

// row has the cosine, then the critical β, then the verdict of all β at one strength.
func (t *Trainability) row(ctx context.Context, alpha float64) ([]float64, error) {
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
			return nil, &parameter.Error{Parameter: "alpha-sa", Value: parameter.FormatReal(alpha), Problem: fmt.Sprintf("at β = %s: %s", parameter.FormatReal(beta), reason(err))}
		}
		row[k], row[n+k], row[2*n+k] = signal.Cosine, columns.FiniteOrNaN(signal.CriticalBeta), float64(signal.Verdict(beta, t.Collapse))
	}
	return row, nil
}

// Describe implements Experiment: what fails where, and the recommended initialisation.
func (*Trainability) Describe(w io.Writer, table *data.Table) error {
	t := NewTrainability()
	if err := run.ReadParameters(t, table); err != nil {
		return err
	}
	r := columns.Reader{Table: table}
	verdict := columns.Of[int8](&r, "verdict")
	if r.Err != nil {
		return r.Err
	}
	if len(verdict) == 0 {
		return columns.ErrNoRows
	}
	counts := make([]int, len(propagation.VerdictNames))
	for _, v := range verdict {
		counts[v]++
	}
	text := fmt.Sprintf("%s, %d layers: of %s", t.Block, t.Depth, wording.Cells(len(verdict)))
	for v, name := range propagation.VerdictNames {
		separator := []string{" ", ", ", " and "}[v]
		text += fmt.Sprintf("%s%d %s", separator, counts[v], name)
	}
	best, exists, err := propagation.Recommend(t.block(0, 0), t.start(), int(t.Depth), t.Collapse)
	switch {
	case err != nil:
		text += ".\nThere is no recommendation: " + reason(err)
	case !exists:
		text += fmt.Sprintf(".\nNo strength α_SA keeps the cosine at or below %s", parameter.FormatReal(t.Collapse))
	default:
		text += fmt.Sprintf(".\nRecommended: α_SA ≥ %.6g, so that the cosine stays at or below %s, and β ≤ %.6g, half of the least critical β,\n"+
			"that is query and key weights of variance at most %.6g √log T / d", best.AlphaSA, parameter.FormatReal(t.Collapse), best.Beta, best.Beta)
	}
	_, err = fmt.Fprintln(w, text+".")
	return err
}
