package training_test

import (
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
	"antipode/sphere/must"
)

// BenchmarkStep measures a step of networks with the sizes of the presets, in tokens per second.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		name                              string
		dim, heads, layers, tokens, batch int
	}{
		{"reverse", 16, 1, 5, 20, 128}, {"images", 24, 1, 32, 17, 32}, {"text", 64, 4, 24, 32, 16},
		{"one-layer", 64, 1, 1, 64, 16},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := network.Network{
				Dim: c.dim, Heads: c.heads, Layers: c.layers, Norm: network.PostNorm, AlphaSA: 1, AlphaMLP: 1,
				LayerNorm:  network.LayerNorm{Centred: true, Affine: true, Epsilon: 1e-5},
				Projection: true, Biases: true,
				QueryKey2: 1, Value2: 0.5, Projection2: 0.5, Hidden2: 0.5, Output2: 0.5,
			}
			m := training.Method{
				Optimiser: training.Optimiser{Rule: training.Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8},
				Schedule:  training.Schedule{Rate: 1e-4}, Steps: 1 << 20, Batch: c.batch, Accumulate: 1,
				Bound: 1e6, Validation: 1,
			}
			t, err := training.NewTrainer(n, tasks.Reverse{Digits: c.tokens, Kinds: 10, Seed: 1}, m, 1, 0)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				must.Do(b, t.Next())
			}
			b.ReportMetric(float64(b.N*c.tokens*c.batch)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
