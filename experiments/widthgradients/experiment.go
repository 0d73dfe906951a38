// Package widthgradients is the experiment on how gradients with respect to the value matrices of attention
// layers grow with the number of tokens.
//
//	e := widthgradients.New()
//	e.Tokens, e.Layers = []int{16, 32, 64}, []int{1, 2}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package widthgradients

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Experiment measures the squared norm of the gradients of the output signal of random attention networks
// with respect to their value matrices, as a function of the number of tokens and the number of layers.
type Experiment struct {
	attention.Grid
	Layers []int  `json:"layers"` // numbers L of layers of the networks
	Figure string `json:"figure"` // figure of the paper whose parameters Paper sets
}

// New returns the experiment width-gradients with its default parameters.
func New() *Experiment {
	return &Experiment{Grid: attention.NewGrid(), Layers: []int{1, 2, 3}, Figure: "5"}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "width-gradients" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "gradients with respect to the value matrices against width: where they explode",
		`Sends orthonormal tokens through networks of attention layers of several widths and depths.
For each layer l the table has the squared norm of the derivative of the output with respect to the
value matrix W_l. The squared norm is computed in reverse mode for a random direction of the output.
The table compares the squared norm with its exact mean and the bound of the paper where these are
known. With markov attention alone the squared norm grows like T^L when the gap is kept (like T for
L = 1), and like T when the gap is removed. The power of T is fitted with a 95 % interval. With four
widths or more the fit includes a correction term.

Example: antipode width-gradients --tokens 100,200,400,800 --layers 1,2 --samples 10`
}

// Paper sets the parameters of the paper's Fig. 5, 6 or 10. The paper states no sizes of networks; the sizes
// are choices of this program.
func (g *Experiment) Paper() {
	name := g.Figure
	*g = *New()
	g.Figure, g.Samples = name, 5
	g.Attention = []matrices.Attention{matrices.Markov, matrices.Softmax}
	g.Architecture = attention.Architectures()
	switch name {
	case "5":
		g.Tokens, g.Layers = []int{100, 200, 400, 800}, []int{1}
	case "6":
		g.Tokens, g.Layers = []int{200}, []int{1, 2, 3, 4, 5, 6}
		g.Architecture = []attention.Architecture{attention.Plain, attention.LayerNorm}
	case "10":
		g.Tokens, g.Layers = []int{50, 100, 200, 400}, []int{1, 2, 3, 4}
		g.Architecture = []attention.Architecture{attention.Plain}
		g.Attention, g.Gap = []matrices.Attention{matrices.Softmax}, []matrices.Gap{matrices.KeepGap}
	}
}

// Parameters implements run.Experiment.
func (g *Experiment) Parameters() []parameter.Parameter {
	return append(g.GridParameters(),
		parameter.Parameter{Name: "layers", Meaning: "layers L of the networks",
			Value: parameter.Wholes(&g.Layers, parameter.Range{Low: 1, High: 100})},
		parameter.Parameter{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets",
			Value:        parameter.Choice{Field: &g.Figure, Names: []string{"5", "6", "10"}},
			Inapplicable: run.WithoutPaper, Preset: true},
	)
}

// Validate implements run.Experiment.
func (g *Experiment) Validate() error {
	if err := parameter.Check(g.Parameters()); err != nil {
		return err
	}
	return g.ValidateNetworks(slices.Max(g.Layers))
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes the rows of one network after another.
func (g *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := g.Validate(); err != nil {
		return err
	}
	var networks []matrices.Network
	for _, k := range g.Kinds() {
		for _, layers := range g.Layers {
			for _, tokens := range g.Tokens {
				networks = append(networks, g.Network(k, tokens, layers))
			}
		}
	}
	return g.Sample(ctx, options, attention.Sampling{
		Networks:   networks,
		KeptLayers: func(n matrices.Network) int { return n.Layers },
		Measure: func(_ context.Context, w *matrices.Workspace, sample int64) ([]float64, error) {
			return w.Gradients(options.Seed, sample)
		},
		Write: func(n matrices.Network, layers []statistics.Estimate) error {
			return data.WriteRows(table, g.rowsOf(n, layers)...)
		},
	}, table)
}

// rowsOf returns the rows of a network from the estimated gradients of its layers.
func (g *Experiment) rowsOf(n matrices.Network, layers []statistics.Estimate) (rows []Row) {
	expected := expectedGradients(n)
	for l, gradient := range layers {
		rows = append(rows, Row{
			Sized: attention.SizedOf(n), Layers: int32(n.Layers), Layer: int32(l + 1), Samples: g.Samples,
			Gradient: gradient.Value, GradientStderr: gradient.Stderr,
			Expected: expected[l], Bound: gradientBound(n, l+1),
		})
	}
	return rows
}

// expectedGradients returns the theoretical means of the squared gradients with respect to the value matrices
// of a network. The means are NaN if the theory does not cover the network.
func expectedGradients(n matrices.Network) []float64 {
	if !attention.HasTheory(n) {
		return slices.Repeat([]float64{math.NaN()}, n.Layers)
	}
	sigma := n.Law.Deviation()
	variance := sigma * sigma
	if n.Law == matrices.Exponential {
		variance = spectrum.RowVariance(n.Tokens)
	}
	return spectrum.MeanGradients(n.Tokens, n.Dim, n.Layers, variance, n.Gap == matrices.KeepGap)
}

func gradientBound(n matrices.Network, layer int) float64 {
	if !attention.HasTheory(n) || n.Gap != matrices.KeepGap {
		return math.NaN()
	}
	return spectrum.GradientBound(layer, n.Layers, float64(n.Tokens), float64(n.Tokens)/float64(n.Dim))
}
