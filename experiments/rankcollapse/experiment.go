// Package rankcollapse is the experiment on rank collapse and vanishing gradients of Transformers at
// initialisation, with the theory of uniform attention.
//
//	e := rankcollapse.New()
//	e.Figure = "12"
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package rankcollapse

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// Experiment computes those figures of Noci et al., "Signal Propagation in Transformers: Theoretical
// Perspectives and the Role of Rank Collapse", that need no training. Experiment compares the theory of
// uniform attention with random networks that have softmax attention.
type Experiment struct {
	Figure   string `json:"figure"`
	Size     string `json:"size"`
	Networks *int64 `json:"networks"` // networks per point; nil for the figure's number
	// Temperature is the factor τ of the attention scores in Figs. 12 to 14. If it is nil, τ has the value of
	// (47), at which gradients match.
	Temperature *float64       `json:"temperature"`
	Save        networks.Saved `json:"save"`
}

// New returns the experiment rank-collapse with its default parameters: Fig. 8 at a small size.
func New() *Experiment {
	plain := 1.
	return &Experiment{Figure: "8", Size: "small", Temperature: &plain, Save: networks.SavedValues}
}

// Paper sets the sizes of the paper's figures. Sizes that the paper does not state are choices of this
// program.
func (c *Experiment) Paper() { c.Size, c.Networks = "paper", nil }

// Name implements run.Experiment.
func (*Experiment) Name() string { return "rank-collapse" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "rank collapse and gradients: theory of uniform attention, and random networks",
		`Computes a figure of Noci et al., Signal Propagation in Transformers, in theory and
in random networks with softmax. The values of --figure are:

  7   distance of attention, and of its derivative, from uniform against the
      dimension of keys
  8   norm and correlation of tokens by layer, with residual scaling 1/√L and
      without
  9   correlation and gradients, of tokens and of a loss, by layer of
      pre-norm Transformers, in networks alone
  10  correlation by layer, with linear and ReLU MLPs
  11  density of the squared norm of the output, with uniform attention and
      without
  12  gradients of queries, keys and input against dimension, tokens,
      correlation and deviation
  13  ratio of the gradients of queries and of values in networks
  14  the same ratio in theory

A correlation is the ratio of the mean inner product of tokens to their mean squared norm, as in the
paper. The table also has the mean of their cosines. --temperature multiplies scores, as in C.2 of
the paper.

Example: antipode rank-collapse --figure 12 --networks 100`
}

// Parameters implements run.Experiment.
func (c *Experiment) Parameters() []parameter.Parameter {
	const theoryAlone = "figure 14 is theory alone; must be left out"
	return []parameter.Parameter{
		{Name: "figure", Meaning: "figure of the paper",
			Value: parameter.Choice{Field: &c.Figure, Names: figureNames()}},
		{Name: "size", Meaning: "size: small, or the dimensions, tokens and depths of the paper",
			Value: parameter.Choice{Field: &c.Size, Names: []string{"small", "paper"}}},
		{Name: "networks", Meaning: "number of random networks per point; own for the number in the " +
			"paper's figure",
			Value: parameter.OptionalWhole(&c.Networks, "own",
				parameter.Range{Low: 2, High: networks.MostNetworks}),
			Inapplicable: parameter.Unless(c.simulates(), theoryAlone)},
		{Name: "temperature",
			Meaning: "factor τ of the scores; matched is the value of equation (47), at which the " +
				"gradients of queries and values agree",
			Value: parameter.OptionalReal(&c.Temperature, "matched",
				parameter.Range{Low: 0, High: 1e6, Open: true}),
			Inapplicable: parameter.Unless(c.hasTemperature(),
				"the factor of the scores is that of figures 12, 13 and 14; "+
					"must be left out beside another")},
		c.Save.Parameter().Where(c.simulates(), theoryAlone),
	}
}

// simulates reports whether the figure needs simulated networks.
func (c *Experiment) simulates() bool { return !c.figure().theory }

func (c *Experiment) hasTemperature() bool { return c.figure().heated }

// Validate implements run.Experiment.
func (c *Experiment) Validate() error { return parameter.Check(c.Parameters()) }

// Columns implements run.Experiment.
func (c *Experiment) Columns() []data.Column {
	if c.matrices() {
		return data.ColumnsOf[MatrixRow]()
	}
	return data.ColumnsOf[Row]()
}

// part is an ensemble of random networks together with the rows that are computed from the ensemble. A part
// may also be theory without networks.
type part struct {
	network   network.Network
	networks  int64 // 0 if nothing is simulated
	gradients bool
	classes   int // number of classes of a loss whose gradients are computed; 0 without a loss
	// The fields residual and temperature describe the networks in a table of matrices.
	residual    Residual
	temperature float64 // 0 for 1
	rows        func(runs [][]network.Layer) ([]Row, error)
}

// parts returns the parts of the chosen figure.
func (c *Experiment) parts() []part {
	parts := c.figure().parts(c, c.Size == "paper")
	for k := range parts {
		if c.Networks != nil && parts[k].networks > 0 {
			parts[k].networks = *c.Networks
		}
	}
	return parts
}

// Run implements run.Experiment. Run writes the rows of one part of the figure after another.
func (c *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if c.matrices() {
		return c.saveMatrices(ctx, options, table)
	}
	var all []networks.Part
	for _, p := range c.parts() {
		each := networks.Part{
			Ensemble: network.Ensemble{Network: p.network, Networks: int(p.networks), Gradients: p.gradients,
				Classes: p.classes},
			Write: func(_ []float64, runs [][]network.Layer) error { return c.writeRows(p, runs, table) },
		}
		if p.networks == 0 { // the theory is fast, and computed when the row is written
			each.Theory = func(context.Context) ([]float64, error) { return nil, nil }
		}
		all = append(all, each)
	}
	return networks.Run(ctx, all, options, "networks", table)
}

func (c *Experiment) writeRows(p part, runs [][]network.Layer, table data.Sink) error {
	rows, err := p.rows(runs)
	if err != nil {
		return fmt.Errorf("figure %s: %w", c.Figure, err)
	}
	return data.WriteRows(table, rows...)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// xavier returns a network without LayerNorm, with Gaussian tokens and weights of variance 1/d. The input
// tokens have correlation rho and coordinates of standard deviation sigma. The argument branch is the squared
// strength of the residual branches.
func xavier(tokens, dim, layers int, rho, sigma, branch float64) network.Network {
	variance := sigma * sigma
	return network.Network{
		Norm: network.NoNorm, Activation: network.Linear, Tokens: tokens, Dim: dim, Heads: 1, Layers: layers,
		QueryKey2: 1, Value2: branch, Hidden2: 1, Output2: branch, AlphaSA: 1, AlphaMLP: 1,
		Input: network.Gaussian, Q: variance, P: rho * variance,
	}
}
