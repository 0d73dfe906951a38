package stablerank

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/attention"
	"antipode/sde/matrices"
)

func rowOf(kind attention.Kind, layer, tokens int32, excess, limit float64) Row {
	return Row{Sized: attention.Sized{Kind: kind, Tokens: tokens, Dim: tokens}, Layer: layer, Samples: 4,
		StableRank: 1 + excess, Excess: excess, ExcessStderr: 0.01, Limit: limit}
}

// In the first panel lines are the limit of the theory; in the others they connect the dots. Bars are 95 %
// intervals.
func TestFigure(t *testing.T) {
	s := New()
	s.Attention = []matrices.Attention{matrices.Softmax, matrices.Markov}
	s.Tokens, s.Samples, s.Layers = []int{10, 20}, 4, 2
	kinds := s.Kinds()
	var rows []Row
	for k, kind := range kinds {
		for _, layer := range []int32{1, 2} {
			for _, tokens := range []int32{10, 20} {
				x := float64(k+1) + float64(layer)/10 + float64(tokens)/100
				rows = append(rows, rowOf(kind, layer, tokens, x, 2*x))
			}
		}
	}
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
	stroke := func(k int) figure.Stroke { return figure.SeriesStroke(k, 1.3) }
	dot := func(x, y float64) []float64 {
		return []float64{x, y, y - 0.01959963984540054, y + 0.01959963984540054}
	}
	layers := figuretest.Read(t, drawn, 0, kinds[0].String(), "tokens T", "stable rank - 1")
	layers.Logarithmic(true, true)
	for k := range 2 {
		a, b := 1.1+0.1*float64(k+1), 1.2+0.1*float64(k+1)
		layers.Has(figuretest.DotsOf(k, append(dot(10, a), dot(20, b)...)...))
		layers.Has(figuretest.LineOf(stroke(k), 10, 2*a, 20, 2*b))
	}
	layers.Count(4)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels[:1], "layer 1", "layer 2")

	width := figuretest.Read(t, drawn, 1, "Layer 1", "tokens T", "stable rank")
	depth := figuretest.Read(t, drawn, 2, "T = 20", "layer", "stable rank")
	width.Logarithmic(true, true)
	depth.Logarithmic(false, true)
	for k := range kinds {
		x := float64(k + 1)
		width.Has(figuretest.LineOf(stroke(k), 10, x+1.2, 20, x+1.3))
		width.Has(figuretest.DotsOf(k, append(dot(10, x+1.2), dot(20, x+1.3)...)...))
		depth.Has(figuretest.LineOf(stroke(k), 1, x+1.3, 2, x+1.4))
	}
	depth.Range(depth.X, 0.8, 2.2)
	width.Count(2 * len(kinds))
	figuretest.Key(t, drawn.Key, drawn.Panels[1:], "softmax, gap kept", "softmax, gap removed",
		"markov, gap kept", "markov, gap removed")
}

// The figure of models has in each panel one of the statistics of each model. A bar is left out if its
// standard error is not known, or if it reaches down to 0 on a logarithmic axis.
func TestFigureOfModels(t *testing.T) {
	s := New()
	s.Figure = "3"
	s.Paper()
	s.Model, s.Tokens, s.Samples = s.Model[:1], []int{8, 16}, 2
	model := s.models()[0]
	row := func(layer, tokens int32, rank, rankError, cosine, cosineError float64) ModelRow {
		return ModelRow{Model: model, Layer: layer, Tokens: tokens, Samples: 2, StableRank: rank,
			StableRankStderr: rankError, Cosine: cosine, CosineStderr: cosineError}
	}
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s,
		row(0, 8, 3, 0.1, 0.2, 0.01), row(1, 8, 2, 0.7, 0.5, 0.4),
		row(0, 16, 5, 0.2, 0.1, 0.02), row(1, 16, 4, math.NaN(), 0.3, math.NaN())))
	stroke := figure.Stroke{Color: figure.SeriesColors[0], Width: 1.3}
	for k, c := range []struct {
		title, x, y string
		logX, logY  bool
		dots, line  []float64
	}{
		{"(a) layer 1", "tokens T", "stable rank of XXᵀ - 1", true, true,
			[]float64{8, 1, 1, 1, 16, 3, 3, 3}, []float64{8, 1, 16, 3}},
		{"(b) T = 16", "layer", "stable rank of XXᵀ - 1", false, true,
			[]float64{0, 4, 4 - 0.3919927969080108, 4 + 0.3919927969080108, 1, 3, 3, 3},
			[]float64{0, 4, 1, 3}},
		{"layer 1", "tokens T", "mean cosine", true, false,
			[]float64{8, 0.5, 0.5 - 0.7839855938160216, 0.5 + 0.7839855938160216, 16, 0.3, 0.3, 0.3},
			[]float64{8, 0.5, 16, 0.3}},
		{"T = 16", "layer", "mean cosine", false, false,
			[]float64{0, 0.1, 0.1 - 0.03919927969080108, 0.1 + 0.03919927969080108, 1, 0.3, 0.3, 0.3},
			[]float64{0, 0.1, 1, 0.3}},
	} {
		p := figuretest.Read(t, drawn, k, c.title, c.x, c.y)
		p.Logarithmic(c.logX, c.logY)
		p.Has(figuretest.DotsOf(0, c.dots...))
		p.Has(figuretest.LineOf(stroke, c.line...))
		p.Count(2)
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, model.String())
}

// The figure of a grid has a row of panels for each kind of attention, and a second one against depth if
// there are several layers.
func TestFigureOfAGrid(t *testing.T) {
	for layers, want := range map[int64]struct {
		panels int
		place  string
	}{1: {2, "; against width in layer 1; "},
		2: {4, "; above: against width in layer 1, below: against depth; "}} {
		s := New()
		s.Attention = []matrices.Attention{matrices.Softmax, matrices.Markov}
		s.Tokens, s.Samples, s.Layers = []int{10, 20}, 4, layers
		var rows []Row
		for _, kind := range s.Kinds() {
			for layer := range int32(layers) {
				rows = append(rows, rowOf(kind, layer+1, 10, 1, 2), rowOf(kind, layer+1, 20, 1.5, 2))
			}
		}
		table := experimenttest.TableOf(t, s, rows...)
		drawn, err := gridFigure(s, experimenttest.Must(readCurves(New(), table)), table)
		if err != nil || len(drawn.Panels) != want.panels || !strings.Contains(drawn.Caption, want.place) {
			t.Errorf("%d layers: %d panels, %q, error %v", layers, len(drawn.Panels), drawn.Caption, err)
		}
	}
}
