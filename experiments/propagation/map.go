package propagation

import (
	"image/color"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/wording"
)

// isMap reports whether the curves have too many β and too many σ_w² for lines, so that the figure is a heat
// map.
func (p *Experiment) isMap() bool {
	most := len(figure.SeriesColors)
	return len(p.Block) == 1 && len(p.AlphaSA) == 1 && len(p.Beta) > most && len(p.SigmaW2) > most
}

// whole returns those curves whose last layer is in the table.
func (p *Experiment) whole(curves []curve) []curve {
	return slices.DeleteFunc(slices.Clone(curves),
		func(c curve) bool { return int64(c.last().Layer) < p.Layers })
}

// plane returns the heat map, over β and σ_w², of the cosine of tokens after the last layer.
func (p *Experiment) plane(curves []curve) (*figure.Figure, error) {
	m := figure.NewPlot("Cosine after "+wording.Count(p.Layers, "layer"),
		"scale of query and key weights, β",
		"σ_w²")
	var at []figure.Point
	var last []Row
	for _, c := range p.whole(curves) {
		r := c.last()
		at, last = append(at, figure.Point{X: r.Beta, Y: r.SigmaW2}), append(last, r)
	}
	columns := figure.Cells{Grid: figure.Distinct(p.Beta), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(p.SigmaW2), Low: 0, High: math.Inf(1)}
	m.Tiles(columns, lines, at, func(k int) color.Color { return figure.ProbabilityColor(last[k].Cosine) })
	bar := figure.ProbabilityBar(1)
	return figure.Single(520, 430, figure.Panel{Plot: m, Bar: &bar}, "antipode propagation: "+p.common())
}
