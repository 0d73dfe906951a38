package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
)

// Every increment of a path from the normal number at its address, whose law is tested with the
// kernels: a base step of length h has √h·g, and the left half of a step of length s with increment D
// has D/2 + √s/2·g, of conditional variance s/4; up to the grain √h·2^-46 to which increments are
// rounded.
func TestEveryBridgeHasItsVariance(t *testing.T) {
	const seed, identity, trajectory = 3, 8, 11
	stream := kernels.NewStream(seed, identity)
	for _, base := range []int{1, 3, 100} {
		h := 1 / float64(base)
		path := NewBrownianPath(seed, identity, base, 2)
		normal, whole := make([]float64, 2), make([]float64, 2)
		left, right := make([]float64, 2), make([]float64, 2)
		check := func(what string, level int, got, want float64) {
			if math.Abs(got-want) > math.Sqrt(h)*0x1p-45 {
				t.Errorf("base %d, level %d: %s %v, want %v", base, level, what, got, want)
			}
		}
		const step = 5
		path.Increment(whole, trajectory, 0, step)
		stream.Normals(normal, 1, kernels.Paths, trajectory, step<<24)
		for e := range normal {
			check("base step", 0, whole[e], math.Sqrt(h)*normal[e])
		}
		for level := range 24 {
			k := int64(step)<<level + int64(0x5a5a5a)%(1<<level) // a step somewhere in the base step
			length := h / float64(int64(1)<<level)
			path.Increment(whole, trajectory, level, k)
			path.Increment(left, trajectory, level+1, 2*k)
			path.Increment(right, trajectory, level+1, 2*k+1)
			node := int64(step)<<24 + int64(1)<<level + (k - int64(step)<<level)
			stream.Normals(normal, 1, kernels.Paths, trajectory, node)
			for e := range normal {
				check("left half", level+1, left[e], whole[e]/2+math.Sqrt(length)/2*normal[e])
				check("right half", level+1, right[e], whole[e]/2-math.Sqrt(length)/2*normal[e])
			}
		}
	}
}

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
	for model, scale := range map[Model]float64{Transformer: 0.7, Hybrid: 1, TransformerSDE: 0.2,
		HybridSDE: 0.2, Flow: 0} {
		c := Cell{Model: model, Tokens: 2, Dim: 3, Beta: 1, Sigma: 0.7, Epsilon: 0.9, Depth: 25,
			Start: UniformStart{}}
		entries := 9
		if model == Hybrid || model == HybridSDE {
			entries = 1
		}
		stream := kernels.NewStream(8, 9)
		got, unit := make([]float64, entries), make([]float64, entries)
		c.draw(got, stream, trajectory, layer)
		stream.Normals(unit, 1, kernels.Increments, trajectory, layer)
		for k, g := range unit {
			if math.Abs(got[k]-scale*g) > 1e-15 {
				t.Errorf("%v: %v, want %v", model, got[k], scale*g)
			}
		}
		if model != Flow && c.IncrementLen() != entries {
			t.Errorf("%v: %d entries, want %d", model, c.IncrementLen(), entries)
		}
	}
}
