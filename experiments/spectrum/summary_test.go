package spectrum

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/sde/matrices"
	"antipode/sphere/must"
)

// With saved attention matrices, JSON has them, each row by row, from the table of a run that prints only
// JSON too. The mean of the numbers of outliers has no rounding error of its own.
func TestSavedMatricesInJSON(t *testing.T) {
	s := New()
	s.Tokens, s.Layers, s.Samples, s.Save = 4, 2, 3, saveAttention
	s.Attention = []matrices.Attention{matrices.Markov}
	table := experimenttest.Table(t, s, run.Options{Seed: 1, Brief: true})
	var text strings.Builder
	must.Do(t, s.WriteJSON(&text, table))
	var got summary
	must.Do(t, json.Unmarshal([]byte(text.String()), &got))
	if len(got.Matrices) != 2 || got.Matrices[1].Layer != 2 || len(got.Matrices[1].Samples) != 3 {
		t.Fatalf("%s", &text)
	}
	for _, r := range must.Get(data.RowsOf[Row](table))(t) {
		if r.Quantity != Entry {
			continue
		}
		at := int(r.Index - 1)
		if v := got.Matrices[r.Layer-1].Samples[r.Sample][at/4][at%4]; v != r.Value {
			t.Errorf("%+v: %v", r, v)
		}
	}
	s.Tokens, s.Samples, s.Save = 30, 10, saveValues // ten tenths are below 1 in float64
	text.Reset()
	must.Do(t, s.WriteJSON(&text, experimenttest.Table(t, s, run.Options{Seed: 1})))
	if !strings.Contains(text.String(), `"outliers":1,`) || strings.Contains(text.String(), "matrices") {
		t.Errorf("%s", &text)
	}
}

// A summary has the means over samples of the two largest singular values, the second times √T, of the number
// of values beyond the bulk, whose edge is 2σ/√T, and of the stable ranks. Here T = 9 and σ = 1, and values
// beyond ⅔ (1+4·9^(-⅔)) = 1.283 are outliers.
func TestSummaryOfKnownValues(t *testing.T) {
	s := New()
	s.Tokens, s.Samples = 9, 2
	values := [][]float64{{2, 1.29, 1.28, 0.5, 0.4, 0.3, 0.2, 0.1, 0},
		{1.5, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0}}
	var rows []Row
	for sample, of := range values {
		add := func(quantity Quantity, index int, value float64) {
			rows = append(rows, Row{Attention: matrices.Markov, Sample: int32(sample), Layer: 1,
				Quantity: quantity, Index: int32(index), Value: value, Imaginary: math.NaN()})
		}
		for k, v := range of {
			add(SingularValue, k+1, v)
		}
		add(StableRank, 1, 1.25+float64(sample))
		add(StableRankExcess, 1, 0.25+float64(sample))
	}
	read := must.Get(readLayers(experimenttest.TableOf(t, s, rows...)))(t)
	n := s.networks()[0]
	got := read.summarize(n)
	if !read.hasSummary(n) || got.Attention != "markov" || got.Tokens != 9 || got.Dim != 9 ||
		got.Samples != 2 || got.S1 != 1.75 || !(math.Abs(got.S2-2.985) <= 1e-14) || got.Edge != 2 ||
		got.Outliers != 1.5 || !slices.Equal(got.StableRank, []float64{1.75}) ||
		!slices.Equal(got.StableRankExcess, []float64{0.75}) {
		t.Errorf("%+v", got)
	}
	var text strings.Builder
	must.Do(t, s.Describe(&text, experimenttest.TableOf(t, s, rows...)))
	if !strings.Contains(text.String(), "1.5 outliers") || strings.Contains(text.String(), "Kolmogorov") {
		t.Errorf("%s", &text)
	}
	// A summary needs two singular values, and all ranks.
	for name, drop := range map[string]func(r Row) bool{
		"second value": func(r Row) bool { return r.Quantity == SingularValue && r.Index > 1 },
		"rank":         func(r Row) bool { return r.Quantity == StableRank },
		"excess":       func(r Row) bool { return r.Quantity == StableRankExcess },
	} {
		rest := slices.DeleteFunc(slices.Clone(rows), drop)
		if read := must.Get(readLayers(experimenttest.TableOf(t, s, rest...)))(t); read.hasSummary(n) {
			t.Errorf("without %s there is a summary", name)
		}
	}
}

// The bulk of the eigenvalues is enlarged if its radius is at most 0.15 of that of the plane, by a whole
// factor with which it fills 0.42 of that. A plane of zeros has the radius 1.
func TestEnlargedBulk(t *testing.T) {
	plane := func(eigen ...complex128) *figure.Plot {
		s := New()
		s.Tokens = int64(len(eigen))
		n := s.networks()[0]
		n.Attention = matrices.Softmax // without a circle
		l := &layered{s, map[layerKey]*layerValues{{matrices.Softmax, 1}: {eigen: [][]complex128{eigen}}}}
		return l.plane(n, 1)
	}
	for _, c := range []struct {
		bulk   float64
		factor string // "" if nothing is enlarged
	}{{0.3, "bulk × 2"}, {0.301, ""}, {0.11, "bulk × 7"}, {0, ""}} {
		p := plane(2, complex(0, c.bulk), complex(-c.bulk/2, 0))
		note := ""
		for _, m := range p.Marks {
			if n, is := m.(figure.Note); is {
				note = n.Text
			}
		}
		if note != c.factor || len(p.Marks) != map[bool]int{false: 2, true: 5}[c.factor != ""] {
			t.Errorf("bulk of %v: %q, %d marks", c.bulk, note, len(p.Marks))
		}
		if !(math.Abs(p.X.High-2.2) <= 1e-15 && math.Abs(p.X.Low+2.2) <= 1e-15 && p.Y.Low == p.X.Low &&
			p.Y.High == p.X.High) {
			t.Errorf("axes from %v to %v and %v to %v", p.X.Low, p.X.High, p.Y.Low, p.Y.High)
		}
		if c.factor == "bulk × 7" {
			dots := p.Marks[2].(figure.Dots).Points
			want := []figure.Point{{X: -1.2, Y: 1.2 + 0.77}, {X: -1.2 - 0.385, Y: 1.2}}
			for k := range dots {
				if !(math.Hypot(dots[k].X-want[k].X, dots[k].Y-want[k].Y) <= 1e-14) {
					t.Errorf("dots at %v, want %v", dots, want)
				}
			}
		}
	}
	if p := plane(0, 0); p.X.High != 1.1 || p.Y.Low != -1.1 {
		t.Errorf("zeros from %v to %v", p.X.Low, p.X.High)
	}
}

// Eigenvalues of absolute value ½ are not beyond it.
func TestValuesBeyondAHalf(t *testing.T) {
	within, outside := beyond([]complex128{0.5, 0.3 + 0.4i, 0.51, -0.6i})
	if len(within) != 2 || len(outside) != 2 || outside[0].X != 0.51 {
		t.Errorf("%v within, %v beyond", within, outside)
	}
}

// The caption of a figure has what differs from the default, and a scale of keys is a number up to 3 or
// xavier.
func TestSettingsOfSpectra(t *testing.T) {
	s := New()
	s.Tokens = 8
	if got := s.setting(); strings.Contains(got, "heads") || strings.Contains(got, "values") ||
		strings.Contains(got, "law") || strings.Contains(got, "skip") || strings.Contains(got, "keys") {
		t.Errorf("%s", got)
	}
	s.Heads, s.Skip, s.LayerNorm, s.KeyScale = 2, true, true, "2"
	s.Values, s.Law = matrices.OrthogonalValues, s.Law+1
	want := s.Law.String() + " law, orthogonal values, query and key entries of deviation 2, skip, " +
		"LayerNorm, 2 heads"
	if got := s.setting(); !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
	for text, allowed := range map[string]bool{"xavier": true, "3": true, "1e-9": true, "0": false,
		"3.1": false, "-1": false, "x": false, "": false, "nan": false} {
		field := "1"
		v := keyScale{&field}
		if err := v.Set(text); (err == nil) != allowed || !allowed && field != "1" || v.Check() != nil {
			t.Errorf("%q: %s, %v", text, field, err)
		}
	}
	field := "4"
	if (keyScale{&field}).Check() == nil {
		t.Error("4 is accepted")
	}
}

// The rows of a sample: three spectra of T values and two ranks for each layer, or what is asked for instead.
func TestRowsOfASample(t *testing.T) {
	for want, set := range map[int]func(s *Experiment){
		3 * 32:         func(s *Experiment) {},
		10 + 3*2:       func(s *Experiment) { s.brief = true },
		3 * (32 + 100): func(s *Experiment) { s.Save = saveAttention },
		3 * 4:          func(s *Experiment) { s.Tokens = 2001 },
		3 * 6002:       func(s *Experiment) { s.Tokens = 2000 },
	} {
		s := New()
		s.Tokens, s.Layers = 10, 3
		set(s)
		if got := s.rowsOfSample(); got != want {
			t.Errorf("%d rows, want %d", got, want)
		}
	}
}
