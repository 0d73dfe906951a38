package stablerank

import (
	"fmt"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// gridFigure has a column for each architecture and, for each kind of attention, a row of stable ranks
// against width in layer 1 and one against depth for the most tokens; in each panel a line for each way
// with the gap and each law of value matrices.
func gridFigure(s *Experiment, curves []*attention.Curve, seed string) (*figure.Figure, error) {
	key := &figure.Key{}
	var panels [][]*plot.Plot
	for _, name := range s.Attention {
		var width, depth []*plot.Plot
		for _, architecture := range s.Architecture {
			kinds := slices.DeleteFunc(s.Kinds(), func(k attention.Kind) bool {
				return k.Attention.String() != name || k.Architecture.String() != architecture
			})
			w, d, err := s.kindPanels(curves, kinds, key)
			if err != nil {
				return nil, err
			}
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
	text := figure.RunCaption("stable-rank", setting, seed)
	const down = 195
	return &figure.Figure{Width: figure.Width, Height: vg.Length(down*len(panels)) + 90,
		Paint: func(c draw.Canvas) {
			c = key.DrawRows(draw.Crop(figure.Caption(c, text), 8, -14, 4, -8))
			tiles := draw.Tiles{Rows: len(panels), Cols: len(s.Architecture), PadX: 12, PadY: 10}
			for i, row := range plot.Align(panels, tiles, c) {
				for j, canvas := range row {
					panels[i][j].Draw(canvas)
				}
			}
		}}, nil
}

// kindPanels are the panels of kinds that differ in their gaps and values alone.
func (s *Experiment) kindPanels(
	curves []*attention.Curve, kinds []attention.Kind, key *figure.Key,
) (width, depth *plot.Plot, err error) {
	title := fmt.Sprintf("%v, %v", kinds[0].Attention, kinds[0].Architecture)
	width = figure.NewPlot(title, "tokens T", "stable rank")
	depth = figure.NewPlot(fmt.Sprintf("%s, T = %d", title, slices.Max(s.Tokens)), "layer", "stable rank")
	figure.Logarithmic(&width.X)
	figure.Logarithmic(&width.Y)
	figure.Logarithmic(&depth.Y)
	width.X.Tick.Marker = attention.WholeTicks(s.Tokens)
	depth.X.Tick.Marker = attention.WholeTicks(layersTo(s.Layers))
	if err := addKinds(width, depth, curves, kinds, key, func(k attention.Kind) string {
		return fmt.Sprintf("%s, %v values", attention.GapText(k.Gap), k.Values)
	}); err != nil {
		return nil, nil, err
	}
	top := float64(slices.Max(s.Tokens))
	for _, p := range []*plot.Plot{width, depth} {
		p.Y.Min, p.Y.Max = 0.9, 1.2*top
		p.Title.TextStyle.Font.Size, p.X.Label.TextStyle.Font.Size = 10, 10
	}
	depth.X.Min, depth.X.Max = 0.8, float64(s.Layers)+0.2
	return width, depth, nil
}
