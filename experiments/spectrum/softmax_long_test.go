//go:build long

package spectrum

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// traces are tr XXᵀ and tr (XXᵀ)².
func traces(x *mat.Dense) (first, second float64) {
	var gram mat.Dense
	gram.Mul(x, x.T())
	norm := mat.Norm(&gram, 2)
	return mat.Trace(&gram), norm * norm
}

// Scores of the first layer: the largest singular value of √T A, rows centred, tends to the
// edge of Scores and not to 2σ_A, where single large entries do not hide it: for linear,
// logistic and positive parts of scores, which at T = 300 are within 4 % of it.
func TestScoresHaveTheirEdge(t *testing.T) {
	for _, ratio := range []int{1, 4} {
		for attention, sigma := range map[matrices.Attention]float64{matrices.Linear: 1, matrices.Sigmoid: math.Sqrt(0.0433790358580929), matrices.ReLU: math.Sqrt(0.5 - 0.5/math.Pi)} {
			const tokens = 300
			n := matrices.Network{Attention: attention, Tokens: tokens, Dim: tokens / ratio, Layers: 1, Heads: 1, RemoveGap: true}
			largest := 0.0
			const samples = 3
			for sample := range int64(samples) {
				signal := n.Start(1, sample)
				if err := signal.Advance(); err != nil {
					t.Fatal(err)
				}
				largest += math.Sqrt(tokens) * mustLargest(t, signal.Attention(0)) / samples
			}
			edge := bulkEdge(n)
			t.Logf("%v, T/d = %d: s₁√T = %.4g, edge %.4g, 2σ_A = %.4g", attention, ratio, largest, edge, 2*sigma)
			if math.Abs(largest-edge) > 0.04*edge || math.Abs(largest-2*sigma) < 0.15*2*sigma {
				t.Errorf("%v, T/d = %d: s₁√T = %.4g, edge %.4g, 2σ_A = %.4g", attention, ratio, largest, edge, 2*sigma)
			}
		}
	}
}

// What holds for Markov matrices and not for softmax of the signal in deeper layers (T =
// 200): without the gap gradients grow like T and the rank collapses slowly. With softmax
// the gradient by W₁ behind two layers is some hundred times larger (from 20 times on, with 2
// standard errors of a law of heavy tails), and the stable rank in
// layer 3 less than half.
func TestSoftmaxOfTheSignalIsNotMarkov(t *testing.T) {
	s := NewStableRank()
	s.Attention, s.Gap, s.Tokens, s.Samples = []string{"markov", "softmax"}, []string{remove}, []int{200}, 6
	_, curves, err := readStableRank(experimenttest.Table(t, s, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	for l := range 3 {
		markov, softmax := curves[l], curves[3+l]
		t.Logf("layer %d: stable rank %.4g ± %.2g, with softmax %.4g ± %.2g", l+1, 1+markov.mean[0], markov.error[0], 1+softmax.mean[0], softmax.error[0])
		if l == 2 && !(1+softmax.mean[0]+5*softmax.error[0] < (1+markov.mean[0])/2) {
			t.Errorf("layer 3: stable rank %.4g with softmax, %.4g with Markov matrices", 1+softmax.mean[0], 1+markov.mean[0])
		}
	}
	g := NewWidthGradients()
	g.Attention, g.Gap, g.Tokens, g.Samples = []string{"markov", "softmax"}, []string{remove}, []int{50, 100, 200}, 6
	_, curves, err = readWidthGradients(experimenttest.Table(t, g, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range curves {
		if c.layer == 1 {
			k := c.last()
			t.Logf("%v, L = %d: gradient by W₁ %.4g ± %.2g", c.kind, c.layers, c.mean[k], c.error[k])
			if limit := spectrum.MeanGradients(200, 200, c.layers, 1, false)[0]; c.attention == "softmax" && c.layers == 2 && c.mean[k]-2*c.error[k] < 20*limit {
				t.Errorf("gradient with softmax %.4g ± %.2g, of Markov matrices %.4g", c.mean[k], c.error[k], limit)
			}
		}
	}
}

func mustLargest(t testing.TB, m *mat.Dense) float64 {
	t.Helper()
	values, err := matrices.SingularValues(m)
	if err != nil {
		t.Fatal(err)
	}
	return values[0]
}
