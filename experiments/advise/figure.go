package advise

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Draw implements run.Experiment. The left plot shows the mean cosine of tokens after each layer with its
// band. The right plot shows squared gradients by layer, with a line for each kind of weight matrix. Dots
// show simulated networks.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	rows, err := e.layers(table)
	if err != nil {
		return nil, err
	}
	setting := e.title()
	if e.Check > 0 {
		setting += fmt.Sprintf("; dots: %s, ± 2 standard errors", wording.Count(e.Check, "simulated network"))
	}
	cosine, gradients, key := cosinePlot(rows), figure.NewPlot("Gradients by layer", "layer",
		"squared norm over the last layer's"), &figure.Key{}
	gradients.Y.Logarithmic = true
	gradients.X = cosine.X
	for k, kind := range kinds {
		kind.add(gradients, key, k, rows)
	}
	return figure.Pairs([]figure.Panel{{Plot: cosine}, {Plot: gradients}}, key,
		run.Caption(table, setting))
}

// cosinePlot plots the mean cosine of tokens by layer: the theory, its band, and simulated networks.
func cosinePlot(rows []Row) *figure.Plot {
	p := figure.NewPlot("Cosine of tokens, band of 99 networks in 100", "layer", "mean cosine")
	var layers, values, low, high []float64
	var dots figure.Intervals
	for _, r := range rows {
		layers, values = append(layers, float64(r.Layer)), append(values, r.Cosine)
		low, high = append(low, r.Low), append(high, r.High)
		if !math.IsNaN(r.SimCosine) {
			dots.AddAround(float64(r.Layer), r.SimCosine, statistics.Quantile95*r.SimStderr)
		}
	}
	edge := figure.Stroke{Color: color.Gray{150}, Width: 0.8}
	p.Line(layers, low, edge)
	p.Line(layers, high, edge)
	p.Line(layers, values, figure.Stroke{Color: figure.SeriesColors[0], Width: 1.4})
	p.Dots(0, dots)
	p.X.Range(-0.3, layers[len(layers)-1]+0.3)
	return p
}

// kind is a kind of weight matrix whose gradients the figure shows.
type kind struct {
	name string
	of   func(r Row) (theory, simulated float64)
}

var kinds = []kind{
	{"input", func(r Row) (float64, float64) { return r.GradientInput, r.SimInput }},
	{"queries", func(r Row) (float64, float64) { return r.GradientQuery, r.SimQuery }},
	{"values", func(r Row) (float64, float64) { return r.GradientValue, r.SimValue }},
	{"MLP's first", func(r Row) (float64, float64) { return r.GradientHidden, r.SimHidden }},
	{"MLP's second", func(r Row) (float64, float64) { return r.GradientOutput, r.SimOutput }},
}

// add adds to a plot the line of the gradients with respect to a kind of weight matrix, and the dots of
// simulated networks.
func (k kind) add(p *figure.Plot, key *figure.Key, series int, rows []Row) {
	stroke := figure.Stroke{Color: figure.SeriesColors[series], Width: 1.2,
		Dashes: figure.SeriesDashes[series%len(figure.SeriesDashes)]}
	last, lastSimulated := k.of(rows[len(rows)-1])
	var x, y []float64
	var dots figure.Intervals
	for _, r := range rows[1:] {
		theory, simulated := k.of(r)
		if !(theory > 0 && last > 0) {
			continue
		}
		x, y = append(x, float64(r.Layer)), append(y, theory/last)
		if v := simulated / lastSimulated; v > 0 && !math.IsInf(v, 1) {
			dots.Add(float64(r.Layer), v, v, v)
		}
	}
	if len(x) == 0 {
		return
	}
	key.Add(k.name, stroke)
	p.Line(x, y, stroke)
	p.Dots(series, dots)
}
