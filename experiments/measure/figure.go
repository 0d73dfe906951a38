package measure

import (
	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/namedfile"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: the overlap with its quantiles against the layer, and the theory, beside
// the stable rank and the number of clusters.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	m := New()
	rows, err := m.read(table)
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	overlap := figure.NewPlot("Overlap of two tokens, dots; lines from 5 to 95 % of the pairs", "layer",
		"overlap")
	ranks := figure.NewPlot("Stable rank and clusters", "layer", "")
	for _, p := range []*plot.Plot{overlap, ranks} {
		p.X.Tick.Marker = figure.LayerTicks(int64(rows[len(rows)-1].Layer))
	}
	overlap.Y.Max, ranks.Y.Min = 1.02, 0
	dots := &figure.Intervals{}
	for _, r := range rows {
		if r.Overlap == r.Overlap {
			dots.Add(float64(r.Layer), r.Overlap, min(r.Low, r.Overlap), max(r.High, r.Overlap))
		}
	}
	if _, err := figure.AddDots(overlap, 0, dots); err != nil {
		return nil, err
	}
	for k, curve := range []struct {
		plot  *plot.Plot
		name  string
		value func(r Row) float64
	}{
		{overlap, "theory", func(r Row) float64 { return r.Theory }},
		{ranks, "stable rank", func(r Row) float64 { return r.StableRank }},
		{ranks, "clusters", func(r Row) float64 { return r.Clusters }},
	} {
		line, err := addCurve(curve.plot, k+1, rows, curve.value)
		if err != nil {
			return nil, err
		}
		if line != nil {
			key.Add(curve.name, line)
		}
	}
	text := "antipode measure: " + namedfile.Name(m.File)
	if m.Block != none {
		text += ", theory of " + m.Block
	}
	return figure.Panels([]figure.Panel{{Plot: overlap}, {Plot: ranks}}, key, text), nil
}

// addCurve adds the line of a value that is there, nil if it is nowhere.
func addCurve(p *plot.Plot, series int, rows []Row, value func(r Row) float64) (plot.Thumbnailer, error) {
	var x, y []float64
	for _, r := range rows {
		if v := value(r); v == v {
			x, y = append(x, float64(r.Layer)), append(y, v)
		}
	}
	if len(x) == 0 {
		return nil, nil
	}
	style := draw.LineStyle{Color: figure.SeriesColors[series], Width: vg.Length(1.6),
		Dashes: figure.SeriesDashes[series]}
	if len(x) == 1 {
		return &plotter.Line{LineStyle: style}, nil
	}
	return figure.AddLine(p, x, y, style)
}
