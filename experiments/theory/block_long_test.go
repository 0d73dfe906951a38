//go:build long

package theory

import (
	"math"
	"testing"

	"antipode/experiments/setting"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// blockComparison is a cell with an MLP, and the theoretical probabilities of its outcomes after some layers.
type blockComparison struct {
	cell              sde.Cell
	layers            int64
	antipodal, single float64
}

// blockComparisons returns 24 cells simulated by the chain at depths from 10 to 56, with the exact law at the
// depth, and 16 cells of tokens at depth 200, of which some have an MLP of width 1, 4 or 64 and the recursion
// and others a scheme of the limit. These 16 have the law of the limit at the horizon, which differs from
// that at their depth by about 1/200.
func blockComparisons(t *testing.T) (all []blockComparison) {
	t.Helper()
	activations := []activation.Activation{activation.Tanh, activation.ReLU, activation.GELU,
		activation.Linear, activation.Sin, activation.Erf, activation.Hermite3, activation.Tanh}
	for k := range 24 {
		c := blockCell([]int{2, 3, 4, 5, 6, 8}[k%6], 0.3+0.11*float64(k), activations[k%8], 0.03*float64(k+1),
			[]float64{0.5, 1, 4}[k%3], 10+2*k)
		if k%5 == 4 {
			c.Attention, c.Beta = sde.Unnormalized, 0.5*c.Beta
		}
		if k%3 == 1 {
			c.Drift = 0.2 * float64(1+k%4)
		}
		layers := int64(c.Depth) * int64(2+k%7)
		law := AtDepth(c, layers, 1e-2)
		all = append(all, blockComparison{c, layers, law.Antipodal, law.Single})
	}
	for k := range 16 {
		s := setting.Sublayers{MLP: setting.MLP{Activation: activations[k%8], Strength: 0.1 + 0.05*float64(k),
			Variance: 2, Width: []int{1, 4, 64, 4}[k%4]}}
		if k%3 == 2 {
			s.Drift = 0.4
		}
		c := s.With(sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: []int{3, 4, 5}[k%3],
			Beta: 0.8 + 0.1*float64(k), Depth: 200, Start: sde.UniformStart{}})
		if k >= 10 {
			scheme := []sde.Scheme{sde.Euler, sde.Geodesic, sde.Heun}[k%3]
			c.Model = sde.TransformerSDE{Sigma: 1, Scheme: scheme}
		}
		const horizon = 4
		d := must.Get(Diffusion(c))(t)
		law := must.Get(fokkerplanck.Uniform(d, []float64{horizon}, 1e-5))(t)
		at := HorizonOf(law[0], 1e-2)
		all = append(all, blockComparison{c, horizon * 200, at.Antipodal, at.Single})
	}
	return all
}

// Outcomes of 40 cells with MLPs, some with a drift, agree with the theory. With tolerance 0.01 each of 80
// fractions is within 4 standard errors, with 0.01 more for cells compared with infinite depth. The test
// fails by chance once in 200 seeds.
func TestBlocksAgainstSimulation(t *testing.T) {
	for k, c := range blockComparisons(t) {
		trajectories, bias := int64(8_000), 0.0
		if c.cell.Method == sde.Tokens {
			trajectories, bias = 1000, 0.01
		}
		counts := simulated(t, c.cell, c.layers, trajectories, 1e-2)
		for _, o := range []struct {
			outcome sphere.Outcome
			p       float64
		}{{sphere.Antipodal, c.antipodal}, {sphere.Single, c.single}} {
			if math.IsNaN(o.p) {
				t.Errorf("cell %d, %v: no theory", k, o.outcome)
				continue
			}
			n := float64(trajectories)
			fraction := float64(counts[o.outcome]) / n
			deviation := math.Sqrt(max(o.p*(1-o.p), 1/n) / n)
			t.Logf("cell %d, %v, %v: %v, theory %.6f, z = %.2f", k, c.cell.Model, o.outcome, fraction, o.p,
				(fraction-o.p)/deviation)
			if !(math.Abs(fraction-o.p) <= 4*deviation+bias) {
				t.Errorf("cell %d, %+v, %v: %v, theory %v", k, c.cell, o.outcome, fraction, o.p)
			}
		}
	}
}
