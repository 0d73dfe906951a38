package spectrum

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// WidthGradients follows the norm of the gradients of the signal by the value matrices
// against width and depth.
type WidthGradients struct {
	grid
	Layers []int  `json:"layers"` // L of the networks
	Figure string `json:"figure"` // whose parameters Paper sets
}

// NewWidthGradients returns the default parameters.
func NewWidthGradients() *WidthGradients {
	return &WidthGradients{grid: newGrid(), Layers: []int{1, 2, 3}, Figure: "5"}
}

// Name implements Experiment.
func (*WidthGradients) Name() string { return "width-gradients" }

// Help implements Experiment.
func (*WidthGradients) Help() (summary, description string) {
	return "gradients by the value matrices against width: where they explode", `Sends orthonormal tokens through networks of attention layers of several widths and
depths and writes for each layer l the squared norm of the derivative of the output by
its value matrix W_l, by reverse mode for a random direction of the output, beside its
exact mean and the paper's bound where they are known: for markov attention alone it
grows like T^L when the gap is kept (like T for L = 1), and like T when it is removed.
Fits the power of T with a 95 % interval; with four widths or more the fit allows for
a correction.

Example: antipode width-gradients --tokens 100,200,400,800 --layers 1,2 --samples 10`
}

// Paper sets the parameters of the paper's Fig. 5, 6 or 10. It gives no sizes; those are
// ours.
func (g *WidthGradients) Paper() {
	name := g.Figure
	*g = *NewWidthGradients()
	g.Figure, g.Samples = name, 5
	g.Attention, g.Architecture = []string{"markov", "softmax"}, architectureNames
	switch name {
	case "5":
		g.Tokens, g.Layers = []int{100, 200, 400, 800}, []int{1}
	case "6":
		g.Tokens, g.Layers, g.Architecture = []int{200}, []int{1, 2, 3, 4, 5, 6}, []string{"plain", "layer-norm"}
	case "10":
		g.Tokens, g.Layers, g.Architecture = []int{50, 100, 200, 400}, []int{1, 2, 3, 4}, []string{"plain"}
		g.Attention, g.Gap = []string{"softmax"}, []string{keep}
	}
}

// Parameters implements Experiment.
func (g *WidthGradients) Parameters() []parameter.Parameter {
	return append(g.parameters(),
		parameter.Parameter{Name: "layers", Meaning: "layers L of the networks", Value: parameter.Wholes(&g.Layers, parameter.Range{Low: 1, High: 100})},
		parameter.Parameter{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets", Value: parameter.Choice{Field: &g.Figure, Names: []string{"5", "6", "10"}},
			Idle: run.WithoutPaper, Preset: true},
	)
}

// Validate implements Experiment.
func (g *WidthGradients) Validate() error {
	if err := parameter.Check(g.Parameters()); err != nil {
		return err
	}
	return g.validate(slices.Max(g.Layers))
}

// Columns implements Experiment.
func (*WidthGradients) Columns() []data.Column {
	return append(kindColumns(),
		data.Column{Name: "layers", Kind: data.Int32, Meaning: "layers L of the network"},
		data.Column{Name: "layer", Kind: data.Int32, Meaning: "layer of the value matrix"},
		data.Column{Name: "samples", Kind: data.Int64, Meaning: "independent networks"},
		data.Column{Name: "gradient", Kind: data.Float64, Meaning: "mean squared norm of the derivative of the signal behind all layers by the value matrix"},
		columns.Nullable("gradient_stderr", "", "its standard error; null for one sample"),
		columns.Nullable("expected", "", "its mean in theory: exact for the exponential law, in leading order for others; null where no theory covers the network"),
		columns.Nullable("bound", "", "lower bound of Prop. 4 for many tokens, with the gap; null where no theory covers the network"),
	)
}

// Run implements Experiment: the rows of one network after another.
func (g *WidthGradients) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := g.Validate(); err != nil {
		return err
	}
	var networks []matrices.Network
	for _, k := range g.kinds() {
		for _, layers := range g.Layers {
			for _, tokens := range g.Tokens {
				networks = append(networks, g.network(k, tokens, layers))
			}
		}
	}
	return g.sampled(ctx, options, networks, func(n matrices.Network) int { return n.Layers },
		func(_ context.Context, n matrices.Network, sample int64) ([]float64, error) {
			return n.Gradients(options.Seed, sample)
		},
		func(n matrices.Network, results [][]float64) error {
			values := append(kindValues(n, n.Layers), data.Slice[int32](repeat(int32(n.Layers), n.Layers)))
			var layer []int32
			var gradient, errors, bound []float64
			for l := range n.Layers {
				mean, standardError := moments(results, l)
				layer, gradient, errors = append(layer, int32(l+1)), append(gradient, mean), append(errors, standardError)
				bound = append(bound, gradientBound(n, l+1))
			}
			return table.Write(append(values, data.Slice[int32](layer), data.Slice[int64](repeat(g.Samples, n.Layers)), data.Slice[float64](gradient), data.Slice[float64](errors), data.Slice[float64](expectedGradients(n)), data.Slice[float64](bound))...)
		}, table)
}

// expectedGradients are the means of a network in theory, NaN where that does not cover it.
func expectedGradients(n matrices.Network) []float64 {
	if !hasTheory(n) {
		return repeat(math.NaN(), n.Layers)
	}
	sigma := n.Law.Deviation()
	variance := sigma * sigma
	if n.Law == matrices.Exponential {
		variance = spectrum.RowVariance(n.Tokens)
	}
	return spectrum.MeanGradients(n.Tokens, n.Dim, n.Layers, variance, !n.RemoveGap)
}

func gradientBound(n matrices.Network, layer int) float64 {
	if !hasTheory(n) || n.RemoveGap {
		return math.NaN()
	}
	return spectrum.GradientBound(layer, n.Layers, float64(n.Tokens), float64(n.Tokens)/float64(n.Dim))
}
