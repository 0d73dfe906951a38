package spectrum

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// StableRank follows the stable rank of the signal's covariance against width and depth:
// rank collapse, with the gap kept and removed.
type StableRank struct {
	grid
	Layers int64  `json:"layers"`
	Figure string `json:"figure"` // whose parameters Paper sets
}

// NewStableRank returns the default parameters.
func NewStableRank() *StableRank { return &StableRank{grid: newGrid(), Layers: 3, Figure: "2"} }

// Name implements Experiment.
func (*StableRank) Name() string { return "stable-rank" }

// Help implements Experiment.
func (*StableRank) Help() (summary, description string) {
	return "stable rank of the signal against width and depth: rank collapse", `Sends orthonormal tokens through networks of attention layers of several widths and
writes the stable rank of the signal's covariance behind each layer, with its limit where
that is known: for markov attention alone it falls to 1 as T^(1-2l) in layer l when the
gap is kept, and is proportional to T when it is removed. Fits the power of T with a 95 %
interval; with four widths or more the fit allows for a correction.

Example: antipode stable-rank --tokens 250,500,1000 --layers 2 --samples 10`
}

// Paper sets the parameters of the paper's Fig. 2 or 4. It gives no sizes; those are ours.
func (s *StableRank) Paper() {
	figure := s.Figure
	*s = *NewStableRank()
	s.Figure, s.Samples = figure, 5
	s.Tokens, s.Attention = []int{100, 200, 400, 800}, []string{"markov", "softmax"}
	s.Architecture = architectureNames
	if s.Layers = 6; figure == "4" {
		s.Layers = 1
	}
}

// Parameters implements Experiment.
func (s *StableRank) Parameters() []parameter.Parameter {
	return append(s.parameters(),
		parameter.Parameter{Name: "layers", Meaning: "layers L", Value: parameter.Whole(&s.Layers, parameter.Range{Low: 1, High: matrices.MaxLayers})},
		parameter.Parameter{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets", Value: parameter.Choice{Field: &s.Figure, Names: []string{"2", "4"}},
			Idle: run.WithoutPaper, Preset: true},
	)
}

// Validate implements Experiment.
func (s *StableRank) Validate() error {
	if err := parameter.Check(s.Parameters()); err != nil {
		return err
	}
	return s.validate(int(s.Layers))
}

// Columns implements Experiment.
func (*StableRank) Columns() []data.Column {
	return append(kindColumns(),
		data.Column{Name: "layer", Kind: data.Int32, Meaning: "layers that the signal has passed"},
		data.Column{Name: "samples", Kind: data.Int64, Meaning: "independent networks"},
		data.Column{Name: "stable_rank", Kind: data.Float64, Meaning: "mean stable rank of the covariance"},
		data.Column{Name: "excess", Kind: data.Float64, Meaning: "the same minus 1, without rounding"},
		columns.Nullable("excess_stderr", "", "standard error of both; null for one sample"),
		columns.Nullable("limit", "", "the excess in leading order of many tokens; null where no theory covers the network"),
	)
}

// Run implements Experiment: the rows of one network after another.
func (s *StableRank) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	var networks []matrices.Network
	for _, k := range s.kinds() {
		for _, tokens := range s.Tokens {
			networks = append(networks, s.network(k, tokens, int(s.Layers)))
		}
	}
	return s.sampled(ctx, options, networks, func(matrices.Network) int { return 1 },
		func(ctx context.Context, n matrices.Network, sample int64) ([]float64, error) {
			return excesses(ctx, n, options.Seed, sample)
		},
		func(n matrices.Network, results [][]float64) error {
			values := kindValues(n, n.Layers)
			var layer []int32
			var rank, excess, errors, limit []float64
			for l := range n.Layers {
				mean, standardError := moments(results, l)
				layer, rank, excess = append(layer, int32(l+1)), append(rank, 1+mean), append(excess, mean)
				errors, limit = append(errors, standardError), append(limit, excessLimit(n, l+1))
			}
			return table.Write(append(values, data.Slice[int32](layer), data.Slice[int64](repeat(s.Samples, n.Layers)), data.Slice[float64](rank), data.Slice[float64](excess), data.Slice[float64](errors), data.Slice[float64](limit))...)
		}, table)
}

// excesses are sr(Σ_ℓ)-1 of a sample, layer by layer.
func excesses(ctx context.Context, n matrices.Network, seed uint64, sample int64) (values []float64, err error) {
	signal := n.Start(seed, sample)
	for range n.Layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := signal.Advance(); err != nil {
			return nil, err
		}
		excess, err := matrices.CovarianceExcess(signal.X())
		if err != nil {
			return nil, err
		}
		values = append(values, excess)
	}
	return values, nil
}

// excessLimit is sr(Σ_ℓ)-1 in leading order of many tokens, NaN where no theory covers the
// network.
func excessLimit(n matrices.Network, layer int) float64 {
	if !hasTheory(n) {
		return math.NaN()
	}
	tokens, gamma := float64(n.Tokens), float64(n.Tokens)/float64(n.Dim)
	if !n.RemoveGap {
		exponent, factor := spectrum.StableRankExcess(layer, gamma, n.Law.Deviation())
		return factor * math.Pow(tokens, float64(exponent))
	}
	share, err := spectrum.StableRankShare(layer, gamma)
	if err != nil {
		return math.NaN()
	}
	return share*tokens - 1
}
