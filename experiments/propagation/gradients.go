package propagation

import (
	"context"
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// Gradients are squared norms of gradients at initialisation, layer by layer (Giorlandino and
// Goldt, Result 2, corrected): of each layer's own attention and MLP in theory and in random
// networks, and in these of the whole network's output.
type Gradients struct {
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

// NewGradients returns the default parameters: β below, near and above β_c = √2 of the input.
func NewGradients() *Gradients {
	return &Gradients{
		Block: propagation.PostNorm.String(), Beta: []float64{0.5, 1.4, 2.5}, AlphaSA: 1,
		SigmaW2: 0.2, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1,
		Activation: propagation.ReLU.String(), Layers: 6, Tokens: 32, Dim: 64, Networks: 16,
	}
}

// Paper sets the smallest size of Fig. 3c that a sequence of half as many tokens allows, and
// its range of β, at a single layer.
func (g *Gradients) Paper() {
	*g = *NewGradients()
	g.Beta, g.Layers, g.Tokens, g.Dim = []float64{0.2, 0.5, 0.8, 1.1, 1.4, 1.7, 2, 2.5, 3}, 1, 128, 256
}

// Name implements Experiment.
func (*Gradients) Name() string { return "gradients" }

// Help implements Experiment.
func (*Gradients) Help() (summary, description string) {
	return "squared norms of gradients, layer by layer, in theory and in random networks", `Computes, for each layer of a Transformer at initialisation, E‖∂/∂W‖²/(d²T) of its own
attention with respect to query, key and value weights, and of its own MLP with respect
to both its matrices: in theory, for T tokens, and the mean over --networks random
networks with exact derivatives. The same of the output of the whole network is
simulated too. Writes a table and a figure.

Examples: antipode gradients --block pre-norm --beta 1:3:0.5 --layers 3
          antipode gradients --paper`
}

// Parameters implements Experiment.
func (g *Gradients) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "block", Meaning: "kind of block", Value: parameter.Choice{Field: &g.Block, Names: propagation.KindNames}},
		{Name: "beta", Meaning: "scales β of query and key weights, of variance β√log T/d", Value: parameter.Reals(&g.Beta, betaRange)},
		startParameter(&g.Start),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²", Value: parameter.Real(&g.SigmaW2, varianceRange)},
		sigmaB2Parameter(&g.SigmaB2),
		sigmaV2Parameter(&g.SigmaV2),
		{Name: "alpha-sa", Meaning: "strength α of attention's residual connection", Value: parameter.Real(&g.AlphaSA, alphaRange)},
		alphaMLPParameter(&g.AlphaMLP),
		{Name: "layers", Meaning: "blocks of a network", Value: parameter.Whole(&g.Layers, parameter.Range{Low: 1, High: 10_000})},
		activationParameter(&g.Activation),
		{Name: "tokens", Meaning: "tokens T of a sequence", Value: parameter.Whole(&g.Tokens, parameter.Range{Low: 2, High: mostDim})},
		dimParameter(&g.Dim),
		{Name: "networks", Meaning: "random networks of each β", Value: parameter.Whole(&g.Networks, parameter.Range{Low: 1, High: mostNetworks})},
	}
}

// Validate implements Experiment.
func (g *Gradients) Validate() error {
	if err := parameter.Check(g.Parameters()); err != nil {
		return err
	}
	if err := checkScores(g.Beta, &g.Tokens); err != nil {
		return err
	}
	return checkNetworks(g.ensemble(g.block(g.Beta[0])))
}

func (g *Gradients) block(beta float64) propagation.Block {
	return propagation.Block{
		Kind: propagation.Kind(slices.Index(propagation.KindNames, g.Block)), Beta: beta, AlphaSA: g.AlphaSA, SigmaW2: g.SigmaW2,
		SigmaB2: g.SigmaB2, SigmaV2: g.SigmaV2, AlphaMLP: g.AlphaMLP,
		Activation: propagation.Activation(slices.Index(propagation.ActivationNames, g.Activation)), Tokens: float64(g.Tokens),
	}
}

func (g *Gradients) ensemble(b propagation.Block) network.Ensemble {
	return network.Ensemble{Network: simulated(b, g.Start, g.Tokens, g.Dim, g.Layers), Networks: int(g.Networks), Gradients: true}
}

// weightNames are the matrices of a layer.
var weightNames = []string{"query", "key", "value", "mlp-hidden", "mlp-output"}

// byWeight are gradients in the order of weightNames.
func byWeight(g network.Gradients) [5]float64 {
	return [...]float64{g.Query, g.Key, g.Value, g.Hidden, g.Output}
}

// Columns implements Experiment.
func (*Gradients) Columns() []data.Column {
	real := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Float64, Meaning: meaning}
	}
	return []data.Column{
		real("beta", "scale β of query and key weights"),
		{Name: "layer", Kind: data.Int32, Meaning: "layer, from 1"},
		columns.Nullable("beta_c", "", "β above which the layer's attention condenses, in the limit of many tokens; null where all tokens agree"),
		{Name: "weights", Kind: data.Label, Labels: weightNames, Meaning: "matrix with respect to which the derivative is"},
		real("theory", "E‖∂/∂W‖²/(d²T) of the layer's own attention or MLP, in theory"),
		real("simulated", "the same in the mean over networks"),
		columns.Nullable("stderr", "", "its standard error; null for a single network"),
		real("whole", "E‖∂/∂W‖²/(d²T) of the output of the network, in the mean over networks"),
		columns.Nullable("whole_stderr", "", "its standard error"),
	}
}

// Run implements Experiment: the rows of one β after another. The theory of each and each
// network are computed by themselves.
func (g *Gradients) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := g.Validate(); err != nil {
		return err
	}
	var all []part
	for _, beta := range g.Beta {
		b := g.block(beta)
		all = append(all, part{
			theory:  func(ctx context.Context) ([]float64, error) { return g.theory(ctx, b) },
			numbers: gradientNumbers * int(g.Layers), ensemble: g.ensemble(b),
			write: func(theory []float64, runs [][]network.Layer) error {
				return g.writeLayers(beta, theory, runs, table)
			},
		})
	}
	return runParts(ctx, all, options, "networks", table)
}

// gradientNumbers is how many numbers the theory has of a layer.
const gradientNumbers = 6

// theory is, of each layer, the critical β and the gradients in the order of weightNames.
func (g *Gradients) theory(ctx context.Context, b propagation.Block) (numbers []float64, err error) {
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
		numbers = append(numbers, columns.FiniteOrNaN(m.CriticalBeta(state)), theory.Query, theory.Query, theory.Value, theory.Hidden, theory.Output)
		if err == nil {
			state, err = m.Step(state)
		}
		if err != nil {
			return nil, &parameter.Error{Parameter: "alpha-sa", Value: parameter.FormatReal(b.AlphaSA),
				Problem: fmt.Sprintf("in layer %d, β = %s: %s", layer, parameter.FormatReal(b.Beta), reason(err))}
		}
	}
	return numbers, nil
}

// writeLayers writes the rows of one β.
func (g *Gradients) writeLayers(beta float64, theory []float64, runs [][]network.Layer, table data.Sink) error {
	size := float64(g.Dim) * float64(g.Dim) * float64(g.Tokens)
	for layer := 1; layer <= int(g.Layers); layer++ {
		at := theory[gradientNumbers*(layer-1):]
		for k := range weightNames {
			local := estimateOf(runs, layer, func(l network.Layer) float64 { return byWeight(l.Local)[k] / size })
			whole := estimateOf(runs, layer, func(l network.Layer) float64 { return byWeight(l.Whole)[k] / size })
			err := table.Write(data.Slice[float64]{beta}, data.Slice[int32]{int32(layer)}, data.Slice[float64](at[0:1]), data.Slice[int8]{int8(k)}, data.Slice[float64](at[1+k:2+k]),
				data.Slice[float64]{local.mean}, data.Slice[float64]{local.stderr}, data.Slice[float64]{whole.mean}, data.Slice[float64]{whole.stderr})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// ShardColumns implements run.Divisible.
func (*Gradients) ShardColumns() []data.Column { return run.PieceColumns() }
