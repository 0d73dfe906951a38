package attention

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// Sampling says what is measured in every sample of the networks.
type Sampling struct {
	Networks []matrices.Network
	// KeptLayers returns the number of layers of a network that are in memory at the same time.
	KeptLayers func(n matrices.Network) int
	// Measure returns a number for each layer of a sample; w is memory for its network.
	Measure func(ctx context.Context, w *matrices.Workspace, sample int64) ([]float64, error)
	// Write receives the means over the samples of a network, layer by layer.
	Write func(n matrices.Network, layers []statistics.Estimate) error
}

// Sample measures every sample of every network. In a shard, the rows are written to shard.
func (g *Grid) Sample(ctx context.Context, options run.Options, s Sampling, shard data.Sink) error {
	if options.Shards == nil {
		memory, needs := g.needs(s, options)
		all := g.GridParameters()
		needs = needs.Of(options.Part, int64(len(s.Networks))*g.Samples)
		if err := run.CheckCost(memory, needs, options, all[2], all[len(all)-1]); err != nil {
			return err
		}
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

// needs returns the memory in bytes, and the time of the run and the size of its results.
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

// MeanOf estimates the mean of the k-th number of each sample.
func MeanOf(results [][]float64, k int) statistics.Estimate {
	return statistics.EstimateOf(results, func(r []float64) float64 { return r[k] })
}
