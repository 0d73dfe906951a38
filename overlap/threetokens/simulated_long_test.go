//go:build long

package threetokens

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
)

// In 6 cells the fractions of simulated trajectories of recursion (4) are within 4 standard errors, which 18
// numbers exceed by chance in one of 880 seeds; what a depth of 150 changes is within the standard errors. In
// the first of the cells it is 3000.
func TestSimulatedTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(40, 3))
	for cell := range 6 {
		dim := 2 + random.IntN(8)
		beta := math.Round(300*random.Float64()) / 100
		horizon := math.Round(10*(5+25*random.Float64())/float64(dim)) / 10
		sigma := math.Round(100*(0.8+0.4*random.Float64())) / 100
		const tolerance, trajectories = 0.05, 1000
		depth := 150
		if cell == 0 {
			depth = 3000
		}
		laws, err := Uniform(dim, beta, overlap.Softmax, sigma, []float64{horizon}, tolerance, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		c := sde.Cell{Model: sde.Transformer{Law: sde.Gaussian, Sigma: sigma},
			Tokens: 3, Dim: dim, Depth: depth, Beta: beta, Start: sde.UniformStart{}}
		layers := int64(math.Round(horizon * float64(depth)))
		strict, err := c.Outcomes(t.Context(), uint64(cell), trajectories, layers, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		basin, err := c.Outcomes(t.Context(), uint64(cell), trajectories, layers, 1-1e-12)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []struct {
			name  string
			p     overlap.Probability
			count int64
		}{
			{"single", laws[0].Single, strict[sphere.Single]},
			{"two against one", laws[0].TwoAgainstOne, strict[sphere.Antipodal]},
			{"single by basin", laws[0].SingleBasin, basin[sphere.Single]},
		} {
			f := float64(o.count) / trajectories
			off := (f - o.p.Value) / math.Sqrt(max(o.p.Value*(1-o.p.Value), 1.0/trajectories)/trajectories)
			text := fmt.Sprintf("d=%d β=%g T=%g σ=%g L=%d %s: simulated %.4f, theory %.6f ± %.1g: z = %.2f",
				dim, beta, horizon, sigma, depth, o.name, f, o.p.Value, o.p.Error, off)
			if !(math.Abs(off) <= 4) {
				t.Error(text)
			} else {
				t.Log(text)
			}
		}
	}
}
