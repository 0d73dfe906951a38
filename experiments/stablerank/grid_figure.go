package stablerank

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"
	"antipode/experiments/run"
)

// gridFigure returns a figure with a column of panels for each architecture. Each kind of attention has two
// rows of panels: stable ranks in layer 1 against the number of tokens, and stable ranks against the layer at
// the largest number of tokens. A panel has a line for each choice of the spectral gap and each law of value
// matrices.
func gridFigure(s *Experiment, curves []*attention.Curve, table *data.Table) (*figure.Figure, error) {
	key := &figure.Key{}
	var panels [][]*figure.Plot
	for _, kind := range s.Attention {
		var width, depth []*figure.Plot
		for _, architecture := range s.Architecture {
			kinds := slices.DeleteFunc(s.Kinds(), func(k attention.Kind) bool {
				return k.Attention != kind || k.Architecture != architecture
			})
			w, d := s.kindPanels(curves, kinds, key)
			width, depth = append(width, w), append(depth, d)
		}
		if panels = append(panels, width); s.Layers > 1 {
			panels = append(panels, depth)
		}
	}
	setting := s.Setting() + "; against width in layer 1"
	if s.Layers > 1 {
		setting = s.Setting() + "; above: against width in layer 1, below: against depth"
	}
	setting += "; " + attention.DotsText(s.Samples)
	text := run.Caption(table, setting)
	const down = 195
	return figure.Aligned(figure.Width, float64(down*len(panels))+90, panels, key, text)
}

// kindPanels returns the panels of kinds of network that differ only in their spectral gaps and value
// matrices.
func (s *Experiment) kindPanels(
	curves []*attention.Curve, kinds []attention.Kind, key *figure.Key,
) (width, depth *figure.Plot) {
	title := fmt.Sprintf("%v, %v", kinds[0].Attention, kinds[0].Architecture)
	width = figure.NewPlot(title, "tokens T", "stable rank")
	depth = figure.NewPlot(fmt.Sprintf("%s, T = %d", title, slices.Max(s.Tokens)), "layer", "stable rank")
	width.X.Logarithmic, width.Y.Logarithmic, depth.Y.Logarithmic = true, true, true
	width.X.Ticks = attention.WholeTicks(s.Tokens)
	depth.X.Ticks = attention.WholeTicks(layersTo(s.Layers))
	addKinds(width, depth, curves, kinds, key, func(k attention.Kind) string {
		return fmt.Sprintf("%s, %v values", attention.GapText(k.Gap), k.Values)
	})
	top := float64(slices.Max(s.Tokens))
	for _, p := range []*figure.Plot{width, depth} {
		p.Y.Range(0.9, 1.2*top)
		p.Small = true
	}
	depth.X.Range(0.8, float64(s.Layers)+0.2)
	return width, depth
}
