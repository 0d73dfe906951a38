//go:build long

package threetokens

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
)

// In high dimension and at short times the fractions of simulated trajectories of recursion (4) are within 4
// standard errors of the theory and its error, which 9 numbers exceed by chance in one of 1,700 seeds. What
// 400 layers change is less than the standard errors.
func TestSimulatedTokensInHighDimension(t *testing.T) {
	for seed, c := range []struct {
		dim       int
		beta      float64
		attention sde.Attention
		horizon   float64
	}{
		{100, 1, sde.Softmax, 0.005}, {150, 1, sde.Unnormalized, 0.001}, {200, 4, sde.Softmax, 0.01},
	} {
		const tolerance, layers, trajectories = 0.3, 400, 10_000
		theory := overlap.Softmax
		if c.attention == sde.Unnormalized {
			theory = overlap.Unnormalized
		}
		laws, err := Uniform(c.dim, c.beta, theory, 1, []float64{c.horizon}, tolerance, 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		cell := sde.Cell{
			Model: sde.Transformer{Law: sde.Gaussian, Sigma: 1}, Attention: c.attention, Tokens: 3,
			Dim: c.dim, Depth: int(math.Round(layers / c.horizon)), Beta: c.beta, Start: sde.UniformStart{},
		}
		near, err := cell.Outcomes(t.Context(), uint64(seed), trajectories, layers, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		basin, err := cell.Outcomes(t.Context(), uint64(seed), trajectories, layers, 1-1e-12)
		if err != nil {
			t.Fatal(err)
		}
		for k, count := range []int64{
			near[sphere.Single], near[sphere.Antipodal], basin[sphere.Single],
		} {
			p := laws[0].all()[k]
			f := float64(count) / trajectories
			deviation := math.Sqrt(max(p.Value*(1-p.Value), 1.0/trajectories) / trajectories)
			t.Logf("%+v: probability %d simulated %.4f ± %.4f, theory %.6f ± %.1g", c, k, f, deviation,
				p.Value, p.Error)
			if !(math.Abs(f-p.Value) <= float64(4*deviation)+p.Error && p.Error <= 0.02) {
				t.Errorf("%+v: probability %d is %v, simulated %v ± %v", c, k, *p, f, deviation)
			}
		}
	}
}
