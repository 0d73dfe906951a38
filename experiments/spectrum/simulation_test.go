package spectrum

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// signalValues are the singular values of the covariance behind the layers of a network.
func signalValues(t testing.TB, n matrices.Network, sample int64) []float64 {
	t.Helper()
	signal := n.Start(1, sample)
	for range n.Layers {
		if err := signal.Advance(); err != nil {
			t.Fatal(err)
		}
	}
	values, err := matrices.SingularValues(signal.X())
	if err != nil {
		t.Fatal(err)
	}
	squares := make([]float64, n.Tokens) // zeros included
	for k, v := range values {
		squares[k] = v * v
	}
	return squares
}

// Gradients of both gaps, three depths and every layer against their exact means: 12 means
// of 400 samples within 5 standard errors, which they leave once in 10^5 runs.
func TestGradientsHaveTheirMeans(t *testing.T) {
	g := NewWidthGradients()
	g.Tokens, g.Ratio, g.Samples = []int{16}, 1.6, 400
	table := experimenttest.Table(t, g, run.Options{Seed: 5})
	_, curves, err := readWidthGradients(table)
	if err != nil || len(curves) != 12 {
		t.Fatalf("%d curves, error %v", len(curves), err)
	}
	for _, c := range curves {
		if z := (c.mean[0] - c.limit[0]) / c.error[0]; math.Abs(z) > 5 || c.error[0] > 0.2*c.mean[0] {
			t.Errorf("%+v: %.4g ± %.2g, want %.4g", c.kind, c.mean[0], c.error[0], c.limit[0])
		}
	}
}

// The mean of the covariance's trace, which is exact at every size: 5 standard errors.
func TestTraceHasItsMean(t *testing.T) {
	for _, gap := range []bool{true, false} {
		n := matrices.Network{Tokens: 20, Dim: 12, Layers: 3, Heads: 1, RemoveGap: !gap}
		want := spectrum.MeanTrace(n.Tokens, n.Dim, n.Layers, spectrum.RowVariance(n.Tokens), gap)[3]
		var results [][]float64
		for sample := range int64(400) {
			trace := 0.0
			for _, v := range signalValues(t, n, sample) {
				trace += v
			}
			results = append(results, []float64{trace})
		}
		if got, standardError := moments(results, 0); math.Abs(got-want) > 5*standardError {
			t.Errorf("gap %v: mean trace %.5g ± %.2g, want %.5g", gap, got, standardError, want)
		}
	}
}

// The singular values of the covariance without the gap have the law of the product of
// matrices, with its atom: their distance falls with T, and at T = 160 it is 0.02 or less.
// It is near 1/T, not 1/√T, as eigenvalues repel each other.
func TestCovarianceHasItsLaw(t *testing.T) {
	for _, c := range []struct {
		layers int
		gamma  float64
	}{{1, 0.25}, {2, 1}, {2, 4}} {
		law, err := spectrum.Covariance(c.layers, c.gamma, 1)
		if err != nil {
			t.Fatal(err)
		}
		previous := 1.0
		for _, tokens := range []int{20, 160} {
			n := matrices.Network{Tokens: tokens, Dim: int(float64(tokens) / c.gamma), Layers: c.layers, Heads: 1, RemoveGap: true}
			var values []float64
			for sample := range int64(4) {
				values = append(values, signalValues(t, n, sample)...)
			}
			d := distance(values, law.Distribution)
			if tokens == 160 && d > 0.02 || d > previous {
				t.Errorf("%d layers, γ = %g, T = %d: distance %.3g after %.3g", c.layers, c.gamma, tokens, d, previous)
			}
			previous = d
		}
	}
}

func TestOutliers(t *testing.T) {
	for _, c := range []struct {
		gap  string
		want float64
	}{{keep, 1}, {remove, 0}} {
		s := NewSpectrum()
		s.Tokens, s.Gap, s.Attention, s.Brief = 150, c.gap, []string{"markov", "relu", "sigmoid"}, true
		table, err := readSpectrum(experimenttest.Table(t, s, run.Options{Seed: 1}))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range s.networks() {
			if got := table.summary(n).Outliers; got != c.want {
				t.Errorf("%v, gap %s: %g outliers a matrix, want %g", n.Attention, c.gap, got, c.want)
			}
		}
	}
}

// The summary is the same with the whole table as with the brief one; above 2000 tokens
// there is no figure, but a text.
func TestSpectrumSummary(t *testing.T) {
	summary := func(brief bool) string {
		s := NewSpectrum()
		s.Tokens, s.Layers, s.Attention, s.Brief = 30, 2, []string{"markov", "softmax"}, brief
		var text strings.Builder
		if err := s.WriteJSON(&text, experimenttest.Table(t, s, run.Options{Seed: 1})); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	whole, brief := summary(false), summary(true)
	for _, text := range []string{whole, brief} {
		for _, key := range []string{`[{"attention":"markov"`, `"s1":`, `"s2_sqrt_t":`, `"outliers":1,`, `"stable_rank":[1.`} {
			if !strings.Contains(text, key) {
				t.Errorf("no %s in %s", key, text)
			}
		}
	}
	var numbers [2][]float64
	for i, text := range []string{whole, brief} {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",:[]{}", r) }) {
			var x float64
			if _, err := fmt.Sscan(word, &x); err == nil {
				numbers[i] = append(numbers[i], x)
			}
		}
	}
	for k, x := range numbers[0] {
		if math.Abs(numbers[1][k]-x) > 1e-9*math.Abs(x) {
			t.Errorf("%v in the brief summary, %v in the other", numbers[1][k], x)
		}
	}
}

func TestFitRate(t *testing.T) {
	x, y, errors := []float64{100, 200, 400, 800}, make([]float64, 4), make([]float64, 4)
	for k := range x {
		y[k] = 3 * math.Pow(x[k], -1.5) * math.Exp(7/x[k])
		errors[k] = 0.01 * y[k]
	}
	r := fitRate(x, y, errors, 1)
	if math.Abs(r.value+1.5) > 1e-9 || math.Abs(r.high-r.value-(r.value-r.low)) > 1e-12 || !(r.high-r.low > 0.02 && r.high-r.low < 0.2) {
		t.Errorf("rate %+v, want -1.5", r)
	}
	// Two sizes: the error of a difference of two logarithms.
	r = fitRate(x[:2], []float64{1, 4}, []float64{0.1, 0.4}, 1)
	if want := 1.959963984540054 * 0.1 * math.Sqrt2 / math.Ln2; math.Abs(r.value-2) > 1e-12 || math.Abs(r.high-2-want) > 1e-9 {
		t.Errorf("rate %+v, want 2 ± %v", r, want)
	}
	if r = fitRate(x[:1], y[:1], errors[:1], 1); !math.IsNaN(r.value) {
		t.Errorf("rate %+v of one size", r)
	}
	if r = fitRate(x[:2], []float64{0, 4}, []float64{0, 0}, 1); !math.IsNaN(r.value) {
		t.Errorf("rate %+v of one positive mean", r)
	}
}

func TestBadParameters(t *testing.T) {
	spectrumWith := func(change func(s *Spectrum)) run.Experiment {
		s := NewSpectrum()
		change(s)
		return s
	}
	dim := int64(8)
	for want, e := range map[string]run.Experiment{
		"tokens 1: must be":                      spectrumWith(func(s *Spectrum) { s.Tokens = 1 }),
		"tokens 3000: must be at most 2000":      spectrumWith(func(s *Spectrum) { s.Tokens, s.Attention = 3000, []string{"softmax"} }),
		"dim 8: dimension 8: must be at least":   spectrumWith(func(s *Spectrum) { s.Dim, s.Skip = &dim, true }),
		"dim 8: heads 3: must divide":            spectrumWith(func(s *Spectrum) { s.Dim, s.Heads = &dim, 3 }),
		"tokens 100000: the run would need 149":  spectrumWith(func(s *Spectrum) { s.Tokens = 100_000 }),
		"overflows in layer":                     spectrumWith(func(s *Spectrum) { s.Tokens, s.Layers, s.Attention = 10, 50, []string{"linear"} }),
		"ratio 50: dimension 1: must be":         &StableRank{grid: gridWith(func(g *grid) { g.Ratio, g.Architecture = 50, []string{"layer-norm"} }), Layers: 1, Figure: "2"},
		"tokens 1: 1 is out of bounds":           &WidthGradients{grid: gridWith(func(g *grid) { g.Tokens = []int{1} }), Layers: []int{1}, Figure: "5"},
		"layers 0: 0 is out of bounds; must be ": &WidthGradients{grid: newGrid(), Layers: []int{0}, Figure: "5"},
	} {
		table := data.NewTable(run.Schema(e, 1))
		if err := e.Run(t.Context(), run.Options{Seed: 1}, table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func gridWith(change func(g *grid)) grid {
	g := newGrid()
	g.Tokens = []int{20}
	change(&g)
	return g
}

// Where rows of a table come from: the first layer's largest singular values.
func TestSpectrumTable(t *testing.T) {
	s := NewSpectrum()
	s.Tokens, s.Samples = 12, 2
	table := experimenttest.Table(t, s, run.Options{Seed: 1})
	r := columns.Reader{Table: table}
	if value := columns.Of[float64](&r, "value"); r.Err != nil || len(value) != 2*(3*12+2) {
		t.Fatalf("%d rows, error %v", len(value), r.Err)
	}
	read, err := readSpectrum(table)
	if err != nil {
		t.Fatal(err)
	}
	v := read.at(s.networks()[0], 1)
	for sample := range 2 {
		if n := len(v.singular[sample]); n != 12 || len(v.eigen[sample]) != 12 || len(v.covariance[sample]) != 12 {
			t.Errorf("sample %d has %d singular values", sample, n)
		}
		if math.Abs(real(v.eigen[sample][0])-1) > 1e-12 || v.rank[sample] != 1+v.excess[sample] {
			t.Errorf("sample %d: eigenvalue %v, stable rank %v", sample, v.eigen[sample][0], v.rank[sample])
		}
	}
}
