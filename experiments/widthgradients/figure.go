package widthgradients

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"
)

// Draw implements run.Experiment. The figure of experiment width-gradients shows gradients with respect to
// the first layer's value matrix in three panels. The first panel shows them against the number of tokens for
// the first kind of network, with a line for each number of layers and the theory. The second panel shows
// them against the number of tokens for each kind, in the network with the fewest layers. The third panel
// shows them against the number of layers for each kind, at the largest number of tokens.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	g := New()
	curves, err := readCurves(g, table)
	if err != nil {
		return nil, err
	}
	kinds, shallow := g.Kinds(), slices.Min(g.Layers)
	depths := figure.NewPlot(kinds[0].String(), "tokens T", "‖∂X_L/∂W₁‖²")
	width := figure.NewPlot(fmt.Sprintf("L = %d", shallow), "tokens T", "‖∂X_L/∂W₁‖²")
	depth := figure.NewPlot(fmt.Sprintf("T = %d", slices.Max(g.Tokens)), "layers L", "‖∂X_L/∂W₁‖²")
	for _, p := range []*figure.Plot{depths, width} {
		p.X.Logarithmic = true
		p.X.Ticks = attention.WholeTicks(g.Tokens)
	}
	for _, p := range []*figure.Plot{depths, width, depth} {
		p.Y.Logarithmic = true
	}
	byDepth, byKind := &figure.Key{}, &figure.Key{}
	for _, c := range curves {
		if i := slices.Index(g.Layers, c.Layers); c.Kind == kinds[0] && c.Layer == 1 &&
			i < len(figure.SeriesColors) {
			c.Draw(depths, byDepth, i, fmt.Sprintf("L = %d", c.Layers), true)
		}
	}
	for i, k := range kinds[:min(len(kinds), attention.MostKinds)] {
		var x, y []float64
		for _, c := range curves {
			if c.Kind != k || c.Layer != 1 {
				continue
			}
			x, y = append(x, float64(c.Layers)), append(y, c.Last().Value)
			if c.Layers == shallow {
				c.Draw(width, byKind, i, g.Short(k), false)
			}
		}
		attention.AddSeries(depth, i, x, y)
	}
	depth.X.Ticks = attention.WholeTicks(g.Layers)
	depth.X.Range(float64(shallow)-0.2, float64(slices.Max(g.Layers))+0.2)
	setting := g.Setting() + attention.NotDrawn("depths", len(figure.SeriesColors), len(g.Layers)) +
		attention.NotDrawn("kinds of networks", attention.MostKinds, len(kinds))
	return attention.ThreePanels(table, setting, g.Samples,
		figure.Panel{Plot: depths, Key: byDepth}, byKind, width, depth)
}
