package spectrum

import (
	"context"
	"fmt"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// grid are networks of several kinds and sizes: the parameters that StableRank and
// WidthGradients have in common.
type grid struct {
	Attention    []string `json:"attention"`
	Law          string   `json:"law"`
	Tokens       []int    `json:"tokens"`
	Ratio        float64  `json:"ratio"` // γ = T/D
	Gap          []string `json:"gap"`
	Architecture []string `json:"architecture"`
	Samples      int64    `json:"samples"`
}

func newGrid() grid {
	return grid{
		Attention: []string{matrices.Markov.String()}, Law: matrices.Exponential.String(), Tokens: []int{25, 50, 100, 200}, Ratio: 1,
		Gap: []string{keep, remove}, Architecture: []string{"plain"}, Samples: 20,
	}
}

func (g *grid) parameters() []parameter.Parameter {
	return []parameter.Parameter{
		attentionParameter(&g.Attention),
		lawParameter(&g.Law, g.Attention),
		{Name: "tokens", Meaning: "tokens T", Value: parameter.Wholes(&g.Tokens, parameter.Range{Low: 2, High: denseTokens})},
		{Name: "ratio", Meaning: "γ = T/D, up to rounding of the dimension D of the signal", Value: parameter.Real(&g.Ratio, parameter.Range{Low: 0.01, High: 100})},
		gapsParameter(&g.Gap),
		architectureParameter(&g.Architecture),
		samplesParameter(&g.Samples),
	}
}

// kind is what networks of all sizes have in common.
type kind struct{ attention, gap, architecture string }

func (k kind) String() string {
	return fmt.Sprintf("%s, %s, gap %s", k.attention, k.architecture, pastGap[k.gap])
}

func (g *grid) kinds() (kinds []kind) {
	for _, attention := range g.Attention {
		for _, architecture := range g.Architecture {
			for _, gap := range g.Gap {
				kinds = append(kinds, kind{attention, gap, architecture})
			}
		}
	}
	return kinds
}

// network is that of a kind, with one head.
func (g *grid) network(k kind, tokens, layers int) matrices.Network {
	return withArchitecture(matrices.Network{
		Attention: attentionOf(k.attention), Law: lawOf(g.Law), Tokens: tokens, Dim: max(1, int(math.Round(float64(tokens)/g.Ratio))),
		Layers: layers, Heads: 1, RemoveGap: k.gap == remove,
	}, k.architecture)
}

// validate checks all networks of some depth.
func (g *grid) validate(layers int) error {
	for _, k := range g.kinds() {
		for _, tokens := range g.Tokens {
			if err := g.network(k, tokens, layers).Validate(); err != nil {
				return problem("ratio", parameter.FormatReal(g.Ratio), err)
			}
		}
	}
	return nil
}

// setting is what all networks have in common, for a caption.
func (g *grid) setting() string {
	text := fmt.Sprintf("γ = %s, %d samples", parameter.FormatReal(g.Ratio), g.Samples)
	if g.Law != matrices.Exponential.String() {
		text += ", " + g.Law + " law"
	}
	if kinds := g.kinds(); len(kinds) == 1 {
		text = kinds[0].String() + ", " + text
	}
	return text
}

// sampled runs measure for every sample of every network, and hands the results of a network
// on, for each sample a number of each layer. The rows of a shard it hands to writeShard.
func (g *grid) sampled(ctx context.Context, options run.Options, networks []matrices.Network, keptLayers func(n matrices.Network) int,
	measure func(ctx context.Context, n matrices.Network, sample int64) ([]float64, error),
	write func(n matrices.Network, results [][]float64) error, shard data.Sink) error {
	all := g.parameters()
	tasks := int64(len(networks)) * g.Samples
	memory, needs := 0.0, run.Needs{}
	for _, n := range networks {
		memory = max(memory, n.Memory(keptLayers(n))*workersOf(options.Workers, tasks))
		layer := n.Operations()*float64(1+keptLayers(n)) + cube(n.Tokens)*productCost
		needs.Seconds += layer * float64(n.Layers) * float64(g.Samples) * perOperation / workersOf(options.Workers, tasks)
		needs.Bytes += 8 * float64(n.Layers) * float64(g.Samples)
	}
	if options.Shards == nil {
		if err := run.CheckCost(memory, needs.Of(options.Part), options, all[2], all[len(all)-1]); err != nil {
			return err
		}
	}
	of := func(piece int) matrices.Network { return networks[piece/int(g.Samples)] }
	var results [][]float64
	return run.Pieces{
		Count:  int(tasks),
		Length: func(piece int) int { return of(piece).Layers },
		Worker: func() func(context.Context, int) ([]float64, error) {
			return func(ctx context.Context, piece int) ([]float64, error) {
				numbers, err := measure(ctx, of(piece), int64(piece)%g.Samples)
				if err != nil && ctx.Err() == nil {
					err = tooDeep(of(piece), err)
				}
				return numbers, err
			}
		},
		Take: func(piece int, numbers []float64) error {
			if results = append(results, numbers); int64(len(results)) < g.Samples {
				return nil
			}
			defer func() { results = nil }()
			return write(of(piece), results)
		},
	}.Run(ctx, options, shard)
}

// ShardColumns describe the table of a shard.
func (*grid) ShardColumns() []data.Column { return run.PieceColumns() }

// moments are the mean and its standard error of a number of each sample; the error is NaN
// for a single one.
func moments(results [][]float64, k int) (mean, standardError float64) {
	n := float64(len(results))
	for _, r := range results {
		mean += r[k] / n
	}
	square := 0.0
	for _, r := range results {
		square += (r[k] - mean) * (r[k] - mean)
	}
	if n < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(square / (n - 1) / n)
}

// kindColumns begin the tables of grids.
func kindColumns() []data.Column {
	return []data.Column{
		{Name: "attention", Kind: data.Label, Labels: matrices.AttentionNames, Meaning: "kind of attention"},
		{Name: "gap", Kind: data.Label, Labels: gapNames, Meaning: "whether the gap is kept"},
		{Name: "architecture", Kind: data.Label, Labels: architectureNames, Meaning: "what follows attention"},
		{Name: "tokens", Kind: data.Int32, Meaning: "tokens T"},
		{Name: "dim", Kind: data.Int32, Meaning: "dimension D of the signal"},
	}
}

// kindValues are the values of kindColumns in the rows of a network.
func kindValues(n matrices.Network, rows int) []data.Values {
	var gap, architecture int8
	if n.RemoveGap {
		gap = 1
	}
	if n.Skip {
		architecture++
	}
	if n.LayerNorm {
		architecture += 2
	}
	return []data.Values{data.Slice[int8](repeat(int8(n.Attention), rows)), data.Slice[int8](repeat(gap, rows)), data.Slice[int8](repeat(architecture, rows)), data.Slice[int32](repeat(int32(n.Tokens), rows)), data.Slice[int32](repeat(int32(n.Dim), rows))}
}

func repeat[T any](value T, rows int) []T {
	values := make([]T, rows)
	for k := range values {
		values[k] = value
	}
	return values
}

// readKinds reads kindColumns.
func readKinds(r *columns.Reader) (kinds []kind, tokens []int32) {
	attention, gap, architecture := columns.Of[int8](r, "attention"), columns.Of[int8](r, "gap"), columns.Of[int8](r, "architecture")
	for k := range attention {
		kinds = append(kinds, kind{matrices.AttentionNames[attention[k]], gapNames[gap[k]], architectureNames[architecture[k]]})
	}
	return kinds, columns.Of[int32](r, "tokens")
}

// rateText is a fitted rate with its interval.
func rateText(r rate) string {
	if math.IsNaN(r.value) {
		return "a power that cannot be fitted"
	}
	if math.IsNaN(r.low) {
		return fmt.Sprintf("T^%.3f", r.value)
	}
	return strings.ReplaceAll(fmt.Sprintf("T^%.3f (95%%: %.3f to %.3f)", r.value, r.low, r.high), "-", "−")
}
