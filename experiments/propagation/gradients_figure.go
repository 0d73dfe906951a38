package propagation

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: queries, keys, values and the MLP's first weights over the
// layers for up to six β, which the last panel names; of networks of a single layer, over β. Lines are the theory.
func (*Gradients) Draw(table *data.Table) (*figure.Figure, error) {
	g, rows, err := readGradients(table)
	if err != nil {
		return nil, err
	}
	var panels []*plot.Plot
	for weights, title := range []string{"query weights", "key weights", "value weights", "the MLP's first weights"} {
		p, err := g.panel(int8(weights), title, rows)
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("gradients", fmt.Sprintf("%s, α_SA = %s, σ_w² = %s, σ_v² = %s, %s, T = %d, d = %d; lines: theory, dots: %d networks, ± 2 standard errors", g.Block,
		parameter.FormatReal(g.AlphaSA), parameter.FormatReal(g.SigmaW2), parameter.FormatReal(g.SigmaV2), g.Activation, g.Tokens, g.Dim, g.Networks), seed)
	return &figure.Figure{Width: 870, Height: 720, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		c = draw.Crop(c, 8, -8, 0, -8)
		half := c.Size()
		half.X /= 2
		half.Y /= 2
		panels[0].Draw(draw.Crop(c, 0, -half.X-6, half.Y+6, 0))
		panels[1].Draw(draw.Crop(c, half.X+6, 0, half.Y+6, 0))
		panels[2].Draw(draw.Crop(c, 0, -half.X-6, 0, -half.Y-6))
		panels[3].Draw(draw.Crop(c, half.X+6, 0, 0, -half.Y-6))
	}}, nil
}

// panel draws the gradients with respect to one kind of weights.
func (g *Gradients) panel(weights int8, title string, rows []gradientRow) (*plot.Plot, error) {
	p := figure.NewPlot("E‖∂/∂W‖²/(d²T), "+title, "layer", "")
	p.Y.Min = 0
	if g.Layers == 1 {
		p.X.Label.Text = "β"
		return p, addGradients(p, 0, false, rows, func(v gradientRow) (x float64, ok bool) { return v.beta, v.weights == weights })
	}
	p.X.Tick.Marker = layerTicks(g.Layers)
	for i, beta := range figure.Spread(g.Beta, len(figure.SeriesColors)) {
		err := addGradients(p, i, weights == 3, rows, func(v gradientRow) (x float64, ok bool) {
			return float64(v.layer), v.weights == weights && v.beta == beta
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// addGradients adds the line of the theory and the dots of the networks, with two standard
// errors on both sides.
func addGradients(p *plot.Plot, series int, named bool, rows []gradientRow, at func(gradientRow) (x float64, ok bool)) error {
	var x, y []float64
	var dots figure.Intervals
	name := ""
	for _, v := range rows {
		if position, ok := at(v); ok {
			x, y = append(x, position), append(y, v.theory)
			far := 2 * v.stderr
			if math.IsNaN(far) {
				far = 0
			}
			dots.Add(position, v.simulated, v.simulated-far, v.simulated+far)
			p.Y.Max = max(p.Y.Max, 1.05*(v.simulated+far), 1.05*v.theory)
			name = "β = " + parameter.FormatReal(v.beta)
		}
	}
	line, err := figure.AddLine(p, x, y, draw.LineStyle{Color: figure.SeriesColors[series], Width: 1.6, Dashes: figure.SeriesDashes[series]})
	if err != nil {
		return err
	}
	if named {
		p.Legend.Add(name, line)
	}
	_, err = figure.AddDots(p, series, &dots)
	return err
}
