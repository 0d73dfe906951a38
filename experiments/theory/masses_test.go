package theory

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// Opposite clusters of one and two tokens with an MLP have the exact law after three units of time, both
// simulated as a chain with infinite width and as tokens with many hidden units. One of the four fractions is
// 4 standard errors off by chance in one of 4000 seeds.
func TestUnequalMassesBesideAnMLP(t *testing.T) {
	const dim, beta, depth, layers, tolerance, count = 4, 1.5, 20, 60, 1e-2, 3000
	m := overlap.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4}
	law, err := exactlaw.Clusters(dim, beta, overlap.Softmax, 1, 1, 2, depth)
	if err == nil {
		law, err = law.WithMLP(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := must.Get(law.From(-1, layers, tolerance, 1e-5))(t)
	for _, width := range []int{0, 256} {
		c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Tokens: 3, Dim: dim, Beta: beta,
			Depth: depth, Start: sde.OppositeStart{First: 1, Second: 2},
			MLP: sde.MLP{Activation: m.Activation, Strength: m.Strength, Variance: m.Variance, Width: width}}
		trajectories := int64(count)
		if width > 0 {
			c.Method, trajectories = sde.Tokens, count/5
		}
		seen := map[sphere.Outcome]float64{}
		ensemble := sde.Ensemble[sphere.Outcome]{
			Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: layers, Seed: 4,
			Observer: func(int) func(row *sphere.Outcome, v *sde.View) {
				return func(row *sphere.Outcome, v *sde.View) { *row, _ = v.Outcome(tolerance) }
			},
			Reduce: func(_ int, _ int64, row sphere.Outcome) error {
				seen[row]++
				return nil
			},
		}
		must.Do(t, ensemble.Run(t.Context()))
		n := float64(trajectories)
		for outcome, p := range map[sphere.Outcome]float64{
			sphere.Antipodal: want.Antipodal.Value, sphere.Single: want.Single.Value,
		} {
			off := (seen[outcome]/n - p) / math.Sqrt(p*(1-p)/n)
			t.Logf("width %d: %v of %v %v, law %.5f: %.1f standard errors", width, seen[outcome], n,
				outcome, p, off)
			if !(math.Abs(off) < 4) {
				t.Errorf("width %d: %v of %v are %v, law %v", width, seen[outcome], n, outcome, p)
			}
		}
	}
}
