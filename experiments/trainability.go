package experiments

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
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
func (t *Trainability) Parameters() []Parameter {
	return []Parameter{
		{"block", "kind of block", "", t.kind()},
		{"depth", "blocks that the tokens pass", "", whole{&t.Depth, number{low: 1, high: 100_000}}},
		{"alpha-sa", "strengths α of attention's residual connection", "", realGrid{&t.AlphaSA, alphaRange}},
		{"beta", "scales β of query and key weights, of variance β√log T/d", "", realGrid{&t.Beta, betaRange}},
		startParameter(&t.Start),
		{"sigma-w2", "d times the variance of the MLP's weights, σ_w²", "", realNumber{&t.SigmaW2, varianceRange}},
		sigmaB2Parameter(&t.SigmaB2),
		sigmaV2Parameter(&t.SigmaV2),
		alphaMLPParameter(&t.AlphaMLP),
		activationParameter(&t.Activation),
		{"collapse", "cosine above which tokens count as alike", "", realNumber{&t.Collapse, number{low: 0, high: 1}}},
	}
}

func (t *Trainability) kind() choice { return choice{&t.Block, propagation.KindNames} }

// Validate implements Experiment.
func (t *Trainability) Validate() error {
	if err := check(t.Parameters()); err != nil {
		return err
	}
	const mostSteps = 1e9
	cells := len(t.AlphaSA) * len(t.Beta)
	if cells > largestGrid {
		return &ParameterError{"beta", fmt.Sprintf("(%d values)", len(t.Beta)),
			fmt.Sprintf("with %d strengths these are %d cells; must be at most %d", len(t.AlphaSA), cells, largestGrid)}
	}
	if n := float64(cells) * float64(t.Depth); n > mostSteps {
		return &ParameterError{"depth", fmt.Sprint(t.Depth), fmt.Sprintf("in %d cells these are %.3g layers; must be at most %g", cells, n, mostSteps)}
	}
	return nil
}

// block is that of a cell.
func (t *Trainability) block(alpha, beta float64) propagation.Block {
	return propagation.Block{
		Kind: propagation.Kind(t.kind().index()), Beta: beta, AlphaSA: alpha, AlphaMLP: t.AlphaMLP,
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
		nullable("beta_c", "", "β above which the attention of some layer condenses; null where all tokens agree"),
		nullable("alpha_c", "", "least strength with which the cosine is not above the threshold, at β = 0; null if none is enough"),
		{Name: "verdict", Kind: data.Label, Labels: propagation.VerdictNames, Meaning: "trainable, or how the signal fails"},
	}
}

// Run implements Experiment: the rows of one strength after another; it does not use the
// seed.
func (t *Trainability) Run(ctx context.Context, options Options, write func(columns ...any) error) error {
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows := inOrder(ctx, len(t.AlphaSA), options.Workers, func(k int) (trainabilityRow, error) { return t.row(t.AlphaSA[k]) })
	for k := range t.AlphaSA {
		row, err := rows(k)
		if err != nil {
			return err
		}
		n := len(t.Beta)
		if err := write(slices.Repeat([]float64{t.AlphaSA[k]}, n), t.Beta, row.cosine, row.betaC, slices.Repeat([]float64{alphaC}, n), row.verdict); err != nil {
			return err
		}
		if options.Progress != nil {
			options.Progress(int64(k+1), int64(len(t.AlphaSA)))
		}
	}
	return nil
}

// trainabilityRow are the columns of all β at one strength.
type trainabilityRow struct {
	cosine, betaC []float64
	verdict       []int8
}

func (t *Trainability) row(alpha float64) (row trainabilityRow, err error) {
	for _, beta := range t.Beta {
		m, err := propagation.NewMap(t.block(alpha, beta))
		if err != nil {
			return row, err
		}
		signal, err := m.Signal(t.start(), int(t.Depth))
		if err != nil {
			return row, &ParameterError{"alpha-sa", formatReal(alpha), fmt.Sprintf("at β = %s: %s", formatReal(beta), reason(err))}
		}
		row.cosine, row.betaC = append(row.cosine, signal.Cosine), append(row.betaC, finiteOrNaN(signal.CriticalBeta))
		row.verdict = append(row.verdict, int8(signal.Verdict(beta, t.Collapse)))
	}
	return row, nil
}

// Describe implements Experiment: what fails where, and the recommended initialisation.
func (*Trainability) Describe(w io.Writer, table *data.Table) error {
	t := NewTrainability()
	if err := readParameters(t, table); err != nil {
		return err
	}
	r := columns{table: table}
	verdict := column[int8](&r, "verdict")
	if r.err != nil {
		return r.err
	}
	if len(verdict) == 0 {
		return errNoRows
	}
	counts := make([]int, len(propagation.VerdictNames))
	for _, v := range verdict {
		counts[v]++
	}
	text := fmt.Sprintf("%s, %d layers: of %s", t.Block, t.Depth, cellsText(len(verdict)))
	for v, name := range propagation.VerdictNames {
		separator := []string{" ", ", ", " and "}[v]
		text += fmt.Sprintf("%s%d %s", separator, counts[v], name)
	}
	best, exists, err := propagation.Recommend(t.block(0, 0), t.start(), int(t.Depth), t.Collapse)
	switch {
	case err != nil:
		text += ".\nThere is no recommendation: " + reason(err)
	case !exists:
		text += fmt.Sprintf(".\nNo strength α_SA keeps the cosine at or below %s", formatReal(t.Collapse))
	default:
		text += fmt.Sprintf(".\nRecommended: α_SA ≥ %.6g, so that the cosine stays at or below %s, and β ≤ %.6g, half of the least critical β,\n"+
			"that is query and key weights of variance at most %.6g √log T / d", best.AlphaSA, formatReal(t.Collapse), best.Beta, best.Beta)
	}
	_, err = fmt.Fprintln(w, text+".")
	return err
}
