package attention

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// Sampling says what is measured in the samples of random attention networks.
type Sampling struct {
	Networks []matrices.Network
	// KeptLayers returns the number of layers of a network that are in memory at the same time.
	KeptLayers func(n matrices.Network) int
	// Measure returns a number for each layer of the network sample with the given index. The workspace w has
	// the memory for the network.
	Measure func(ctx context.Context, w *matrices.Workspace, sample int64) ([]float64, error)
	// Write receives the means over all samples of a network, one mean for each layer.
	Write func(n matrices.Network, layers []statistics.Estimate) error
}

// Sample measures all samples of all networks and passes the means to s.Write. If the options select a shard,
// the rows of its samples are written to the sink shard instead.
func (g *Grid) Sample(ctx context.Context, options run.Options, s Sampling, shard data.Sink) error {
	memory, needs := g.needs(s, options)
	needs = needs.Of(options.Part, int64(len(s.Networks))*g.Samples)
	if err := run.CheckCost(memory, needs, options, g.GridParameters(), "tokens", "samples"); err != nil {
		return err
	}
	of := func(piece int) matrices.Network { return s.Networks[piece/int(g.Samples)] }
	return run.Pieces{
		Count:  len(s.Networks) * int(g.Samples),
		Length: func(piece int) int { return of(piece).Layers },
		Worker: func() func(context.Context, int) ([]float64, error) {
			var w *matrices.Workspace
			return func(ctx context.Context, piece int) ([]float64, error) {
				n := of(piece)
				if w == nil || w.Network() != n {
					w = n.Workspace()
				}
				numbers, err := s.Measure(ctx, w, int64(piece)%g.Samples)
				if err != nil && ctx.Err() == nil {
					err = TooDeep(n, err)
				}
				return numbers, err
			}
		},
		Take: run.Gathered(g.Samples, func(k int, results [][]float64) error {
			n := s.Networks[k]
			mean := func(l int) statistics.Estimate { return MeanOf(results, l) }
			return s.Write(n, lists.Of(n.Layers, mean))
		}),
	}.Run(ctx, options, shard)
}

// needs returns the memory of the run in bytes, the time of the run and the size of its results.
func (g *Grid) needs(s Sampling, options run.Options) (memory float64, needs run.Needs) {
	workers := options.WorkersFor(int64(len(s.Networks)) * g.Samples)
	for _, n := range s.Networks {
		kept := s.KeptLayers(n)
		memory = max(memory, n.Memory(kept)*workers)
		layer := n.Operations()*float64(1+kept) + Cube(n.Tokens)*ProductCost
		needs.Seconds += layer * float64(n.Layers) * float64(g.Samples) * PerOperation / workers
		needs.Rows += float64(n.Layers)
		needs.Kept += 8 * float64(n.Layers) * float64(g.Samples)
	}
	return memory, needs
}

// MeanOf estimates the mean of the k-th number of each result.
func MeanOf(results [][]float64, k int) statistics.Estimate {
	return statistics.EstimateOf(results, func(r []float64) float64 { return r[k] })
}
