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

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: queries, keys, values and the MLP's first weights over the
// layers for up to six β; of networks of a single layer, over β. Lines are the theory.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	g := New()
	if err := run.ReadParameters(g, table); err != nil {
		return nil, err
	}
	if g.Save.Matrices() {
		return networks.DrawSaved(g.Save, table, "gradients", g.blockText(), g.named)
	}
	rows, err := run.ReadRows[Row](g, table)
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	if g.Figure == lossFigure {
		return g.drawLoss(rows, seed)
	}
	var panels []figure.Panel
	key := &figure.Key{}
	for weights, title := range []string{"query weights", "key weights", "value weights",
		"the MLP's first weights"} {
		p, err := g.panel(networks.Weights(weights), title, rows, key)
		if err != nil {
			return nil, err
		}
		panels = append(panels, figure.Panel{Plot: p})
	}
	text := figure.RunCaption("gradients", g.setting(), seed)
	if g.Layers > 1 {
		text += figure.NotDrawn("β", g.Beta, figure.Spread(g.Beta, len(figure.SeriesColors)))
	}
	return figure.Panels(panels, key, text), nil
}

// setting is what all panels have in common.
func (g *Experiment) setting() string {
	return fmt.Sprintf("%s, T = %d, d = %d; lines: theory, dots: %s%s",
		g.blockText(), g.Tokens, g.Dim, wording.Count(g.Networks, "network"),
		networks.BarsText(g.Networks))
}

// blockText names the block.
func (g *Experiment) blockText() string {
	return fmt.Sprintf("%s, α_SA = %s, σ_w² = %s, σ_v² = %s, %s", g.Block,
		parameter.FormatReal(g.AlphaSA),
		parameter.FormatReal(g.SigmaW2), parameter.FormatReal(g.SigmaV2), g.Activation)
}

// panel draws the gradients with respect to one kind of weights.
func (g *Experiment) panel(
	weights networks.Weights, title string, rows []Row, key *figure.Key,
) (*plot.Plot, error) {
	p := figure.NewPlot("E‖∂/∂W‖²/(d²T), "+title, "layer", "")
	p.Y.Min = 0
	if g.Layers == 1 {
		p.X.Label.Text = "β"
		return p, addGradients(p, 0, nil, rows, func(v Row) (x float64, ok bool) {
			return v.Beta, v.Weights == weights
		})
	}
	p.X.Tick.Marker = figure.LayerTicks(g.Layers)
	for i, beta := range figure.Spread(g.Beta, len(figure.SeriesColors)) {
		err := addGradients(p, i, key, rows, func(v Row) (x float64, ok bool) {
			return float64(v.Layer), v.Weights == weights && v.Beta == beta
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// addGradients adds the line of the theory and the dots of the networks, with two standard
// errors on both sides, and to the key, if there is one, the β.
func addGradients(
	p *plot.Plot, series int, key *figure.Key, rows []Row, at func(Row) (x float64, ok bool),
) error {
	var x, y []float64
	var dots figure.Intervals
	name := ""
	for _, v := range rows {
		if position, ok := at(v); ok {
			x, y = append(x, position), append(y, v.Theory)
			far := 2 * v.Stderr
			if math.IsNaN(far) {
				far = 0
			}
			dots.Add(position, v.Simulated, v.Simulated-far, v.Simulated+far)
			p.Y.Max = max(p.Y.Max, 1.05*(v.Simulated+far), 1.05*v.Theory)
			name = "β = " + parameter.FormatReal(v.Beta)
		}
	}
	line, err := figure.AddLine(p, x, y, draw.LineStyle{Color: figure.SeriesColors[series], Width: 1.6,
		Dashes: figure.SeriesDashes[series]})
	if err != nil {
		return err
	}
	dotted, err := figure.AddDots(p, series, &dots)
	if err == nil && key != nil {
		key.Add(name, line, dotted)
	}
	return err
}
