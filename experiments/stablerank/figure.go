package stablerank

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. For the first kind of network the figure shows the excess of the stable
// rank over 1 against the number of tokens, with a line for each layer. For all kinds it shows the stable
// rank in layer 1 against the number of tokens, and the stable rank against the layer at the largest number
// of tokens. The figure of Transformers is that of drawModels.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	if ofModels(table) {
		return drawModels(table)
	}
	s := New()
	curves, err := readCurves(s, table)
	if err != nil {
		return nil, err
	}
	kinds := s.Kinds()
	if len(kinds) > attention.MostKinds {
		return gridFigure(s, curves, table)
	}
	first := kinds[0]
	layers := figure.NewPlot(first.String(), "tokens T", "stable rank - 1")
	width := figure.NewPlot("Layer 1", "tokens T", "stable rank")
	depth := figure.NewPlot(fmt.Sprintf("T = %d", slices.Max(s.Tokens)), "layer", "stable rank")
	layers.X.Logarithmic, width.X.Logarithmic = true, true
	layers.Y.Logarithmic, width.Y.Logarithmic, depth.Y.Logarithmic = true, true, true
	layers.X.Ticks, width.X.Ticks = attention.WholeTicks(s.Tokens), attention.WholeTicks(s.Tokens)
	byLayer, byKind := &figure.Key{}, &figure.Key{}
	for _, c := range curves {
		if c.Kind == first && c.Layer <= len(figure.SeriesColors) {
			c.Draw(layers, byLayer, c.Layer-1, fmt.Sprintf("layer %d", c.Layer), true)
		}
	}
	addKinds(width, depth, curves, kinds, byKind, s.Short)
	depth.X.Ticks = attention.WholeTicks(layersTo(s.Layers))
	depth.X.Range(0.8, float64(s.Layers)+0.2)
	setting := s.Setting() + attention.NotDrawn("layers", len(figure.SeriesColors), int(s.Layers))
	return attention.ThreePanels(table, setting, s.Samples,
		figure.Panel{Plot: layers, Key: byLayer}, byKind, width, depth)
}

// addKinds adds the stable ranks of the given kinds of network to two plots. The plot width shows layer 1
// against the number of tokens. The plot depth shows every layer at the largest number of tokens. The legend
// names only the curves of the first plot.
func addKinds(
	width, depth *figure.Plot, curves []*attention.Curve, kinds []attention.Kind, key *figure.Key,
	name func(k attention.Kind) string,
) {
	for i, k := range kinds {
		var x, y []float64
		for _, c := range curves {
			if c.Kind != k {
				continue
			}
			x, y = append(x, float64(c.Layer)), append(y, 1+c.Last().Value)
			if c.Layer == 1 {
				c.Plus(1).Draw(width, key, i, name(k), false)
			}
		}
		attention.AddSeries(depth, i, x, y)
	}
}

// layersTo returns the layers from 1 to last.
func layersTo(last int64) []int { return lists.Of(int(last), func(l int) int { return l + 1 }) }
