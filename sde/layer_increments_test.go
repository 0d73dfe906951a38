package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
)

// A law draws the stream's numbers times what makes their standard deviation σ: √3 for the uniform
// law on ±1, and the inverse of √(1 - 4φ(2)/(2Φ(2)-1)) for the normal law cut at ±2.
func TestLawsScaleTheDraws(t *testing.T) {
	const sigma = 0.37
	truncated := math.Sqrt(1 - 4*math.Exp(-2)/math.Sqrt(2*math.Pi)/math.Erf(math.Sqrt2))
	stream := kernels.NewStream(4, 5)
	lanes := kernels.NewLanes(stream, 1)
	for k := range 8 {
		lanes.Set(k, kernels.Increments, 6, int64(k))
	}
	type fill = func(dst []float64, scale float64, purpose kernels.Purpose, trajectory, step int64)
	for law, c := range map[Law]struct {
		fill  fill
		scale float64
	}{
		Gaussian: {stream.Normals, sigma}, Uniform: {stream.Uniforms, sigma * 1.7320508075688772},
		TruncatedNormal: {stream.TruncatedNormals, sigma / truncated}, Rademacher: {stream.Signs, sigma},
	} {
		unit, got, vectors := make([]float64, 5), make([]float64, 5), make([]kernels.Vector, 5)
		law.drawLanes(vectors, sigma, lanes)
		for step := range int64(8) {
			c.fill(unit, 1, kernels.Increments, 6, step)
			law.draw(got, sigma, stream, 6, step)
			for k, g := range unit {
				if want := c.scale * g; math.Abs(got[k]-want) > 1e-15 || vectors[k][step] != got[k] {
					t.Errorf("%v: %v, in lanes %v, want %v", law, got[k], vectors[k][step], want)
				}
			}
		}
	}
}

// The increment of a layer: a matrix of standard deviation σ, one scalar of standard deviation 1, or
// normal numbers of variance 1/L, and nothing for the flow.
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
