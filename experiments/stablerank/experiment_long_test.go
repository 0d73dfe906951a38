//go:build long

package stablerank

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde/matrices"
	"antipode/sphere/must"
)

// Without the gap, sr(Σ_ℓ)/T tends to 0.0658 and 0.0336 for γ = 1 and ℓ = 1, 2. Means at T = 64 to 512,
// extrapolated by a straight line in T^(-2/3), are within 4 standard errors.
func TestStableRankWithoutTheGap(t *testing.T) {
	widths, want := []int{64, 128, 256, 512}, []float64{3 / math.Pow(27./4, 2), 5 / math.Pow(3125./256, 2)}
	s := New()
	s.Tokens, s.Layers, s.Gap, s.Samples = widths, 2, []matrices.Gap{matrices.RemoveMeans}, 12
	curves := must.Get(readCurves(New(), experimenttest.Table(t, s, run.Options{Seed: 4})))(t)
	for l, c := range curves {
		var x, share, errors []float64
		for _, p := range c.Points {
			x = append(x, math.Pow(p.Tokens, -2./3))
			share, errors = append(share, (1+p.Value)/p.Tokens), append(errors, p.Stderr/p.Tokens)
		}
		limit, standardError := intercept(x, share, errors)
		t.Logf("layer %d: sr/T = %.4g, in the limit %.4g ± %.2g, in theory %.4g", l+1, share, limit,
			standardError, want[l])
		if !(math.Abs(limit-want[l]) <= 4*standardError) || standardError > 0.1*want[l] {
			t.Errorf("layer %d: sr/T → %.4g ± %.2g, want %.4g", l+1, limit, standardError, want[l])
		}
	}
}

// intercept returns the intercept of a straight line through means, by weighted least squares, with its
// standard error.
func intercept(x, y, errors []float64) (value, standardError float64) {
	var s, sx, sxx, sy, sxy float64
	for k := range x {
		w := 1 / (errors[k] * errors[k])
		s, sx, sxx, sy, sxy = s+w, sx+w*x[k], sxx+w*x[k]*x[k], sy+w*y[k], sxy+w*x[k]*y[k]
	}
	determinant := s*sxx - sx*sx
	return (sxx*sy - sx*sxy) / determinant, math.Sqrt(sxx / determinant)
}

// With Markov matrices and without the gap the rank collapses slowly. This does not hold for softmax
// attention of the signal in deeper layers: at T = 200 the stable rank in layer 3 is less than half of that
// with Markov matrices.
func TestSoftmaxOfTheSignalIsNotMarkov(t *testing.T) {
	s := New()
	s.Attention = []matrices.Attention{matrices.Markov, matrices.Softmax}
	s.Gap = []matrices.Gap{matrices.RemoveMeans}
	s.Tokens, s.Samples = []int{200}, 6
	curves := must.Get(readCurves(New(), experimenttest.Table(t, s, run.Options{Seed: 1})))(t)
	for l := range 3 {
		markov, softmax := curves[l].Points[0], curves[3+l].Points[0]
		t.Logf("layer %d: stable rank %.4g ± %.2g, with softmax %.4g ± %.2g", l+1, 1+markov.Value,
			markov.Stderr, 1+softmax.Value, softmax.Stderr)
		if l == 2 && !(1+softmax.Value+5*softmax.Stderr < (1+markov.Value)/2) {
			t.Errorf("layer 3: stable rank %.4g with softmax, %.4g with Markov matrices", 1+softmax.Value,
				1+markov.Value)
		}
	}
}
