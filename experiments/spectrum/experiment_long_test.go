//go:build long

package spectrum

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde/matrices"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

// The Kolmogorov distances of singular values and eigenvalues from their laws fall with T, for every law of
// the entries. With the gap there is one outlier, without it none. Lognormal entries are an exception: up to
// T of about 10^5 single large entries make values beyond the bulk.
func TestSpectraHaveTheirLaws(t *testing.T) {
	for law := range matrices.Law(len(matrices.LawNames)) {
		previous := [2]float64{1, 1}
		for _, tokens := range []int{40, 110, 300} {
			s := New()
			s.Law, s.Tokens, s.Samples = law, int64(tokens), 2
			table := must.Get(readLayers(experimenttest.Table(t, s, run.Options{Seed: 2})))(t)
			n := s.networks()[0]
			singular, eigen := table.at(n, 1).distances(n)
			t.Logf("%s, T = %d: distances %.4f, %.4f, outliers %g", law, tokens, singular, eigen,
				table.summarize(n).Outliers)
			if singular > previous[0] || eigen > previous[1] || tokens == 300 &&
				(singular > 0.02 || eigen > 0.06) {
				t.Errorf("%s, T = %d: distances %.3g and %.3g after %.3g", law, tokens, singular, eigen,
					previous)
			}
			if got := table.summarize(n).Outliers; law != matrices.Lognormal && got != 1 || got < 1 {
				t.Errorf("%s, T = %d: %g outliers", law, tokens, got)
			}
			n.Gap = matrices.RemoveMeans
			for sample := range 2 {
				signal := n.Start(2, int64(sample))
				must.Do(t, signal.Advance())
				values := must.Get(matrices.SingularValues(signal.Attention(0)))(t)
				if got := outliers(n, values); law != matrices.Lognormal && got != 0 {
					t.Errorf("%s, T = %d: %d outliers without the gap", law, tokens, got)
				}
			}
			previous = [2]float64{singular, eigen}
		}
	}
}

// The largest singular value of √T A in the first layer, where A is the matrix of scores after the activation
// with its rows centred, tends to the edge by bulkEdge and not to 2σ_A. It does so for linear, logistic and
// ReLU attention, in which single large entries do not hide the edge; at T = 300 the difference is at most 4
// %.
func TestScoresHaveTheirEdge(t *testing.T) {
	for _, ratio := range []int{1, 4} {
		for attention, sigma := range map[matrices.Attention]float64{matrices.Linear: 1,
			matrices.Sigmoid: math.Sqrt(0.0433790358580929), matrices.ReLU: math.Sqrt(0.5 - 0.5/math.Pi)} {
			const tokens = 300
			n := matrices.Network{Attention: attention, Tokens: tokens, Dim: tokens / ratio, Layers: 1,
				Heads: 1,
				Gap:   matrices.RemoveMeans}
			largest := 0.0
			const samples = 3
			for sample := range int64(samples) {
				signal := n.Start(1, sample)
				must.Do(t, signal.Advance())
				largest += math.Sqrt(tokens) * mustLargest(t, signal.Attention(0)) / samples
			}
			edge := bulkEdge(n)
			t.Logf("%v, T/d = %d: s₁√T = %.4g, edge %.4g, 2σ_A = %.4g", attention, ratio, largest, edge,
				2*sigma)
			if !(math.Abs(largest-edge) <= 0.04*edge) || math.Abs(largest-2*sigma) < 0.15*2*sigma {
				t.Errorf("%v, T/d = %d: s₁√T = %.4g, edge %.4g, 2σ_A = %.4g", attention, ratio, largest, edge,
					2*sigma)
			}
		}
	}
}

func mustLargest(t testing.TB, m *mat.Dense) float64 {
	t.Helper()
	values := must.Get(matrices.SingularValues(m))(t)
	return values[0]
}
