package propagation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// Propagation follows the norm and the overlap of tokens through the layers of a
// Transformer at initialisation (Giorlandino and Goldt, Algorithms 1 to 3): a curve of the
// theory for each combination of block, β, α_SA and σ_w², and if asked for the mean of
// random networks of finite width.
type Propagation struct {
	Block      []string  `json:"block"`
	Beta       []float64 `json:"beta"`
	AlphaSA    []float64 `json:"alpha-sa"`
	SigmaW2    []float64 `json:"sigma-w2"`
	SigmaB2    float64   `json:"sigma-b2"`
	SigmaV2    float64   `json:"sigma-v2"`
	AlphaMLP   float64   `json:"alpha-mlp"`
	Activation string    `json:"activation"`
	Start      float64   `json:"start"` // overlap p of the input, whose norm q is 1
	Layers     int64     `json:"layers"`
	Tokens     *int64    `json:"tokens"`   // T; nil for the limit
	Simulate   *int64    `json:"simulate"` // networks of each curve; nil for the theory alone
	Dim        int64     `json:"dim"`      // d of these
	Figure     string    `json:"figure"`   // whose parameters Paper sets
}

// NewPropagation returns the default parameters: the BERT model of the paper's Section
// A.1, below β_c.
func NewPropagation() *Propagation {
	return &Propagation{
		Block: []string{propagation.PostNorm.String()}, Beta: []float64{0.5}, AlphaSA: []float64{1},
		SigmaW2: []float64{0.2}, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1,
		Activation: propagation.ReLU.String(), Layers: 60, Dim: 128, Figure: "4",
	}
}

// Name implements Experiment.
func (*Propagation) Name() string { return "propagation" }

// Help implements Experiment.
func (*Propagation) Help() (summary, description string) {
	return "norm and overlap of tokens through the layers of a Transformer", `Follows the squared norm q and the overlap p of tokens, both per dimension, through
Transformer blocks at initialisation, in theory, in the limit of many tokens or for T
of them: a curve for each combination of --block, --beta, --alpha-sa and --sigma-w2.
With --simulate K also through K random networks of dimension --dim, whose means with
standard errors are dots on the curves; their sequences have T tokens, or d/2 if T is
inf. Writes a table and a figure, and says where the curves end. With --json an object
for one curve, a list of them for more, each with a list 'layers' of layer, q, p,
cosine, from the input, layer 0, on. Finite T takes up to a second a layer.

Examples: antipode propagation --block pre-norm --start 0.1 --layers 10 --json
          antipode propagation --simulate 16 --tokens 64 --layers 20
          antipode propagation --paper --figure 1d`
}

// Paper sets the parameters of the paper's Fig. 1d, 4, 9 or 12. Those that the paper does
// not give are the BERT model's; the three β of Fig. 12 and σ_v² of Fig. 9 are ours.
func (p *Propagation) Paper() {
	figure := p.Figure
	*p = *NewPropagation()
	p.Figure = figure
	switch figure {
	case "1d":
		p.Beta, p.AlphaSA = []float64{0.02}, []float64{1, 1.5, 2}
	case "4":
		p.Block = slices.Clone(propagation.KindNames)
	case "9":
		p.Activation, p.SigmaW2, p.SigmaB2, p.SigmaV2 = propagation.Tanh.String(), []float64{1, 6.25}, 0.1, 1
		p.AlphaSA, p.Layers = []float64{6}, 200
	case "12":
		p.Beta, p.Layers = []float64{0.5, 1.5, 2}, 50
	}
}

// Parameters implements Experiment.
func (p *Propagation) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "block", Meaning: "kinds of block", Value: parameter.Choices{Field: &p.Block, Names: propagation.KindNames}},
		{Name: "beta", Meaning: "scales β of query and key weights, of variance β√log T/d", Value: parameter.Reals(&p.Beta, betaRange)},
		startParameter(&p.Start),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²", Value: parameter.Reals(&p.SigmaW2, varianceRange)},
		sigmaB2Parameter(&p.SigmaB2),
		sigmaV2Parameter(&p.SigmaV2),
		{Name: "alpha-sa", Meaning: "strengths α of attention's residual connection", Value: parameter.Reals(&p.AlphaSA, alphaRange)},
		alphaMLPParameter(&p.AlphaMLP),
		{Name: "layers", Meaning: "blocks that the tokens pass", Value: parameter.Whole(&p.Layers, parameter.Range{Low: 1, High: 100_000})},
		activationParameter(&p.Activation),
		{Name: "tokens", Meaning: "tokens T of a sequence; inf for the limit", Value: tokensValue(&p.Tokens)},
		{Name: "simulate", Meaning: "random networks of each curve; none for the theory alone", Value: parameter.OptionalWhole(&p.Simulate, "none", parameter.Range{Low: 1, High: mostNetworks})},
		p.dim(),
		{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets", Value: parameter.Choice{Field: &p.Figure, Names: []string{"1d", "4", "9", "12"}},
			Idle: run.WithoutPaper, Preset: true},
	}
}

func (p *Propagation) dim() parameter.Parameter {
	dim := dimParameter(&p.Dim)
	dim.Idle = parameter.IdleUnless(p.Simulate != nil, "no networks are simulated; must be left out without --simulate")
	return dim
}

// The parameters that describe a Transformer, and their ranges.
var (
	betaRange     = parameter.Range{Low: 0, High: 1000}
	varianceRange = parameter.Range{Low: 0, High: propagation.MaxVariance}
	alphaRange    = parameter.Range{Low: 0, High: propagation.MaxAlpha}
)

func startParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "start", Meaning: "overlap p of the input, of norm q = 1", Value: parameter.Real(field, parameter.Range{Low: 0, High: 1})}
}

func sigmaB2Parameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "sigma-b2", Meaning: "variance of the MLP's biases, σ_b²", Value: parameter.Real(field, varianceRange)}
}

func sigmaV2Parameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "sigma-v2", Meaning: "d times the variance of value weights, σ_v²", Value: parameter.Real(field, varianceRange)}
}

func alphaMLPParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "alpha-mlp", Meaning: "strength α of the MLP's residual connection", Value: parameter.Real(field, alphaRange)}
}

func activationParameter(field *string) parameter.Parameter {
	return parameter.Parameter{Name: "activation", Meaning: "activation of the MLP", Value: parameter.Choice{Field: field, Names: propagation.ActivationNames}}
}

// tokensValue is a number of tokens, or inf for the limit.
func tokensValue(field **int64) parameter.Value {
	return tokenCount{parameter.OptionalWhole(field, "inf", parameter.Range{Low: 2, High: propagation.MaxCrossTokens})}
}

type tokenCount struct{ parameter.Value }

func (tokenCount) Placeholder() string { return "TOKENS" }

// tokensOrInfinite is the number of tokens, infinite if there is none.
func tokensOrInfinite(tokens *int64) float64 {
	if tokens == nil {
		return math.Inf(1)
	}
	return float64(*tokens)
}

// checkScores refuses β for which the scores of T tokens are beyond the theory's range.
func checkScores(betas []float64, tokens *int64) error {
	if tokens == nil {
		return nil
	}
	for _, beta := range betas {
		if s := propagation.ScoreDeviation(beta, float64(*tokens), 1, 0); s > propagation.MaxCrossDeviation {
			return &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(beta),
				Problem: fmt.Sprintf("scores of %d tokens would have standard deviation %.4g; must be at most %d", *tokens, s, propagation.MaxCrossDeviation)}
		}
	}
	return nil
}

// Validate implements Experiment.
func (p *Propagation) Validate() error {
	if err := parameter.Check(p.Parameters()); err != nil {
		return err
	}
	if n := len(p.Block) * len(p.Beta) * len(p.AlphaSA) * len(p.SigmaW2); n > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(p.Beta)), Problem: fmt.Sprintf("these are %d curves; must be at most %d", n, parameter.LargestGrid)}
	}
	const mostSteps = 10_000_000
	if n := int64(len(p.blocks())) * p.Layers; n > mostSteps {
		return &parameter.Error{Parameter: "layers", Value: fmt.Sprint(p.Layers), Problem: fmt.Sprintf("of all curves these are %d layers; must be at most %d", n, mostSteps)}
	}
	if err := checkScores(p.Beta, p.Tokens); err != nil || p.Simulate == nil {
		return err
	}
	return checkNetworks(p.ensemble(p.blocks()[0]))
}

// ensemble are the networks of one curve.
func (p *Propagation) ensemble(b propagation.Block) network.Ensemble {
	return network.Ensemble{Network: simulated(b, p.Start, p.sequence(), p.Dim, p.Layers), Networks: int(*p.Simulate)}
}

// sequence is the number of tokens of simulated networks.
func (p *Propagation) sequence() int64 {
	if p.Tokens == nil {
		return max(2, p.Dim/2)
	}
	return *p.Tokens
}

// blocks are those of the curves, in the order of the table.
func (p *Propagation) blocks() (blocks []propagation.Block) {
	for _, kind := range p.Block {
		for _, beta := range p.Beta {
			for _, alpha := range p.AlphaSA {
				for _, sigmaW2 := range p.SigmaW2 {
					blocks = append(blocks, propagation.Block{
						Kind: propagation.Kind(slices.Index(propagation.KindNames, kind)), Beta: beta, AlphaSA: alpha, SigmaW2: sigmaW2,
						SigmaB2: p.SigmaB2, SigmaV2: p.SigmaV2, AlphaMLP: p.AlphaMLP,
						Activation: propagation.Activation(slices.Index(propagation.ActivationNames, p.Activation)),
						Tokens:     tokensOrInfinite(p.Tokens),
					})
				}
			}
		}
	}
	return blocks
}

// Columns implements Experiment.
func (*Propagation) Columns() []data.Column {
	real := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Float64, Meaning: meaning}
	}
	return []data.Column{
		{Name: "block", Kind: data.Label, Labels: propagation.KindNames, Meaning: "kind of block"},
		real("beta", "scale β of query and key weights"),
		real("alpha_sa", "strength of attention's residual connection"),
		real("sigma_w2", "d times the variance of the MLP's weights, σ_w²"),
		{Name: "layer", Kind: data.Int32, Meaning: "blocks that the tokens have passed"},
		real("q", "squared norm of a token over d"),
		real("p", "inner product of two tokens over d"),
		real("cosine", "cosine similarity of two tokens, p/q"),
		columns.Nullable("beta_c", "", "β above which the attention of the next block condenses, in the limit of many tokens; null where all tokens agree"),
		columns.Nullable("q_simulated", "", "mean of q over simulated networks; null without"),
		columns.Nullable("q_stderr", "", "its standard error; null without, and for a single network"),
		columns.Nullable("p_simulated", "", "mean of p over simulated networks"),
		columns.Nullable("p_stderr", "", "its standard error"),
		columns.Nullable("cosine_simulated", "", "mean cosine of different tokens over simulated networks"),
		columns.Nullable("cosine_stderr", "", "its standard error"),
	}
}

// Run implements Experiment: the rows of a curve as soon as they are known. The theory of each
// curve and each network are computed by themselves.
func (p *Propagation) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := p.Validate(); err != nil {
		return err
	}
	var all []part
	for _, b := range p.blocks() {
		curve := part{
			theory:  func(ctx context.Context) ([]float64, error) { return p.curve(ctx, b) },
			numbers: curveNumbers * int(p.Layers+1),
			write: func(theory []float64, runs [][]network.Layer) error {
				return p.writeCurve(b, theory, runs, table)
			},
		}
		if p.Simulate != nil {
			curve.ensemble = p.ensemble(b)
		}
		all = append(all, curve)
	}
	return runParts(ctx, all, options, "simulate", table)
}

// curveNumbers is how many numbers the theory has of a layer.
const curveNumbers = 4

// curve is the theory of one curve: q, p, cosine and critical β of the input and behind each
// layer.
func (p *Propagation) curve(ctx context.Context, b propagation.Block) (numbers []float64, err error) {
	m, err := propagation.NewMap(b)
	if err != nil {
		return nil, err
	}
	state := propagation.State{Q: 1, P: p.Start}
	for layer := int64(0); ; layer++ {
		numbers = append(numbers, state.Q, state.P, state.Cosine(), columns.FiniteOrNaN(m.CriticalBeta(state)))
		if err := ctx.Err(); err != nil || layer == p.Layers {
			return numbers, err
		}
		if state, err = m.Step(state); err != nil {
			return nil, &parameter.Error{Parameter: "alpha-sa", Value: parameter.FormatReal(b.AlphaSA),
				Problem: fmt.Sprintf("in layer %d of %v, β = %s: %s", layer+1, b.Kind, parameter.FormatReal(b.Beta), reason(err))}
		}
	}
}

// writeCurve writes the rows of one curve.
func (p *Propagation) writeCurve(b propagation.Block, theory []float64, runs [][]network.Layer, table data.Sink) error {
	for layer := range int(p.Layers + 1) {
		q, inner, cosine := unknown, unknown, unknown
		if runs != nil {
			q = estimateOf(runs, layer, func(l network.Layer) float64 { return l.Q })
			inner = estimateOf(runs, layer, func(l network.Layer) float64 { return l.P })
			cosine = estimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine })
		}
		at := theory[curveNumbers*layer:]
		err := table.Write(data.Slice[int8]{int8(b.Kind)}, data.Slice[float64]{b.Beta}, data.Slice[float64]{b.AlphaSA}, data.Slice[float64]{b.SigmaW2}, data.Slice[int32]{int32(layer)},
			data.Slice[float64](at[0:1]), data.Slice[float64](at[1:2]), data.Slice[float64](at[2:3]), data.Slice[float64](at[3:4]),
			data.Slice[float64]{q.mean}, data.Slice[float64]{q.stderr}, data.Slice[float64]{inner.mean}, data.Slice[float64]{inner.stderr}, data.Slice[float64]{cosine.mean}, data.Slice[float64]{cosine.stderr})
		if err != nil {
			return err
		}
	}
	return nil
}

// ShardColumns implements run.Divisible.
func (*Propagation) ShardColumns() []data.Column { return run.PieceColumns() }
