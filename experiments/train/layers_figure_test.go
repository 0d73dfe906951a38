package train

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// The figure shows each layer before and after learning, as means over the seeds of a setting, each seed at
// its own last step. A quantity that no row has gets no panel.
func TestLayerFigure(t *testing.T) {
	e := New()
	e.Layers, e.Seeds, e.Steps, e.Every = []int{1, 2}, 2, 20, 10
	nan := math.NaN()
	var rows []Row
	add := func(run int32, layers int32, step int64, cosines ...float64) {
		rows = append(rows, Row{Run: run, Layers: layers, Step: step, Layer: nan})
		for l, cosine := range cosines {
			rows = append(rows, Row{Run: run, Layers: layers, Step: step, Layer: float64(l), Cosine: cosine,
				Clusters: 3 + cosine, Plus: nan, Minus: nan, TokenNorm: nan, Entropy: nan, Temperature: nan,
				Alpha: nan})
		}
	}
	add(0, 1, 0, 0.1, 0.2)
	add(0, 1, 20, 0.3, 0.4)
	add(1, 1, 0, 0.3, 0.4)
	add(1, 1, 10, 0.5, 0.8) // this run has diverged
	add(2, 2, 0, 0, 0.25, 0.75)
	add(2, 2, 20, 0.5, 0.5, 1)
	f, err := e.layerFigure(learningCurvesOf(e, rows), rows, &data.Table{})
	if err != nil {
		t.Fatal(err)
	}
	p := figuretest.Read(t, f, 0, "mean cosine of tokens", "layer", "")
	p.Has(figuretest.LineOf(figure.SeriesStroke(0, 0.5), 0, 0.2, 1, 0.3))
	p.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.5), 0, 0.4, 1, 0.6))
	p.Has(figuretest.LineOf(figure.SeriesStroke(1, 0.5), 0, 0, 1, 0.25, 2, 0.75))
	p.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.5), 0, 0.5, 1, 0.5, 2, 1))
	p.Count(4)
	if len(f.Panels) != 2 {
		t.Errorf("%d panels", len(f.Panels))
	}
}

// Each quantity of layers in the table has its own panel; so have the strengths of skip connections, if they
// are learned.
func TestPanelsOfLayers(t *testing.T) {
	titles := []string{"mean cosine of tokens", "clusters", "fraction of pairs at +1",
		"fraction of pairs at -1", "mean norm of a token", "entropy of attention, nats",
		"temperature τ that matches gradients", "strength of attention's skip connection"}
	for strengths, panels := range map[string]int{"none": 7, "skip": 8} {
		e := New()
		e.Layers, e.Seeds, e.Steps, e.Every, e.Strengths = []int{1}, 1, 20, 10, strengths
		rows := []Row{{Layers: 1, Layer: math.NaN()}, {Layers: 1, Step: 20, Layer: math.NaN()}}
		for l := range 2 {
			rows = append(rows, Row{Layers: 1, Step: 20, Layer: float64(l), Cosine: 0.25, Clusters: 3,
				Plus: 0.5, Minus: -0.5, TokenNorm: 2, Entropy: 1.5, Temperature: 0.75, Alpha: 0.8})
		}
		f, err := e.layerFigure(learningCurvesOf(e, rows), rows, &data.Table{})
		if err != nil || len(f.Panels) != panels {
			t.Fatalf("%s: error %v, %d panels, want %d", strengths, err, len(f.Panels), panels)
		}
		for k, value := range []float64{0.25, 3, 0.5, -0.5, 2, 1.5, 0.75, 0.8}[:panels] {
			p := figuretest.Read(t, f, k, titles[k], "layer", "")
			p.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.5), 0, value, 1, value))
			if p.Y.Low > 0 || p.Y.Low > value {
				t.Errorf("%s: from %g on", titles[k], p.Y.Low)
			}
		}
	}
}

// The report of layers describes the last step of each run, and names the layer with the largest value.
func TestDescribeLayers(t *testing.T) {
	e := New()
	e.Layers, e.Seeds, e.Steps, e.Every = []int{2}, 1, 20, 10
	rows := []Row{{Layers: 2, Layer: math.NaN()}, {Layers: 2, Step: 20, Layer: math.NaN()}}
	for l, plus := range []float64{0.25, 0.75, 0.5} {
		rows = append(rows, Row{Layers: 2, Step: 0, Layer: float64(l), Plus: 1, Temperature: 9},
			Row{Layers: 2, Step: 20, Layer: float64(l), Plus: plus, Temperature: float64(l) + 1.5})
	}
	var text strings.Builder
	if err := describeLayers(&text, learningCurvesOf(e, rows), rows); err != nil {
		t.Fatal(err)
	}
	want := "2 layers, post-norm, adam, in the end: of the pairs of tokens at most 0.75 (layer 1) at +1, " +
		"none at -1; τ goes from 1.5 at the input to 3.5 after the last layer.\n"
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
}
