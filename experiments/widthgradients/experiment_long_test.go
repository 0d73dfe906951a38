//go:build long

package widthgradients

import (
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
	"antipode/sphere/must"
)

// With Markov matrices and without the gap gradients grow like T. This does not hold for softmax attention of
// the signal in deeper layers: at T = 200 the gradient by W₁ after two layers is some hundred times larger.
// As its law has heavy tails, the test requires 20 times, with 2 standard errors.
func TestSoftmaxOfTheSignalIsNotMarkov(t *testing.T) {
	g := New()
	g.Attention = []matrices.Attention{matrices.Markov, matrices.Softmax}
	g.Gap = []matrices.Gap{matrices.RemoveMeans}
	g.Tokens, g.Samples = []int{50, 100, 200}, 6
	curves := must.Get(readCurves(New(), experimenttest.Table(t, g, run.Options{Seed: 1})))(t)
	for _, c := range curves {
		if c.Layer == 1 {
			last := c.Last()
			t.Logf("%v, L = %d: gradient by W₁ %.4g ± %.2g", c.Kind, c.Layers, last.Value, last.Stderr)
			if limit := spectrum.MeanGradients(200, 200, c.Layers, 1,
				false)[0]; c.Attention == matrices.Softmax &&
				c.Layers == 2 && last.Value-2*last.Stderr < 20*limit {
				t.Errorf("gradient with softmax %.4g ± %.2g, of Markov matrices %.4g", last.Value,
					last.Stderr, limit)
			}
		}
	}
}
