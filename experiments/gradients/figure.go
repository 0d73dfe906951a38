package gradients

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Draw implements run.Experiment. The figure of experiment gradients shows the gradients with respect to
// queries, keys, values and the MLP's first weights against the layer, for up to six β. For networks of a
// single layer, the horizontal axis is β. Lines show the theory.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	g := New()
	if err := run.ReadParameters(g, table); err != nil {
		return nil, err
	}
	if g.Save.Matrices() {
		return networks.DrawSaved(g.Save, table, g.blockText(), g.named)
	}
	rows, err := run.ReadRows[Row](g, table)
	if err != nil {
		return nil, err
	}
	if g.Figure == lossFigure {
		return g.drawLoss(rows, table)
	}
	var panels []figure.Panel
	key := &figure.Key{}
	for weights, title := range []string{"query weights", "key weights", "value weights",
		"the MLP's first weights"} {
		panels = append(panels, figure.Panel{Plot: g.panel(networks.Weights(weights), title, rows, key)})
	}
	text := run.Caption(table, g.setting())
	if g.Layers > 1 {
		text += figure.NotDrawn("β", g.Beta, figure.Spread(g.Beta, len(figure.SeriesColors)))
	}
	return figure.Pairs(panels, key, text)
}

// setting states for a caption which parameters all panels share.
func (g *Experiment) setting() string {
	return fmt.Sprintf("%s, T = %d, d = %d; lines: theory, dots: %s%s",
		g.blockText(), g.Tokens, g.Dim, wording.Count(g.Networks, "network"), networks.BarsText(g.Networks))
}

// blockText names the kind of Transformer block and its parameters.
func (g *Experiment) blockText() string {
	return fmt.Sprintf("%s, α_SA = %s, σ_w² = %s, σ_v² = %s, %s", g.Block,
		parameter.FormatReal(g.AlphaSA),
		parameter.FormatReal(g.SigmaW2), parameter.FormatReal(g.SigmaV2), g.Activation)
}

// panel plots the gradients with respect to one kind of weights against the layer.
func (g *Experiment) panel(
	weights networks.Weights, title string, rows []Row, key *figure.Key,
) *figure.Plot {
	p := figure.NewPlot("E‖∂/∂W‖²/(d²T), "+title, "layer", "")
	p.Y.Low = 0
	if g.Layers == 1 {
		p.X.Label = "β"
		addGradients(p, 0, rows, func(v Row) (x float64, ok bool) { return v.Beta, v.Weights == weights })
		return p
	}
	p.X.Ticks = figure.LayerTicks(g.Layers)
	for i, beta := range figure.Spread(g.Beta, len(figure.SeriesColors)) {
		if addGradients(p, i, rows, func(v Row) (x float64, ok bool) {
			return float64(v.Layer), v.Weights == weights && v.Beta == beta
		}) {
			key.Add("β = "+parameter.FormatReal(beta), figure.SeriesStroke(i, 1.6), figure.SeriesGlyph(i))
		}
	}
	return p
}

// addGradients adds to a plot the line of the theory and the dots of the simulated networks, with two
// standard errors on both sides. addGradients reports whether there are any dots or lines.
func addGradients(
	p *figure.Plot, series int, rows []Row, at func(Row) (x float64, ok bool),
) bool {
	var x, y []float64
	var dots figure.Intervals
	for _, v := range rows {
		if position, ok := at(v); ok {
			x, y = append(x, position), append(y, v.Theory)
			far := 2 * v.Stderr
			if math.IsNaN(far) {
				far = 0
			}
			dots.Add(position, v.Simulated, v.Simulated-far, v.Simulated+far)
			p.Y.High = max(p.Y.High, 1.05*(v.Simulated+far), 1.05*v.Theory)
		}
	}
	p.Line(x, y, figure.SeriesStroke(series, 1.6))
	p.Dots(series, dots)
	return len(x) > 0
}
