package stablerank

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. For the first kind of network it plots the excess of the stable rank over 1
// against width, with a line for each layer. For all kinds it plots the stable rank against width in layer 1,
// and against depth at the largest number of tokens. For models see drawModels.
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

// addKinds plots the stable ranks of the given kinds of network in two panels. The first panel shows layer 1
// against width. The second shows every layer against depth, at the largest number of tokens. The legend
// names only the curves of the first panel.
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
