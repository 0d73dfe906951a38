// Package propagation is the experiment on signal propagation: how norms and overlaps of tokens change from
// one block of a Transformer at initialisation to the next.
//
//	e := propagation.New()
//	e.Block, e.Beta, e.Layers = []string{"pre-norm", "post-norm"}, []float64{0.5, 2}, 12
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package propagation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/internal/text"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// Experiment follows the norm and the overlap of tokens through the layers of a Transformer at initialisation
// (Giorlandino and Goldt, Algorithms 1 to 3). Each combination of the kind of block, the scale β of query and
// key weights, the strength α_SA of attention's residual connection and the variance σ_w² of MLP weights has
// a theoretical curve and, on request, the mean over random networks of finite width.
type Experiment struct {
	Block      []string  `json:"block"`
	Beta       []float64 `json:"weight-beta"`
	AlphaSA    []float64 `json:"alpha-sa"`
	SigmaW2    []float64 `json:"sigma-w2"`
	SigmaB2    float64   `json:"sigma-b2"`
	SigmaV2    float64   `json:"sigma-v2"`
	AlphaMLP   float64   `json:"alpha-mlp"`
	Activation string    `json:"activation"`
	Start      float64   `json:"start"` // overlap p of input tokens of squared norm q = 1
	Layers     int64     `json:"layers"`
	Tokens     *int64    `json:"tokens"`   // number T; nil for the limit of many
	Simulate   *int64    `json:"simulate"` // networks per curve; nil for theory only
	Dim        int64     `json:"dim"`      // dimension d of the simulated networks
	Heads      int64     `json:"heads"`
	Causal     bool      `json:"causal"` // a token attends to itself and earlier ones
	// Sequences is the number of sequences of words that each network reads; nil for input tokens of overlap
	// p.
	Sequences *int64         `json:"sequences"`
	Text      string         `json:"text"` // text file with the words of the sequences
	Save      networks.Saved `json:"save"`
	Figure    string         `json:"figure"` // figure of the paper whose parameters Paper sets
}

// New returns the experiment propagation with its default parameters: the BERT model of the paper's Section
// A.1, below the critical β_c.
func New() *Experiment {
	return &Experiment{
		Block: []string{propagation.PostNorm.String()}, Beta: []float64{0.5}, AlphaSA: []float64{1},
		SigmaW2: []float64{0.2}, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1,
		Activation: propagation.ReLU.String(), Layers: 60, Dim: 128, Heads: 1, Text: namedfile.None,
		Save: networks.SavedValues, Figure: "4",
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "propagation" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "norm and overlap of tokens after each layer of a Transformer",
		`Computes the squared norm q and the overlap p of tokens, both per dimension, after each
Transformer block at initialisation. The theory is that of infinitely many tokens, or of T tokens.
There is a curve for each combination of --block, --weight-beta, --alpha-sa and --sigma-w2.
--simulate K adds K random networks of dimension --dim; dots on the curves show their means with
standard errors. Their sequences have T tokens, or d/2 tokens if T is inf. --sequences S gives each
network S sequences of words with learned positions. The words are excerpts of --text FILE or are
drawn by Zipf's law, and the theory starts at half the fraction of pairs that are the same word.
--causal restricts attention to earlier tokens, and has a theory of its own. Writes a table and a
figure, and prints where the curves end. --json prints an object for one curve, and a list of
objects for several. Each object has a list 'layers' of layer, q, p and cosine, beginning with the
input, which is layer 0. A layer takes up to a second if T is finite.

Examples: antipode propagation --block pre-norm --start 0.1 --layers 10 --json
          antipode propagation --simulate 16 --tokens 64 --layers 20
          antipode propagation --paper --figure 1d`
}

// Paper sets the parameters of the paper's Fig. 1d, 4, 9 or 12, of the figure that its A.1 (e) describes, or
// of Fig. C.3 of its version 1. The right panel of Fig. C.3 is v1-c3b. Parameters that the paper does not
// state are those of the BERT model. Other parameters that the paper does not state are choices of this
// program: the input tokens; the three β of Fig. 12; tokens, dimension and σ_v² of Fig. 9; and for C.3 the
// cosine 0.01, which replaces a cosine of 0, and β and the number of layers of the right panel.
func (p *Experiment) Paper() {
	figure := p.Figure
	*p = *New()
	p.Figure = figure
	switch figure {
	case "1d":
		p.Beta, p.AlphaSA = []float64{0.02}, []float64{1, 1.5, 2}
		p.read(10, 10, 200, 600, 6)
	case "a1e":
		p.Beta, p.AlphaSA, p.Layers = []float64{1.8}, []float64{1, 1.5, 2}, 12
		p.read(10, 10, 200, 600, 6)
	case "4":
		p.Block = slices.Clone(propagation.KindNames)
	case "9":
		p.Activation, p.SigmaW2, p.SigmaB2, p.SigmaV2 = propagation.Tanh.String(), []float64{1, 6.25}, 0.1, 1
		p.AlphaSA, p.Layers = []float64{6}, 200
		p.read(25, 10, 64, 128, 1)
	case "v1-c3":
		p.withoutResiduals()
		p.Beta, p.SigmaW2 = networks.EvenGrid(4, 40), networks.EvenGrid(8, 40)[1:]
	case "v1-c3b":
		p.withoutResiduals()
		p.Beta, p.SigmaW2, p.Layers = []float64{0.5, 1, 1.5, 2, 3, 4}, []float64{1}, 8
	case "12":
		p.Beta, p.Layers, p.Causal = []float64{0.5, 1.5, 2}, 50, true
		p.read(10, 10, 200, 720, 1)
	}
}

// withoutResiduals sets the parameters that both panels of Fig. C.3 of version 1 of the paper share: a block
// without residual connections, and input tokens with a nearly vanishing cosine. If the cosine were 0, the
// mean of infinitely many tokens would be 0.
func (p *Experiment) withoutResiduals() {
	p.AlphaSA, p.AlphaMLP, p.Layers, p.Start = []float64{0}, 0, 1, 0.01
	p.Activation, p.SigmaB2, p.SigmaV2 = propagation.ReLU.String(), 0.01, 1
}

// read sets the number of simulated networks, the number of sequences that each network reads, and the sizes
// of sequences and networks.
func (p *Experiment) read(networks, sequences, tokens, dim, heads int64) {
	p.Simulate, p.Sequences, p.Tokens, p.Dim, p.Heads = &networks, &sequences, &tokens, dim, heads
}

// Parameters implements run.Experiment.
func (p *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "block", Meaning: "kinds of block",
			Value: parameter.Choices{Field: &p.Block, Names: propagation.KindNames}},
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Reals(&p.Beta, networks.BetaRange)},
		networks.StartParameter(&p.Start).Where(!p.words(),
			"the overlap is that of words; must be left out beside --sequences"),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²",
			Value: parameter.Reals(&p.SigmaW2, networks.VarianceRange)},
		networks.SigmaB2Parameter(&p.SigmaB2),
		networks.SigmaV2Parameter(&p.SigmaV2),
		{Name: "alpha-sa", Meaning: "strengths α of attention's residual connection",
			Value: parameter.Reals(&p.AlphaSA, networks.AlphaRange)},
		networks.AlphaMLPParameter(&p.AlphaMLP),
		{Name: "layers", Meaning: "number of layers (blocks) of the network",
			Value: parameter.Whole(&p.Layers, parameter.Range{Low: 1, High: 100_000})},
		networks.ActivationParameter(&p.Activation),
		{Name: "tokens", Meaning: "number T of tokens in a sequence; inf for the limit of infinitely many",
			Value: networks.TokensValue(&p.Tokens)},
		{Name: "simulate", Meaning: "number of random networks simulated per curve; none for theory only",
			Value: parameter.OptionalWhole(&p.Simulate, "none",
				parameter.Range{Low: 1, High: networks.MostNetworks})},
		p.ofNetworks(networks.DimParameter(&p.Dim)),
		p.ofNetworks(parameter.Parameter{Name: "heads", Meaning: "attention heads of simulated networks",
			Value: parameter.Whole(&p.Heads, parameter.Range{Low: 1, High: 1000})}),
		{Name: "causal", Meaning: "causal attention: each token attends to itself and earlier ones, in " +
			"networks and in a theory of its own; cosines are then also given for the first and the last " +
			"50 tokens",
			Value: parameter.Switch{On: &p.Causal},
			Inapplicable: parameter.Unless(p.Simulate != nil || p.Tokens != nil,
				"there is no number of tokens; must be left out without --tokens or --simulate")},
		p.ofNetworks(parameter.Parameter{Name: "sequences", Meaning: "number of sequences of words " +
			"that each network reads; cosines are means over them; with none, the input is not words but " +
			"tokens of overlap --start",
			Value: parameter.OptionalWhole(&p.Sequences, "none", parameter.Range{Low: 1, High: 10_000})}),
		text.Parameter(&p.Text, parameter.Unless(p.Simulate != nil && p.Sequences != nil,
			"no words are read; must be left out without --sequences")),
		p.ofNetworks(p.Save.Parameter()),
		{Name: "figure",
			Meaning: "figure of the paper whose parameters --paper sets; a1e is Figure A.1 (e)",
			Value: parameter.Choice{Field: &p.Figure,
				Names: []string{"1d", "4", "9", "12", "a1e", "v1-c3", "v1-c3b"}},
			Inapplicable: run.WithoutPaper, Preset: true},
	}
}

// ofNetworks returns a parameter unchanged if networks are simulated, and otherwise as inapplicable.
func (p *Experiment) ofNetworks(q parameter.Parameter) parameter.Parameter {
	return q.Where(p.Simulate != nil, "no networks are simulated; must be left out without --simulate")
}

// Validate implements run.Experiment.
func (p *Experiment) Validate() error {
	if err := parameter.Check(p.Parameters()); err != nil {
		return err
	}
	if n := len(p.Block) * len(p.Beta) * len(p.AlphaSA) * len(p.SigmaW2); n > parameter.LargestGrid {
		return parameter.Errorf(networks.WeightBeta, fmt.Sprintf("(%d values)", len(p.Beta)), "these are "+
			"%d curves; must be at most %d", n, parameter.LargestGrid)
	}
	const mostSteps = 10_000_000
	if n := int64(len(p.blocks())) * p.Layers; n > mostSteps {
		return parameter.Errorf("layers", p.Layers, "of all curves these are %d layers; must be at most %d",
			n, mostSteps)
	}
	if err := networks.CheckScores(p.Beta, p.Tokens); err != nil || p.Simulate == nil {
		return err
	}
	read, err := p.input()
	if err != nil {
		return err
	}
	return networks.Check(p.ensemble(p.blocks()[0], read))
}

// ensemble returns the simulated networks of one curve, which have the block b and the given input.
func (p *Experiment) ensemble(b propagation.Block, read input) network.Ensemble {
	n := networks.Of(b, read.overlap, p.sequence(), p.Dim, p.Layers)
	n.Heads = int(p.Heads)
	if n.Causal = p.Causal; n.Causal {
		n.Ends = int(p.ends())
	}
	e := network.Ensemble{Network: n, Networks: int(*p.Simulate)}
	if p.words() {
		e.Network = networks.OfWords(n)
		e.Sequences, e.Words, e.Zipf = int(*p.Sequences), read.words, read.words == nil
	}
	return e
}

// ends returns the number of first tokens of a sequence, and of last tokens, whose cosines are measured
// separately. The number is 50 as in Fig. 12 of the paper, or a quarter of the tokens if there are fewer than
// 200.
func (p *Experiment) ends() int64 { return max(2, min(50, p.sequence()/4)) }

func (p *Experiment) mean(runs [][]network.Layer, layer int,
	of func(l network.Layer) float64) statistics.Estimate {
	if runs == nil {
		return statistics.Unknown
	}
	return networks.EstimateOf(runs, layer, of)
}

// sequence returns the number of tokens of a sequence in simulated networks.
func (p *Experiment) sequence() int64 {
	if p.Tokens == nil {
		return max(2, p.Dim/2)
	}
	return *p.Tokens
}

// blocks returns the Transformer blocks of the curves, in the order of the table.
func (p *Experiment) blocks() (blocks []propagation.Block) {
	for _, kind := range p.Block {
		for _, beta := range p.Beta {
			for _, alpha := range p.AlphaSA {
				for _, sigmaW2 := range p.SigmaW2 {
					blocks = append(blocks, p.block(Setting{Block: networks.KindOf(kind), Beta: beta,
						AlphaSA: alpha, SigmaW2: sigmaW2}))
				}
			}
		}
	}
	return blocks
}

// block returns the Transformer block of the curve with the given setting.
func (p *Experiment) block(s Setting) propagation.Block {
	return propagation.Block{
		Kind: s.Block, Beta: s.Beta, AlphaSA: s.AlphaSA, SigmaW2: s.SigmaW2,
		SigmaB2: p.SigmaB2, SigmaV2: p.SigmaV2, AlphaMLP: p.AlphaMLP,
		Activation: networks.ActivationOf(p.Activation), Tokens: networks.TokensOrInfinite(p.Tokens),
	}
}

// matrices reports whether the table has matrices of simulated networks.
func (p *Experiment) matrices() bool { return p.Simulate != nil && p.Save.Matrices() }

// Columns implements run.Experiment.
func (p *Experiment) Columns() []data.Column {
	if p.matrices() {
		return data.ColumnsOf[MatrixRow]()
	}
	return data.ColumnsOf[Row]()
}

// Run implements run.Experiment. Run writes the rows of a curve as soon as they are known. The theory of each
// curve is a piece of work, and so is each simulated network.
func (p *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := p.Validate(); err != nil {
		return err
	}
	read, err := p.input()
	if err != nil {
		return err
	}
	if p.matrices() {
		return p.saveMatrices(ctx, read, options, table)
	}
	var all []networks.Part
	for _, b := range p.blocks() {
		curve := networks.Part{
			Theory:  func(ctx context.Context) ([]float64, error) { return p.curve(ctx, b, read.overlap) },
			Numbers: curveNumbers * int(p.Layers+1), Rows: int(p.Layers + 1),
			Write: func(theory []float64, runs [][]network.Layer) error {
				return p.writeCurve(b, theory, runs, table)
			},
		}
		if p.Simulate != nil {
			curve.Ensemble = p.ensemble(b, read)
		}
		all = append(all, curve)
	}
	return networks.Run(ctx, all, options, "simulate", table)
}

// curveNumbers is how many theoretical numbers a curve has for each layer.
const curveNumbers = 7

// curve computes the theory of one curve, before the first layer and after each layer: the squared norm q,
// the overlap p, the cosine and the critical β, and three mean cosines under causal attention. The input
// tokens have the given overlap.
func (p *Experiment) curve(
	ctx context.Context, b propagation.Block, overlap float64,
) (numbers []float64, err error) {
	m, err := propagation.NewMap(b)
	if err != nil {
		return nil, err
	}
	state, nan := propagation.State{Q: 1, P: overlap}, math.NaN()
	for layer := int64(0); ; layer++ {
		numbers = append(numbers, state.Q, state.P, state.Cosine(), data.FiniteOrNaN(m.CriticalBeta(state)),
			nan, nan, nan)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if layer == p.Layers {
			return numbers, p.addCausal(numbers, b, overlap)
		}
		if state, err = m.Step(state); err != nil {
			return nil, parameter.Errorf("alpha-sa", b.AlphaSA, "in layer %d of %v, β = %s: %s", layer+1,
				b.Kind, parameter.FormatReal(b.Beta), networks.Reason(err))
		}
	}
}

// writeCurve writes the rows of one curve from its theory and its simulated networks.
func (p *Experiment) writeCurve(
	b propagation.Block, theory []float64, runs [][]network.Layer, table data.Sink,
) error {
	rows := make([]Row, p.Layers+1)
	for layer := range rows {
		q := p.mean(runs, layer, func(l network.Layer) float64 { return l.Q })
		inner := p.mean(runs, layer, func(l network.Layer) float64 { return l.P })
		cosine := p.mean(runs, layer, func(l network.Layer) float64 { return l.Cosine })
		first, last := statistics.Unknown, statistics.Unknown
		if p.Causal {
			first = p.mean(runs, layer, func(l network.Layer) float64 { return l.First })
			last = p.mean(runs, layer, func(l network.Layer) float64 { return l.Last })
		}
		at := theory[curveNumbers*layer:]
		rows[layer] = Row{
			Setting: settingOf(b), Layer: int32(layer),
			Q: at[0], P: at[1], Cosine: at[2], BetaC: at[3],
			QSimulated: q.Value, QStderr: q.Stderr, PSimulated: inner.Value, PStderr: inner.Stderr,
			CosineSimulated: cosine.Value, CosineStderr: cosine.Stderr,
			CosineFirst: first.Value, FirstStderr: first.Stderr,
			CosineLast: last.Value, LastStderr: last.Stderr,
			Causal: at[4], CausalFirst: at[5], CausalLast: at[6],
		}
	}
	return data.WriteRows(table, rows...)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }
