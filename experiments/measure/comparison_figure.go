package measure

import (
	"fmt"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/wording"
)

// drawSeveral returns the figure of several files, with a line for each file in all plots. The plots show
// mean cosines of tokens with the curves of the theory, the changes of the mean cosines from the first file,
// stable ranks, and numbers of clusters.
func (m *Experiment) drawSeveral(table *data.Table) (*figure.Figure, error) {
	files, err := m.readAll(table)
	if err != nil {
		return nil, err
	}
	cosine := figure.NewPlot(quantities[0].name, "layer", "mean cosine")
	change := figure.NewPlot("Change from "+files[0].name, "layer", "change of the mean cosine")
	clusters := figure.NewPlot("Clusters by cosines of 0.9 or more", "layer", "")
	ranks := figure.NewPlot("Stable rank", "layer", "")
	cosine.Y.Low, cosine.Y.High, ranks.Y.Low, clusters.Y.Low, clusters.Y.High = 0, 1.02, 0, 0, 1
	change.Y.Range(-0.05, 0.05) // a wide range, so that small changes look small
	key, last := &figure.Key{}, 0
	for k, f := range files {
		stroke := figure.SeriesStroke(k%len(figure.SeriesColors), 1.6)
		last = max(last, len(f.rows)-1)
		curve := func(p *figure.Plot, value func(r LooseRow) float64) {
			if x, y := known(f.rows, value); len(x) > 0 {
				key.Add(f.name, p.Curve(k%len(figure.SeriesColors), x, y, stroke))
			}
		}
		for _, r := range f.rows {
			clusters.Y.High = max(clusters.Y.High, r.Tokens)
			if r.Overlap < -0.1 {
				cosine.Y.Low = -1
			}
		}
		curve(cosine, func(r LooseRow) float64 { return r.Overlap })
		curve(clusters, func(r LooseRow) float64 { return r.Ninety })
		curve(ranks, func(r LooseRow) float64 { return r.StableRank })
		if k > 0 {
			curve(change, func(r LooseRow) float64 {
				return r.Overlap - files[0].at(int(r.Layer), func(r LooseRow) float64 { return r.Overlap })
			})
		}
		if x, y := known(f.rows, func(r LooseRow) float64 { return r.Theory }); len(x) > 1 {
			thin := stroke
			thin.Width = 0.7
			cosine.Line(x, y, thin)
			key.Add("theory of "+f.name, thin)
		}
	}
	for _, p := range []*figure.Plot{cosine, change, clusters, ranks} {
		p.X.Ticks = figure.LayerTicks(int64(last))
		p.X.Low, p.X.High = 0, max(p.X.High, float64(last))
	}
	text := "antipode measure: " + captionNames(files)
	if m.Block != none {
		text += ", theory of " + m.Block
	}
	return figure.Pairs([]figure.Panel{{Plot: cosine}, {Plot: change}, {Plot: clusters}, {Plot: ranks}}, key,
		text)
}

// captionNames returns the names of the first four files for a caption. In a long name, dots take the place
// of the middle.
func captionNames(files []layers) string {
	const most, mostColumns = 4, 24
	var names []string
	for _, f := range files[:min(most, len(files))] {
		names = append(names, wording.Abbreviated(f.name, mostColumns))
	}
	text := strings.Join(names, ", ")
	if more := len(files) - most; more > 0 {
		return text + fmt.Sprintf(" and %d more", more)
	}
	return text
}
