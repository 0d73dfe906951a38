package propagation

import (
	"context"
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// RankCollapse are figures of Noci et al., "Signal Propagation in Transformers: Theoretical
// Perspectives and the Role of Rank Collapse", that need no training: what uniform attention
// says, beside random networks with softmax.
type RankCollapse struct {
	Figure   string `json:"figure"`
	Size     string `json:"size"`
	Networks *int64 `json:"networks"` // of each point; nil for the figure's own
}

// NewRankCollapse returns the default parameters: Fig. 8 at a small size.
func NewRankCollapse() *RankCollapse { return &RankCollapse{Figure: "8", Size: "small"} }

var collapseFigures = []string{"7", "8", "10", "11", "12", "13", "14"}

// Paper sets the sizes of the paper's figures. Those that it does not give are ours.
func (c *RankCollapse) Paper() { c.Size, c.Networks = "paper", nil }

// Name implements Experiment.
func (*RankCollapse) Name() string { return "rank-collapse" }

// Help implements Experiment.
func (*RankCollapse) Help() (summary, description string) {
	return "theory of uniform attention beside random networks: rank collapse and gradients", `Computes a figure of Noci et al., Signal Propagation in Transformers, in theory and in
random networks with softmax. --figure
  7   distance of attention from uniform against the dimension of keys
  8   norm and correlation of tokens by layer, with residual scaling 1/√L and without
  10  correlation by layer, with linear and ReLU MLPs
  11  density of the squared norm of the output, with uniform attention and without
  12  gradients of queries and keys against dimension, tokens, correlation and deviation
  13  ratio of the gradients of queries and of values in networks, and 14 in theory
Writes a table and a figure.

Example: antipode rank-collapse --figure 12 --networks 100`
}

// Parameters implements Experiment.
func (c *RankCollapse) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "figure", Meaning: "figure of the paper", Value: parameter.Choice{Field: &c.Figure, Names: collapseFigures}},
		{Name: "size", Meaning: "dimensions, tokens and depths: small ones, or the paper's", Value: parameter.Choice{Field: &c.Size, Names: []string{"small", "paper"}}},
		{Name: "networks", Meaning: "random networks of each point; own for as many as the figure has", Value: parameter.OptionalWhole(&c.Networks, "own", parameter.Range{Low: 2, High: mostNetworks}),
			Idle: parameter.IdleUnless(c.Figure != "14", "figure 14 is theory alone; must be left out")},
	}
}

// Validate implements Experiment.
func (c *RankCollapse) Validate() error { return parameter.Check(c.Parameters()) }

// The labels of the table.
var (
	quantityNames  = []string{"distance", "squared-norm", "correlation", "density", "query-gradient", "key-gradient", "log-ratio"}
	attentionNames = []string{"softmax", "uniform"}
	residualNames  = []string{"constant", "scaled"}
	mlpNames       = []string{"linear", "relu"}
)

const (
	quantityDistance = iota
	quantitySquaredNorm
	quantityCorrelation
	quantityDensity
	quantityQueryGradient
	quantityKeyGradient
	quantityLogRatio
)

// collapseRow is a row of the table.
type collapseRow struct {
	quantity                   int8
	uniform, scaled, relu      bool
	tokens, dim, keyDim        int32
	layers, layer              int32
	rho, sigma                 float64
	position, theory, measured float64
	stderr                     float64
}

// Columns implements Experiment.
func (*RankCollapse) Columns() []data.Column {
	label := func(name string, labels []string, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Label, Labels: labels, Meaning: meaning}
	}
	whole := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Int32, Meaning: meaning}
	}
	real := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Float64, Meaning: meaning}
	}
	return []data.Column{
		label("quantity", quantityNames, "what is computed: ‖A-1/n‖²/n², ‖X‖², mean correlation of tokens, density of log10 ‖X‖², E‖∂S/∂W‖², or log10 of that of queries over that of values"),
		label("attention", attentionNames, "attention of the networks"),
		label("residual", residualNames, "strengths of the residual branches: 1, or 1/√L"),
		label("mlp", mlpNames, "activation of the MLP"),
		whole("tokens", "tokens n"), whole("dim", "dimension d"), whole("key_dim", "dimension of keys d_k"),
		whole("layers", "layers L of the network"), whole("layer", "layer, 0 the input"),
		real("rho", "correlation ρ of input tokens"), real("sigma", "standard deviation σ_x of input coordinates"),
		columns.Nullable("position", "", "of a density, log10 ‖X‖²; else null"),
		columns.Nullable("theory", "", "the quantity with uniform attention, in theory; null where there is none"),
		columns.Nullable("simulated", "", "in the mean over networks; null in Fig. 14"),
		columns.Nullable("stderr", "", "its standard error; null where there is none"),
	}
}

// collapsePart is one ensemble and the rows that it gives, or theory without networks.
type collapsePart struct {
	network   network.Network
	networks  int64 // 0 if nothing is simulated
	gradients bool
	rows      func(runs [][]network.Layer) ([]collapseRow, error)
}

// parts are those of the figure.
func (c *RankCollapse) parts() []collapsePart {
	parts := map[string]func(paper bool) []collapsePart{
		"7": distanceParts, "8": depthParts, "10": activationParts, "11": densityParts,
		"12": gradientParts, "13": ratioParts, "14": ratioTheory,
	}[c.Figure](c.Size == "paper")
	for k := range parts {
		if c.Networks != nil && parts[k].networks > 0 {
			parts[k].networks = *c.Networks
		}
	}
	return parts
}

// Run implements Experiment: the rows of one ensemble after another.
func (c *RankCollapse) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := c.Validate(); err != nil {
		return err
	}
	var all []part
	for _, p := range c.parts() {
		each := part{
			ensemble: network.Ensemble{Network: p.network, Networks: int(p.networks), Gradients: p.gradients},
			write:    func(_ []float64, runs [][]network.Layer) error { return c.writeRows(p, runs, table) },
		}
		if p.networks == 0 { // the theory is fast, and computed as the row is written
			each.theory = func(context.Context) ([]float64, error) { return nil, nil }
		}
		all = append(all, each)
	}
	return runParts(ctx, all, options, "networks", table)
}

func (c *RankCollapse) writeRows(p collapsePart, runs [][]network.Layer, table data.Sink) error {
	rows, err := p.rows(runs)
	if err != nil {
		return fmt.Errorf("figure %s: %w", c.Figure, err)
	}
	for _, r := range rows {
		if err := r.write(table); err != nil {
			return err
		}
	}
	return nil
}

// ShardColumns implements run.Divisible.
func (*RankCollapse) ShardColumns() []data.Column { return run.PieceColumns() }

func (r collapseRow) write(table data.Sink) error {
	label := func(b bool) []int8 {
		if b {
			return []int8{1}
		}
		return []int8{0}
	}
	return table.Write(data.Slice[int8]{r.quantity}, data.Slice[int8](label(r.uniform)), data.Slice[int8](label(r.scaled)), data.Slice[int8](label(r.relu)),
		data.Slice[int32]{r.tokens}, data.Slice[int32]{r.dim}, data.Slice[int32]{r.keyDim}, data.Slice[int32]{r.layers}, data.Slice[int32]{r.layer},
		data.Slice[float64]{r.rho}, data.Slice[float64]{r.sigma}, data.Slice[float64]{r.position}, data.Slice[float64]{r.theory}, data.Slice[float64]{r.measured}, data.Slice[float64]{r.stderr})
}

// rowOf is a row about a network, with everything but its numbers.
func rowOf(n network.Network, quantity int8, scaled bool) collapseRow {
	keys := n.KeyDim
	if keys == 0 {
		keys = n.Dim
	}
	return collapseRow{
		quantity: quantity, uniform: n.Uniform, scaled: scaled, relu: n.Activation == network.ReLU,
		tokens: int32(n.Tokens), dim: int32(n.Dim), keyDim: int32(keys), layers: int32(n.Layers),
		rho: n.P / n.Q, sigma: math.Sqrt(n.Q),
		position: math.NaN(), theory: math.NaN(), measured: math.NaN(), stderr: math.NaN(),
	}
}

// xavier is a network without LayerNorm of Gaussian tokens and weights of variance 1/d, with
// residual branches of squared strength branch.
func xavier(tokens, dim, layers int, rho, sigma, branch float64) network.Network {
	variance := sigma * sigma
	return network.Network{
		Kind: network.NoNorm, Activation: network.Linear, Tokens: tokens, Dim: dim, Heads: 1, Layers: layers,
		QueryKey2: 1, Value2: branch, Hidden2: 1, Output2: branch, AlphaSA: 1, AlphaMLP: 1,
		Input: network.Gaussian, Q: variance, P: rho * variance,
	}
}
