package advise

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/overlap/stack"
	"antipode/sphere/must"
)

// checked returns an experiment of two layers with two simulated networks, and made-up rows.
func checked(t *testing.T) (*Experiment, []Row) {
	t.Helper()
	e := tiny(t, bert)
	e.Layers, e.Check = 2, 2
	row := func(layer int32, cosine float64) Row {
		r := data.NullRow[Row]()
		r.Layer, r.Cosine, r.Low, r.High = layer, cosine, cosine-0.1, cosine+0.2
		r.SimCosine, r.SimStderr, r.Inside, r.RankInside = cosine+0.05, 0.01, 1, 0.5
		return r
	}
	rows := []Row{row(0, 0.2), row(1, 0.3), row(2, 0.5)}
	rows[1].SimCosine, rows[2].Inside = 0.27, 0.4
	first, last := &rows[1], &rows[2]
	first.GradientInput, first.GradientQuery, first.GradientValue = 8, 6, 10
	first.GradientHidden, first.GradientOutput = 12, 14
	last.GradientInput, last.GradientQuery, last.GradientValue = 2, 3, 4
	last.GradientHidden, last.GradientOutput = 8, 4
	first.SimInput, first.SimQuery, first.SimValue, first.SimHidden, first.SimOutput = 9, 5, 11, 13, 17
	last.SimInput, last.SimQuery, last.SimValue, last.SimHidden, last.SimOutput = 3, 2, 5, 4, 4
	return e, rows
}

// The figure has lines of the theory and its band, and dots of networks; each kind of weights has its colour.
func TestFigure(t *testing.T) {
	e, rows := checked(t)
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	p := figuretest.Read(t, drawn, 0, "Cosine of tokens, band of 99 networks in 100", "layer", "mean cosine")
	p.Count(4)
	edge := figure.Stroke{Color: color.Gray{150}, Width: 0.8}
	p.Has(figuretest.LineOf(edge, 0, 0.1, 1, 0.2, 2, 0.4))
	p.Has(figuretest.LineOf(edge, 0, 0.4, 1, 0.5, 2, 0.7))
	line := figure.Stroke{Color: figure.SeriesColors[0], Width: 1.4}
	p.Has(figuretest.LineOf(line, 0, 0.2, 1, 0.3, 2, 0.5))
	const half = 0.01 * 1.959963984540054
	p.Has(figuretest.DotsOf(0, 0, 0.25, 0.25-half, 0.25+half, 1, 0.27, 0.27-half, 0.27+half, 2, 0.55,
		0.55-half, 0.55+half))
	p.Range(p.X, -0.3, 2.3)
	p = figuretest.Read(t, drawn, 1, "Gradients by layer", "layer", "squared norm over the last layer's")
	p.Count(10)
	p.Logarithmic(false, true)
	for k, of := range [][2]float64{{4, 3}, {2, 2.5}, {2.5, 2.2}, {1.5, 3.25}, {3.5, 4.25}} {
		stroke := figure.Stroke{Color: figure.SeriesColors[k], Width: 1.2,
			Dashes: figure.SeriesDashes[k%len(figure.SeriesDashes)]}
		p.Has(figuretest.LineOf(stroke, 1, of[0], 2, 1))
		p.Has(figuretest.DotsOf(k, 1, of[1], of[1], of[1], 2, 1, 1, 1))
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "input", "queries", "values", "MLP's first", "MLP's second")
}

// The report says what part of the simulated networks' layers is in the bands, how far their mean cosine is
// from the theory, and how the gradients of the first layer compare with those of the last.
func TestWordsOfACheck(t *testing.T) {
	e, rows := checked(t)
	var text strings.Builder
	must.Do(t, e.writeCheck(&text, rows, advice{}))
	const want = "\nSimulated: in 2 networks the cosine is in the band in 80.0 % of the layers, and its " +
		"mean differs from the theory by 0.05 at most; the stable rank is in its band in 50.0 % of the " +
		"layers.\nSquared gradients of the first layer divided by those of the last, with the theory in " +
		"brackets: input 3 (4), queries 2.5 (2), " +
		"values 2.2 (2.5), MLP 3.25 (1.5) and 4.25 (3.5).\n"
	if text.String() != want {
		t.Errorf("%s", &text)
	}
	e.Check = 0
	text.Reset()
	if err := e.writeCheck(&text, rows, advice{}); err != nil || text.Len() > 0 {
		t.Errorf("without networks: %q, %v", &text, err)
	}
}

// For each critical value the report says on which side of it the architecture is.
func TestWordsOfSides(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	common := advice{Depth90: 20, Depth99: -1, CriticalSkip: 0.5, CriticalBeta: 1.25,
		Signal: stack.Signal{Margin: 4.5, Growth: 0.75}}
	for name, c := range map[string]struct {
		change func(e *Experiment, a *advice)
		want   []string
	}{
		"as it is": {func(*Experiment, *advice) {}, []string{
			"cosine above 0.9             after layer 20 ",
			"cosine above 0.99            not within 2000 layers ",
			"β_c/β = 4.5 at least: attention is spread",
			"α_c = 0.5, α_SA = 0.75: 1.5 times the needed strength",
			"not above d-2 = 38; they would stay above β_c = 1.25",
			"input has 0.75 times the gradient of the last ",
			"cosine above 0.6 at the end",
		}},
		"few layers": {func(e *Experiment, a *advice) { e.Layers = 19 },
			[]string{"after layer 20, if there were so many layers"}},
		"many layers": {func(e *Experiment, a *advice) { e.Layers = 3000 },
			[]string{"not within 3000 layers"}},
		"condensing": {func(e *Experiment, a *advice) { a.Margin = 1.01 },
			[]string{"1.01 at least: attention begins to condense"}},
		"condensed": {func(e *Experiment, a *advice) { a.Margin, a.Growth = 0.5, inf },
			[]string{"0.5 at least: attention is condensed on a few", "input has ∞ times"}},
		"no scores": {func(e *Experiment, a *advice) { a.Margin = inf },
			[]string{"β_c/β = ∞ at least: attention is spread"}},
		"too little": {func(e *Experiment, a *advice) { a.CriticalSkip = 3 },
			[]string{"only 0.25 of the needed strength"}},
		"any is": {func(e *Experiment, a *advice) { a.CriticalSkip = 0 },
			[]string{"α_SA = 0.75: any is enough"}},
		"none is": {func(e *Experiment, a *advice) { a.CriticalSkip = nan },
			[]string{"at the end  none is enough"}},
		"on a circle": {func(e *Experiment, a *advice) { a.CriticalBeta = nan },
			[]string{"always, as d = 2"}},
	} {
		e, a := New(), common
		e.Layers, e.Dim, e.AlphaSA, e.Collapse = 24, 40, 0.75, 0.6
		c.change(e, &a)
		var text strings.Builder
		must.Do(t, e.writeSides(&text, nil, a))
		for _, want := range c.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: %q is not in%s", name, want, &text)
			}
		}
	}
}

// Choosing a model sets the whole shape: nothing that was set before remains.
func TestModelsSetTheWholeShape(t *testing.T) {
	for _, model := range modelNames {
		e, fresh := New(), New()
		fresh.be(model)
		e.be(llama)
		e.Query, e.Value, e.Hidden, e.Output, e.Projection, e.Embedding = 1, 2, 3, 4, nil, 5
		e.AlphaSA, e.AlphaMLP, e.BranchSA, e.BranchMLP, e.Bias, e.Epsilon = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6
		e.Features, e.Types, e.Start, e.Input, e.Tokens = 7, 8, 0.9, given, 10
		e.be(model)
		if got, want := e.shape(), fresh.shape(); got != want {
			t.Errorf("%s: %+v, want %+v", model, got, want)
		}
		if got, want := e.initialisation(), fresh.initialisation(); got != want {
			t.Errorf("%s: %s\nnot %s", model, got, want)
		}
	}
}
