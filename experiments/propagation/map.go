package propagation

import (
	"image/color"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/wording"

	"gonum.org/v1/plot/vg/draw"
)

// isMap reports whether the curves span a plane of β and σ_w² with too many points for lines.
func (p *Experiment) isMap() bool {
	most := len(figure.SeriesColors)
	return len(p.Block) == 1 && len(p.AlphaSA) == 1 && len(p.Beta) > most && len(p.SigmaW2) > most
}

// whole are the curves that the table has to the last layer.
func (p *Experiment) whole(curves []curve) []curve {
	return slices.DeleteFunc(slices.Clone(curves),
		func(c curve) bool { return int64(c.last().Layer) < p.Layers })
}

// plane is the map of the cosine behind the last layer over β and σ_w².
func (p *Experiment) plane(curves []curve) (*figure.Figure, error) {
	m := figure.NewPlot("Cosine behind "+wording.Count(p.Layers, "layer"),
		"scale of query and key weights, β",
		"σ_w²")
	var x, y []float64
	var last []Row
	for _, c := range p.whole(curves) {
		r := c.last()
		x, y, last = append(x, r.Beta), append(y, r.SigmaW2), append(last, r)
	}
	columns := figure.Cells{Grid: figure.Distinct(p.Beta), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(p.SigmaW2), Low: 0, High: math.Inf(1)}
	err := figure.AddTiles(m, columns, lines, x, y,
		func(k int) color.Color { return figure.ProbabilityColor(last[k].Cosine) })
	text := "antipode propagation: " + p.common()
	return &figure.Figure{Width: 520, Height: 430, Paint: func(c draw.Canvas) {
		c = draw.Crop(figure.Caption(c, text), 8, -8, 0, -8)
		m.Draw(draw.Crop(c, 0, -50, 0, 0))
		figure.ProbabilityBar(1).Draw(draw.Crop(c, c.Size().X-40, 0, 50, -34))
	}}, err
}
