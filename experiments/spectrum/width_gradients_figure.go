package spectrum

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"

	"gonum.org/v1/plot"
)

// Draw implements Experiment: gradients by the first layer against width, for the first kind
// of network and each depth with theory, and for each kind in the shallowest one; and for
// each kind against depth, for the most tokens.
func (*WidthGradients) Draw(table *data.Table) (*figure.Figure, error) {
	g, curves, err := readWidthGradients(table)
	if err != nil {
		return nil, err
	}
	kinds, shallow := g.kinds(), slices.Min(g.Layers)
	depths := figure.NewPlot(kinds[0].String(), "tokens T", "‖∂X_L/∂W₁‖²")
	width := figure.NewPlot(fmt.Sprintf("L = %d", shallow), "tokens T", "‖∂X_L/∂W₁‖²")
	depth := figure.NewPlot(fmt.Sprintf("T = %d", slices.Max(g.Tokens)), "layers L", "‖∂X_L/∂W₁‖²")
	for _, p := range []*plot.Plot{depths, width} {
		logarithmic(&p.X)
		p.X.Tick.Marker = tokenTicks(g.Tokens)
	}
	for _, p := range []*plot.Plot{depths, width, depth} {
		logarithmic(&p.Y)
	}
	byDepth, byKind := &figure.Key{}, &figure.Key{}
	for _, c := range curves {
		if i := slices.Index(g.Layers, c.layers); c.kind == kinds[0] && c.layer == 1 && i < len(figure.SeriesColors) {
			if err := c.draw(depths, byDepth, i, fmt.Sprintf("L = %d", c.layers), c.mean, c.limit); err != nil {
				return nil, err
			}
		}
	}
	for i, k := range kinds[:min(len(kinds), mostKinds)] {
		var x, y []float64
		for _, c := range curves {
			if c.kind != k || c.layer != 1 {
				continue
			}
			x, y = append(x, float64(c.layers)), append(y, c.mean[c.last()])
			if c.layers == shallow {
				if err := c.draw(width, byKind, i, g.short(k), c.mean, nil); err != nil {
					return nil, err
				}
			}
		}
		if err := addSeries(depth, i, x, y); err != nil {
			return nil, err
		}
	}
	depth.X.Tick.Marker = tokenTicks(g.Layers)
	depth.X.Min, depth.X.Max = float64(shallow)-0.2, float64(slices.Max(g.Layers))+0.2
	seed, _ := table.Schema.Value(data.KeySeed)
	setting := g.setting() + notDrawn("depths", len(figure.SeriesColors), len(g.Layers)) + notDrawn("kinds of networks", mostKinds, len(kinds))
	return threePanels("width-gradients", setting, seed, figure.Panel{Plot: depths, Key: byDepth}, byKind, width, depth), nil
}
