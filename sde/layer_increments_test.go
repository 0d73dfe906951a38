package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/activation"
	"antipode/sphere/must"
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
			if !(math.Abs(got[k]-scale*g) <= 1e-15) {
				t.Errorf("%v: %v, want %v", model, got[k], scale*g)
			}
		}
		if c.IncrementLen() != entries {
			t.Errorf("%v: %d entries, want %d", model, c.IncrementLen(), entries)
		}
	}
}

// All numbers of a layer with sublayers have the covariance of their law, by its definition: those of
// different heads, of scores and of the MLP are independent, and a value matrix V has E V_ab V_cd = σ²(A δ_ac
// δ_bd + B δ_ad δ_bc + C δ_ab δ_cd). 1000 layers, |z| ≤ 6 in 2,300 entries: a false alarm in 100,000 seeds.
func TestIncrementsOfSublayers(t *testing.T) {
	const layers, dim, depth = 1000, 2, 25
	mixed := Covariance{A: 0.8, B: 0.6, C: 0.3}
	mlp := MLP{Activation: activation.Tanh, Strength: 0.6, Variance: 2, Width: 3}
	for _, x := range []struct {
		cell   Cell
		values int                        // numbers of the values of all heads
		want   func(i, j int) (v float64) // their covariance
	}{
		{Cell{Model: Transformer{Sigma: 1.3, Covariance: mixed}, Heads: 3, MLP: mlp,
			Resampling: Resampling{Spread: 0.8, Keys: 3}}, 12,
			func(i, j int) float64 { return 1.69 * sameMatrix(mixed, i, j) }},
		{Cell{Model: Transformer{Sigma: 1.3, Law: Uniform}, Heads: 2, Drift: 0.7,
			Resampling: Resampling{Spread: 0.8}}, 8,
			func(i, j int) float64 { return 1.69 * sameMatrix(Covariance{A: 1}, i, j) }},
		{Cell{Model: Hybrid{Epsilon: 0.9, Law: Rademacher}, MLP: mlp, Resampling: Resampling{Spread: 0.8}}, 1,
			func(i, j int) float64 { return 1 }},
		{Cell{Model: TransformerSDE{Sigma: 0.7, Covariance: mixed}, MLP: mlp}, 4,
			func(i, j int) float64 { return sameMatrix(Covariance{A: 1}, i, j) / depth }},
	} {
		c := x.cell
		c.Tokens, c.Dim, c.Beta, c.Depth, c.Start = 2, dim, 0.9, depth, UniformStart{}
		must.Do(t, c.Validate())
		draw, increment := c.sublayersDraw(16), make([]float64, NewStepper(c).IncrementLen())
		sums, n := make([]float64, len(increment)*len(increment)), len(increment)
		for layer := range int64(layers) {
			draw(increment, kernels.NewStream(16, c.ID()), 5, layer)
			for i, v := range increment {
				for j, w := range increment[:i+1] {
					sums[i*n+j] += v * w / layers
				}
			}
		}
		want := func(i, j int) float64 {
			switch {
			case max(i, j) < x.values:
				return x.want(i, j)
			case i == j:
				return 1
			}
			return 0
		}
		for i := range n {
			for j := range i + 1 {
				deviation := math.Sqrt((want(i, i)*want(j, j) + want(i, j)*want(i, j)) / layers)
				if z := (sums[i*n+j] - want(i, j)) / deviation; !(math.Abs(z) <= 6) {
					t.Errorf("%v, numbers %d and %d: covariance %v, want %v, z = %.1f", c.Model, i, j,
						sums[i*n+j], want(i, j), z)
				}
			}
		}
	}
}

// sameMatrix is the covariance of numbers i and j of 2×2 matrices one after the other, for σ = 1.
func sameMatrix(v Covariance, i, j int) (covariance float64) {
	a, b, c, d := i%4/2, i%2, j%4/2, j%2
	if i/4 != j/4 {
		return 0
	}
	if a == c && b == d {
		covariance += v.A
	}
	if a == d && b == c {
		covariance += v.B
	}
	if a == b && c == d {
		covariance += v.C
	}
	return covariance
}
