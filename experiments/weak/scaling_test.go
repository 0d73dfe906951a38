package weak

import (
	"math"
	"testing"

	"antipode/experiments/internal/fit"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// overlapVariances returns the variances of the overlap of two tokens at time ½ under the recursion, at
// several depths L with independent trajectories. The entries of value matrices have standard deviation σ(L).
func overlapVariances(t *testing.T, sigma func(depth float64) float64, trajectories int64,
	depths ...int) fit.Estimates {
	t.Helper()
	n := len(depths)
	out := fit.Estimates{Covariance: make([]float64, n*n)}
	for i, depth := range depths {
		sums := fit.NewMoments(2) // of the change z of the overlap, and of z²
		e := &sde.Ensemble[float64]{
			Cells: []sde.Cell{{
				Model: sde.Transformer{Sigma: sigma(float64(depth))}, Tokens: 2, Dim: 4, Beta: 1,
				Depth: depth, Start: sde.PairStart{Overlap: 0.2},
			}},
			Trajectories: trajectories, Layers: int64(depth / 2), Seed: 1,
			Observer: func(int) func(*float64, *sde.View) {
				return func(row *float64, v *sde.View) {
					*row = sphere.Dot(v.Tokens()[:4],
						v.Tokens()[4:]) - 0.2
				}
			},
			Reduce: func(_ int, _ int64, z float64) error { sums.Add([]float64{z, z * z}); return nil },
		}
		must.Do(t, e.Run(t.Context()))
		m := sums.Estimates(make([]int, 2))
		mean := m.Means[0]
		out.Depths = append(out.Depths, float64(depth))
		out.Means = append(out.Means, m.Means[1]-mean*mean)
		// By the delta method: the derivatives of the variance by the two means are -2·mean and 1.
		out.Covariance[i*n+i] = 4*mean*mean*m.Covariance[0] - 4*mean*m.Covariance[1] + m.Covariance[3]
	}
	return out
}

// Table 1: updates by V/L, which are σ = L^-½ in (4), lead to a differential equation without noise, here one
// of tokens at rest: the variance of the overlap falls like 1/L, and the 95 % interval of the order lies
// within 0.15 of 1. With V/√L there is noise in the limit: the variance converges to that of the
// Fokker-Planck equation, within 4.5 standard errors (one false alarm in 10^5 seeds).
func TestNoiseVanishesWithScalingOneOverDepth(t *testing.T) {
	depths := []int{8, 16, 32, 64, 128}
	vanishing := overlapVariances(t, func(depth float64) float64 { return 1 / math.Sqrt(depth) }, 4000,
		depths...)
	order, low, high := vanishing.Order(0)
	t.Logf("V/L: variances %.4g, order %.3f (%.3f to %.3f)", vanishing.Means, order, low, high)
	if !(low > 0.85 && high < 1.15) {
		t.Errorf("V/L: variances %.4g, order %.3f (%.3f to %.3f), want 1", vanishing.Means, order, low, high)
	}
	staying := overlapVariances(t, func(float64) float64 { return 1 }, 4000, depths...)
	diffusion := must.Get(overlap.New(4, 1, overlap.Softmax, 1))(t)
	laws := must.Get(fokkerplanck.From(diffusion, 0.2, []float64{0.5}, 1e-6))(t)
	mean := laws[0].Expectation(func(z float64) float64 { return z })
	want := laws[0].Expectation(func(z float64) float64 { return (z - mean) * (z - mean) })
	a, stderr, _ := atInfiniteDepth(staying)
	t.Logf("V/√L: variances %.4g, %.4f ± %.4f in the limit, theory %.4f", staying.Means, a, stderr, want)
	if !(math.Abs(a-want) <= 4.5*stderr) || want < 20*stderr {
		t.Errorf("V/√L: variance %.4f ± %.4f in the limit, theory %.4f", a, stderr, want)
	}
}
