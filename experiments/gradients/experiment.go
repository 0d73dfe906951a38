// Package gradients is the experiment on gradients at initialisation.
package gradients

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// Experiment is on squared norms of gradients at initialisation, layer by layer (Giorlandino and
// Goldt, Result 2, corrected): of each layer's own attention and MLP in theory and in random
// networks, and in these of the whole network's output.
type Experiment struct {
	Block      string    `json:"block"`
	Beta       []float64 `json:"beta"`
	AlphaSA    float64   `json:"alpha-sa"`
	SigmaW2    float64   `json:"sigma-w2"`
	SigmaB2    float64   `json:"sigma-b2"`
	SigmaV2    float64   `json:"sigma-v2"`
	AlphaMLP   float64   `json:"alpha-mlp"`
	Activation string    `json:"activation"`
	Start      float64   `json:"start"`
	Layers     int64     `json:"layers"`
	Tokens     int64     `json:"tokens"`
	Dim        int64     `json:"dim"`
	Networks   int64     `json:"networks"`
}

// New returns the default parameters: β below, near and above β_c = √2 of the input.
func New() *Experiment {
	return &Experiment{
		Block: propagation.PostNorm.String(), Beta: []float64{0.5, 1.4, 2.5}, AlphaSA: 1,
		SigmaW2: 0.2, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1,
		Activation: propagation.ReLU.String(), Layers: 6, Tokens: 32, Dim: 64, Networks: 16,
	}
}

// Paper sets the smallest size of Fig. 3c that a sequence of half as many tokens allows, and
// its range of β, at a single layer.
func (g *Experiment) Paper() {
	*g = *New()
	g.Beta, g.Layers, g.Tokens, g.Dim = []float64{0.2, 0.5, 0.8, 1.1, 1.4, 1.7, 2, 2.5, 3}, 1, 128, 256
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "gradients" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "squared norms of gradients, layer by layer, in theory and in random networks",
		`Computes, for each layer of a Transformer at initialisation, E‖∂/∂W‖²/(d²T) of its own
attention with respect to query, key and value weights, and of its own MLP with respect
to both its matrices: in theory, for T tokens, and the mean over --networks random
networks with exact derivatives. The same of the output of the whole network is
simulated too. Writes a table and a figure.

Examples: antipode gradients --block pre-norm --beta 1:3:0.5 --layers 3
          antipode gradients --paper`
}

// Parameters implements run.Experiment.
func (g *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "block", Meaning: "kind of block",
			Value: parameter.Choice{Field: &g.Block, Names: propagation.KindNames}},
		{Name: "beta", Meaning: "scales β of query and key weights, of variance β√log T/d",
			Value: parameter.Reals(&g.Beta, networks.BetaRange)},
		networks.StartParameter(&g.Start),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²",
			Value: parameter.Real(&g.SigmaW2, networks.VarianceRange)},
		networks.SigmaB2Parameter(&g.SigmaB2),
		networks.SigmaV2Parameter(&g.SigmaV2),
		{Name: "alpha-sa", Meaning: "strength α of attention's residual connection",
			Value: parameter.Real(&g.AlphaSA, networks.AlphaRange)},
		networks.AlphaMLPParameter(&g.AlphaMLP),
		{Name: "layers", Meaning: "blocks of a network",
			Value: parameter.Whole(&g.Layers, parameter.Range{Low: 1, High: 10_000})},
		networks.ActivationParameter(&g.Activation),
		{Name: "tokens", Meaning: "tokens T of a sequence",
			Value: parameter.Whole(&g.Tokens, parameter.Range{Low: 2, High: networks.MostDim})},
		networks.DimParameter(&g.Dim),
		{Name: "networks", Meaning: "random networks of each β",
			Value: parameter.Whole(&g.Networks, parameter.Range{Low: 1, High: networks.MostNetworks})},
	}
}

// Validate implements run.Experiment.
func (g *Experiment) Validate() error {
	if err := parameter.Check(g.Parameters()); err != nil {
		return err
	}
	if err := networks.CheckScores(g.Beta, &g.Tokens); err != nil {
		return err
	}
	return networks.Check(g.ensemble(g.block(g.Beta[0])))
}

func (g *Experiment) block(beta float64) propagation.Block {
	return propagation.Block{
		Kind: networks.KindOf(g.Block), Beta: beta, AlphaSA: g.AlphaSA, SigmaW2: g.SigmaW2,
		SigmaB2: g.SigmaB2, SigmaV2: g.SigmaV2, AlphaMLP: g.AlphaMLP,
		Activation: networks.ActivationOf(g.Activation), Tokens: float64(g.Tokens),
	}
}

func (g *Experiment) ensemble(b propagation.Block) network.Ensemble {
	return network.Ensemble{Network: networks.Of(b, g.Start, g.Tokens, g.Dim, g.Layers),
		Networks: int(g.Networks), Gradients: true}
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment: the rows of one β after another. The theory of each and each
// network are computed by themselves.
func (g *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := g.Validate(); err != nil {
		return err
	}
	var all []networks.Part
	for _, beta := range g.Beta {
		b := g.block(beta)
		all = append(all, networks.Part{
			Theory:  func(ctx context.Context) ([]float64, error) { return g.theory(ctx, b) },
			Numbers: gradientNumbers * int(g.Layers), Ensemble: g.ensemble(b),
			Write: func(theory []float64, runs [][]network.Layer) error {
				return g.writeLayers(beta, theory, runs, table)
			},
		})
	}
	return networks.Run(ctx, all, options, "networks", table)
}

// gradientNumbers is how many numbers the theory has of a layer.
const gradientNumbers = 6

// theory is, of each layer, the critical β and the gradients in the order of networks.Weights.
func (g *Experiment) theory(ctx context.Context, b propagation.Block) (numbers []float64, err error) {
	m, err := propagation.NewMap(b)
	if err != nil {
		return nil, err
	}
	state := propagation.State{Q: 1, P: g.Start}
	for layer := 1; layer <= int(g.Layers); layer++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		theory, err := m.Gradients(state)
		numbers = append(numbers, data.FiniteOrNaN(m.CriticalBeta(state)),
			theory.Query, theory.Query, theory.Value, theory.Hidden, theory.Output)
		if err == nil {
			state, err = m.Step(state)
		}
		if err != nil {
			return nil, &parameter.Error{Parameter: "alpha-sa", Value: parameter.FormatReal(b.AlphaSA),
				Problem: fmt.Sprintf("in layer %d, β = %s: %s", layer, parameter.FormatReal(b.Beta),
					networks.Reason(err))}
		}
	}
	return numbers, nil
}

// writeLayers writes the rows of one β.
func (g *Experiment) writeLayers(
	beta float64, theory []float64, runs [][]network.Layer, table data.Sink,
) error {
	size := float64(g.Dim) * float64(g.Dim) * float64(g.Tokens)
	var rows []Row
	for layer := 1; layer <= int(g.Layers); layer++ {
		at := theory[gradientNumbers*(layer-1):]
		for _, weights := range networks.AllWeights() {
			local := networks.EstimateOf(runs, layer,
				func(l network.Layer) float64 { return weights.Of(l.Local) / size })
			whole := networks.EstimateOf(runs, layer,
				func(l network.Layer) float64 { return weights.Of(l.Whole) / size })
			rows = append(rows, Row{
				Beta: beta, Layer: int32(layer), BetaC: at[0], Weights: weights, Theory: at[1+weights],
				Simulated: local.Mean, Stderr: local.Stderr, Whole: whole.Mean, WholeStderr: whole.Stderr,
			})
		}
	}
	return data.WriteRows(table, rows...)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }
