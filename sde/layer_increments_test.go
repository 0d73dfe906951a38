package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
)

// The increment of a layer is a matrix with standard deviation σ for the transformer, one scalar with
// standard deviation 1 for the hybrid, normal numbers of variance 1/L for the limits, and empty for the flow.
func TestIncrementsOfEachModel(t *testing.T) {
	const layer, trajectory = 3, 4
	for _, x := range []struct {
		model   Model
		scale   float64
		entries int
	}{
		{Transformer{Sigma: 0.7}, 0.7, 9}, {Hybrid{Epsilon: 0.9}, 1, 1}, {TransformerSDE{Sigma: 0.7}, 0.2, 9},
		{HybridSDE{Epsilon: 0.9}, 0.2, 1}, {Flow{}, 0, 0},
	} {
		model, scale, entries := x.model, x.scale, x.entries
		c := Cell{Model: model, Tokens: 2, Dim: 3, Beta: 1, Depth: 25, Start: UniformStart{}}
		stream := kernels.NewStream(8, 9)
		got, unit := make([]float64, entries), make([]float64, entries)
		model.draw(got, c.Depth, stream, trajectory, layer)
		stream.Normals(unit, 1, kernels.Increments, trajectory, layer)
		for k, g := range unit {
			if math.Abs(got[k]-scale*g) > 1e-15 {
				t.Errorf("%v: %v, want %v", model, got[k], scale*g)
			}
		}
		if c.IncrementLen() != entries {
			t.Errorf("%v: %d entries, want %d", model, c.IncrementLen(), entries)
		}
	}
}
