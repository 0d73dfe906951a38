// Package gradients is the experiment on gradients with respect to the weights of a Transformer at
// initialisation.
//
//	e := gradients.New()
//	e.Block, e.Beta, e.Networks = "pre-norm", []float64{0.5, 2}, 4
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package gradients

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// Experiment computes squared norms of gradients with respect to the weights of a Transformer at
// initialisation, layer by layer (Giorlandino and Goldt, Result 2, corrected). The gradients of the outputs
// of each layer's own attention and MLP are computed in theory and in random networks. The gradients of the
// output of the entire network are computed in random networks only.
type Experiment struct {
	Figure     string         `json:"figure"`
	Size       string         `json:"size"` // of the networks of Fig. 3c: small, or the paper's
	Block      string         `json:"block"`
	Beta       []float64      `json:"weight-beta"`
	AlphaSA    float64        `json:"alpha-sa"`
	SigmaW2    float64        `json:"sigma-w2"`
	SigmaB2    float64        `json:"sigma-b2"`
	SigmaV2    float64        `json:"sigma-v2"`
	AlphaMLP   float64        `json:"alpha-mlp"`
	Activation string         `json:"activation"`
	Start      float64        `json:"start"`
	Layers     int64          `json:"layers"`
	Tokens     int64          `json:"tokens"`
	Dim        int64          `json:"dim"`
	Networks   int64          `json:"networks"`
	Save       networks.Saved `json:"save"`
}

// New returns the experiment gradients with its default parameters. The default β are below, near and above
// β_c = √2, the critical β at the input.
func New() *Experiment {
	return &Experiment{
		Figure: byLayer, Size: "small",
		Block: propagation.PostNorm.String(), Beta: []float64{0.5, 1.4, 2.5}, AlphaSA: 1,
		SigmaW2: 0.2, SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1,
		Activation: propagation.ReLU.String(), Layers: 6, Tokens: 32, Dim: 64, Networks: 16,
		Save: networks.SavedValues,
	}
}

// Paper sets the range of β and the sizes of the networks of Fig. 3c of the paper. For the figure by layer,
// Paper sets a single size: the smallest size of the paper that allows half as many tokens as dimensions.
func (g *Experiment) Paper() {
	figure := g.Figure
	*g = *New()
	g.Figure = figure
	if figure == lossFigure {
		g.Size, g.Beta, g.Networks = "paper", []float64{0.2, 0.5, 0.8, 1.1, 1.4, 1.7, 2, 2.5, 3}, 2
		return
	}
	g.Beta, g.Layers, g.Tokens, g.Dim = []float64{0.2, 0.5, 0.8, 1.1, 1.4, 1.7, 2, 2.5, 3}, 1, 128, 256
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "gradients" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "squared norms of gradients, layer by layer, in theory and in random networks",
		`Computes the squared norms of gradients E‖∂/∂W‖²/(d²T) in each layer of a Transformer at
initialisation. The derivatives are those of the layer's own attention with respect to its query,
key and value weights, and those of its own MLP with respect to both matrices of the MLP. The
derivatives are computed in theory for T tokens, and as means over --networks random networks with
exact derivatives. The derivatives of the output of the whole network are simulated too. Writes a
table and a figure.

--figure 3c simulates networks of a single layer for several T and d. The figure shows the gradient
of a loss times T/d. The loss is the cross-entropy of random classes, averaged over all tokens.

Examples: antipode gradients --block pre-norm --weight-beta 1:3:0.5 --layers 3
          antipode gradients --figure 3c --weight-beta 0.2:3:0.4
          antipode gradients --paper`
}

// Parameters implements run.Experiment.
func (g *Experiment) Parameters() []parameter.Parameter {
	const several = "figure 3c has a single layer of several tokens and dimensions; must be left out " +
		"beside it"
	layers := parameter.Unless(g.Figure == byLayer, several)
	return []parameter.Parameter{
		{Name: "figure", Meaning: "gradients layer by layer, or figure 3c of the paper",
			Value: parameter.Choice{Field: &g.Figure, Names: []string{byLayer, lossFigure}}},
		{Name: "size", Meaning: "size of figure 3c: small, or the tokens and dimensions of the paper",
			Value: parameter.Choice{Field: &g.Size, Names: []string{"small", "paper"}},
			Inapplicable: parameter.Unless(g.Figure == lossFigure,
				"this size is that of figure 3c; must be left out without it")},
		{Name: "block", Meaning: "kind of block",
			Value: parameter.Choice{Field: &g.Block, Names: propagation.KindNames}},
		{Name: networks.WeightBeta, Former: "beta",
			Meaning: "scales β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Reals(&g.Beta, networks.BetaRange)},
		networks.StartParameter(&g.Start),
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²",
			Value: parameter.Real(&g.SigmaW2, networks.VarianceRange)},
		networks.SigmaB2Parameter(&g.SigmaB2),
		networks.SigmaV2Parameter(&g.SigmaV2),
		{Name: "alpha-sa", Meaning: "strength α of attention's residual connection",
			Value: parameter.Real(&g.AlphaSA, networks.AlphaRange)},
		networks.AlphaMLPParameter(&g.AlphaMLP),
		{Name: "layers", Meaning: "number of layers (blocks) of the network",
			Value:        parameter.Whole(&g.Layers, parameter.Range{Low: 1, High: 10_000}),
			Inapplicable: layers},
		networks.ActivationParameter(&g.Activation),
		{Name: "tokens", Meaning: "number T of tokens in a sequence",
			Value:        parameter.Whole(&g.Tokens, parameter.Range{Low: 2, High: networks.MostDim}),
			Inapplicable: layers},
		networks.DimParameter(&g.Dim).Where(g.Figure == byLayer, several),
		{Name: "networks", Meaning: "number of random networks per β",
			Value: parameter.Whole(&g.Networks, parameter.Range{Low: 1, High: networks.MostNetworks})},
		g.Save.Parameter(),
	}
}

// The figures: gradients by layer, and Fig. 3c of the paper.
const byLayer, lossFigure = "layers", "3c"

// lossClasses is the number of classes of the loss in Fig. 3c. In the paper the classes are the words of a
// vocabulary.
const lossClasses = 1000

// lossSizes are the numbers of tokens and the dimensions of the networks of Fig. 3c: small ones, and those of
// the paper.
var lossSizes = [3]struct{ tokens, dim, paperTokens, paperDim int64 }{
	{128, 32, 2048, 256}, {256, 64, 4096, 512}, {512, 128, 8192, 1024},
}

// sizes returns the experiment for each size of its networks. The figure by layer has one size. Fig. 3c has
// several sizes of networks with a single layer.
func (g *Experiment) sizes() (sizes []Experiment) {
	if g.Figure == byLayer {
		return []Experiment{*g}
	}
	for _, t := range lossSizes {
		for _, d := range lossSizes {
			one := *g
			one.Tokens, one.Dim, one.Layers = t.tokens, d.dim, 1
			if g.Size == "paper" {
				one.Tokens, one.Dim = t.paperTokens, d.paperDim
			}
			sizes = append(sizes, one)
		}
	}
	return sizes
}

// Validate implements run.Experiment.
func (g *Experiment) Validate() error {
	if err := parameter.Check(g.Parameters()); err != nil {
		return err
	}
	for _, one := range g.sizes() {
		if err := networks.CheckScores(g.Beta, &one.Tokens); err != nil {
			return err
		}
		if err := networks.Check(one.ensemble(one.block(g.Beta[0]))); err != nil {
			return err
		}
	}
	return nil
}

func (g *Experiment) block(beta float64) propagation.Block {
	return propagation.Block{
		Kind: networks.KindOf(g.Block), Beta: beta, AlphaSA: g.AlphaSA, SigmaW2: g.SigmaW2,
		SigmaB2: g.SigmaB2, SigmaV2: g.SigmaV2, AlphaMLP: g.AlphaMLP,
		Activation: networks.ActivationOf(g.Activation), Tokens: float64(g.Tokens),
	}
}

func (g *Experiment) ensemble(b propagation.Block) network.Ensemble {
	e := network.Ensemble{Network: networks.Of(b, g.Start, g.Tokens, g.Dim, g.Layers),
		Networks: int(g.Networks), Gradients: true}
	if g.Figure == lossFigure {
		e.Classes = lossClasses
	}
	return e
}

// Columns implements run.Experiment.
func (g *Experiment) Columns() []data.Column {
	if g.Save.Matrices() {
		return data.ColumnsOf[MatrixRow]()
	}
	return data.ColumnsOf[Row]()
}

// Run implements run.Experiment. For each size of the networks, Run writes the rows of one β after another.
// The theory of each β and each random network are separate pieces of work.
func (g *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := g.Validate(); err != nil {
		return err
	}
	if g.Save.Matrices() {
		return g.saveMatrices(ctx, options, table)
	}
	var all []networks.Part
	for _, one := range g.sizes() {
		for _, beta := range g.Beta {
			b := one.block(beta)
			all = append(all, networks.Part{
				Theory:  func(ctx context.Context) ([]float64, error) { return one.theory(ctx, b) },
				Numbers: gradientNumbers * int(one.Layers), Ensemble: one.ensemble(b),
				Rows: int(one.Layers) * len(networks.AllWeights()),
				Write: func(theory []float64, runs [][]network.Layer) error {
					return one.writeLayers(beta, theory, runs, table)
				},
			})
		}
	}
	return networks.Run(ctx, all, options, "networks", table)
}

// gradientNumbers is how many theoretical numbers a layer has: the critical β, and the squared gradients with
// respect to five weight matrices.
const gradientNumbers = 6

// theory returns, for each layer, the critical β and the squared norms of the gradients in the order of
// networks.Weights.
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
			return nil, parameter.Errorf("alpha-sa", b.AlphaSA, "in layer %d, β = %s: %s", layer,
				parameter.FormatReal(b.Beta), networks.Reason(err))
		}
	}
	return numbers, nil
}

// writeLayers writes the rows of one β from the theory and from the simulated networks.
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
			r := Row{
				Tokens: float64(g.Tokens), Dim: float64(g.Dim),
				Beta: beta, Layer: int32(layer), BetaC: at[0], Weights: weights, Theory: at[1+weights],
				Simulated: local.Value, Stderr: local.Stderr, Whole: whole.Value, WholeStderr: whole.Stderr,
				Loss: math.NaN(), LossStderr: math.NaN(),
			}
			if g.Figure == lossFigure { // the networks have the derivatives of the loss
				scale := size * float64(g.Tokens) / float64(g.Dim)
				r.Whole, r.WholeStderr = r.Loss, r.Loss
				r.Loss, r.LossStderr = scale*whole.Value, scale*whole.Stderr
			}
			rows = append(rows, r)
		}
	}
	return data.WriteRows(table, rows...)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }
