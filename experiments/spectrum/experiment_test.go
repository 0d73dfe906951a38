package spectrum

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/attention"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
	"antipode/sphere/must"
)

// signalValues returns the eigenvalues of the covariance XXᵀ after the layers of a network.
func signalValues(t testing.TB, n matrices.Network, sample int64) []float64 {
	t.Helper()
	signal := n.Start(1, sample)
	for range n.Layers {
		must.Do(t, signal.Advance())
	}
	values := must.Get(matrices.SingularValues(signal.X()))(t)
	squares := make([]float64, n.Tokens) // with zeros if there are fewer dimensions than tokens
	for k, v := range values {
		squares[k] = v * v
	}
	return squares
}

// The mean of the trace of the covariance, which is known exactly at every size, within 5 standard errors.
func TestTraceHasItsMean(t *testing.T) {
	for _, gap := range []bool{true, false} {
		n := matrices.Network{Tokens: 20, Dim: 12, Layers: 3, Heads: 1, Gap: gapIf(gap)}
		want := spectrum.MeanTrace(n.Tokens, n.Dim, n.Layers, spectrum.RowVariance(n.Tokens), gap)[3]
		var results [][]float64
		for sample := range int64(400) {
			trace := 0.0
			for _, v := range signalValues(t, n, sample) {
				trace += v
			}
			results = append(results, []float64{trace})
		}
		if got := attention.MeanOf(results, 0); !(math.Abs(got.Value-want) <= 5*got.Stderr) {
			t.Errorf("gap %v: mean trace %.5g ± %.2g, want %.5g", gap, got.Value, got.Stderr, want)
		}
	}
}

// The eigenvalues of the covariance without the gap have the law of a product of random matrices, with its
// atom. Their distance from the law falls with T, and is at most 0.02 at T = 160. It is of order 1/T, not
// 1/√T, as eigenvalues repel each other.
func TestCovarianceHasItsLaw(t *testing.T) {
	for _, c := range []struct {
		layers int
		gamma  float64
	}{{1, 0.25}, {2, 1}, {2, 4}} {
		law := must.Get(spectrum.Covariance(c.layers, c.gamma, 1))(t)
		previous := 1.0
		for _, tokens := range []int{20, 160} {
			n := matrices.Network{Tokens: tokens, Dim: int(float64(tokens) / c.gamma), Layers: c.layers,
				Heads: 1,
				Gap:   matrices.RemoveMeans}
			var values []float64
			for sample := range int64(4) {
				values = append(values, signalValues(t, n, sample)...)
			}
			d := distance(values, law.Distribution)
			if tokens == 160 && d > 0.02 || d > previous {
				t.Errorf("%d layers, γ = %g, T = %d: distance %.3g after %.3g", c.layers, c.gamma, tokens, d,
					previous)
			}
			previous = d
		}
	}
}

func TestOutliers(t *testing.T) {
	for _, c := range []struct {
		gap  matrices.Gap
		want float64
	}{{matrices.KeepGap, 1}, {matrices.RemoveMeans, 0}} {
		s := New()
		s.Tokens, s.Gap, s.Attention = 150, c.gap,
			[]matrices.Attention{matrices.Markov, matrices.ReLU, matrices.Sigmoid}
		table := must.Get(readLayers(experimenttest.Table(t, s, run.Options{Seed: 1, Brief: true})))(t)
		for _, n := range s.networks() {
			if got := table.summarize(n).Outliers; got != c.want {
				t.Errorf("%v, gap %v: %g outliers a matrix, want %g", n.Attention, c.gap, got, c.want)
			}
		}
	}
}

// The summary from a brief table is the same as that from a whole table.
func TestSpectrumSummary(t *testing.T) {
	summary := func(brief bool) string {
		s := New()
		s.Tokens, s.Layers, s.Attention = 30, 2, []matrices.Attention{matrices.Markov, matrices.Softmax}
		var text strings.Builder
		table := experimenttest.Table(t, s, run.Options{Seed: 1, Brief: brief})
		must.Do(t, s.WriteJSON(&text, table))
		return text.String()
	}
	whole, brief := summary(false), summary(true)
	for _, text := range []string{whole, brief} {
		for _, key := range []string{`[{"attention":"markov"`, `"s1":`, `"s2_sqrt_t":`, `"outliers":1,`,
			`"stable_rank":[1.`} {
			if !strings.Contains(text, key) {
				t.Errorf("no %s in %s", key, text)
			}
		}
	}
	var numbers [2][]float64
	for i, text := range []string{whole, brief} {
		for _, word := range strings.FieldsFunc(text,
			func(r rune) bool { return strings.ContainsRune(",:[]{}", r) }) {
			var x float64
			if _, err := fmt.Sscan(word, &x); err == nil {
				numbers[i] = append(numbers[i], x)
			}
		}
	}
	for k, x := range numbers[0] {
		if !(math.Abs(numbers[1][k]-x) <= 1e-9*math.Abs(x)) {
			t.Errorf("%v in the brief summary, %v in the other", numbers[1][k], x)
		}
	}
}

func TestBadParameters(t *testing.T) {
	spectrumWith := func(change func(s *Experiment)) run.Experiment {
		s := New()
		change(s)
		return s
	}
	dim := int64(8)
	for want, e := range map[string]run.Experiment{
		"tokens 1: must be": spectrumWith(func(s *Experiment) { s.Tokens = 1 }),
		"tokens 3000: must be at most 2000": spectrumWith(func(s *Experiment) {
			s.Tokens, s.Attention = 3000, []matrices.Attention{matrices.Softmax}
		}),
		"dim 8: dimension 8: must be at least": spectrumWith(func(s *Experiment) {
			s.Dim, s.Skip = &dim,
				true
		}),
		"dim 8: heads 3: must divide": spectrumWith(func(s *Experiment) {
			s.Dim, s.Heads = &dim,
				3
		}),
		"tokens 100000: the run would need 149": spectrumWith(func(s *Experiment) { s.Tokens = 100_000 }),
		"overflows in layer": spectrumWith(func(s *Experiment) {
			s.Tokens, s.Layers, s.Attention = 10, 50, []matrices.Attention{matrices.Linear}
		}),
	} {
		table := data.NewTable(run.Schema(e, 1))
		if err := e.Run(t.Context(), run.Options{Seed: 1}, table); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The table of a small run has all rows, and readLayers finds the values of each sample in them.
func TestSpectrumTable(t *testing.T) {
	s := New()
	s.Tokens, s.Samples = 12, 2
	table := experimenttest.Table(t, s, run.Options{Seed: 1})
	if table.Rows() != 2*(3*12+2) {
		t.Fatalf("%d rows", table.Rows())
	}
	read := must.Get(readLayers(table))(t)
	v := read.at(s.networks()[0], 1)
	for sample := range 2 {
		if n := len(v.singular[sample]); n != 12 || len(v.eigen[sample]) != 12 ||
			len(v.covariance[sample]) != 12 {
			t.Errorf("sample %d has %d singular values", sample, n)
		}
		if !(math.Abs(real(v.eigen[sample][0])-1) <= 1e-12) || v.rank[sample] != 1+v.excess[sample] {
			t.Errorf("sample %d: eigenvalue %v, stable rank %v", sample, v.eigen[sample][0], v.rank[sample])
		}
	}
}

// gapIf returns the treatment of the gap that keeps it, or the one that removes it.
func gapIf(kept bool) matrices.Gap {
	if kept {
		return matrices.KeepGap
	}
	return matrices.RemoveMeans
}
