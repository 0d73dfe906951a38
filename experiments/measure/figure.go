package measure

import (
	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/namedfile"
)

// Draw implements run.Experiment. The figure of experiment measure shows the overlap of tokens with its
// quantiles against the layer, together with the theory, and beside it the stable rank and the number of
// clusters. Figures of two files with equal numbers of tokens have the same axes, except for the stable rank:
// the axis of overlaps begins at 0, or at -1 if an overlap is negative, and the axis of clusters ends at the
// number of tokens.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	m := New()
	if table.Schema.Index(headColumn) >= 0 {
		return m.drawWeights(table)
	}
	if table.Schema.Index(quantityColumn) >= 0 {
		return m.drawInference(table)
	}
	if table.Schema.Index(fileColumn) >= 0 {
		return m.drawSeveral(table)
	}
	rows, err := m.read(table)
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	overlap := figure.NewPlot("Overlap of two tokens, dots; lines from 5 to 95 % of the pairs", "layer",
		"overlap")
	ranks, clusters := figure.NewPlot("Stable rank", "layer", ""), figure.NewPlot("Clusters", "layer", "")
	for _, p := range []*figure.Plot{overlap, ranks, clusters} {
		p.X.Ticks = figure.LayerTicks(int64(rows[len(rows)-1].Layer))
	}
	overlap.Y.Low, overlap.Y.High, ranks.Y.Low, clusters.Y.Low, clusters.Y.High = 0, 1.02, 0, 0, 1
	var dots figure.Intervals
	for _, r := range rows {
		clusters.Y.High = max(clusters.Y.High, r.Tokens)
		if r.Low < 0 || r.Overlap < 0 {
			overlap.Y.Low = -1
		}
		if r.Overlap == r.Overlap {
			dots.Add(float64(r.Layer), r.Overlap, min(r.Low, r.Overlap), max(r.High, r.Overlap))
		}
	}
	overlap.Dots(0, dots)
	for k, curve := range []struct {
		plot  *figure.Plot
		name  string
		value func(r LooseRow) float64
	}{
		{overlap, "theory", func(r LooseRow) float64 { return r.Theory }},
		{ranks, "stable rank", func(r LooseRow) float64 { return r.StableRank }},
		{clusters, "clusters", func(r LooseRow) float64 { return r.Clusters }},
	} {
		if x, y := known(rows, curve.value); len(x) > 0 {
			stroke := figure.SeriesStroke(k+1, 1.6)
			curve.plot.Line(x, y, stroke)
			key.Add(curve.name, stroke)
		}
	}
	text := "antipode measure: " + namedfile.Name(m.File)
	if m.Block != none {
		text += ", theory of " + m.Block
	}
	return figure.Pairs([]figure.Panel{{Plot: overlap}, {Plot: ranks}, {Plot: clusters}}, key, text)
}

// known returns the layers in which a measured value is not NaN, and the values in these layers.
func known(rows []LooseRow, value func(r LooseRow) float64) (x, y []float64) {
	for _, r := range rows {
		if v := value(r); v == v {
			x, y = append(x, float64(r.Layer)), append(y, v)
		}
	}
	return x, y
}
