package spectrum

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: the stable rank above 1 against width, layer by layer, of the
// first kind of network; the stable rank of all kinds against width in layer 1, and against
// depth for the most tokens.
func (*StableRank) Draw(table *data.Table) (*figure.Figure, error) {
	s, curves, err := readStableRank(table)
	if err != nil {
		return nil, err
	}
	kinds := s.kinds()
	first := kinds[0]
	layers := figure.NewPlot(first.String(), "tokens T", "stable rank - 1")
	width := figure.NewPlot("Layer 1", "tokens T", "stable rank")
	depth := figure.NewPlot(fmt.Sprintf("T = %d", slices.Max(s.Tokens)), "layer", "stable rank")
	for _, p := range []*plot.Plot{layers, width} {
		logarithmic(&p.X)
	}
	for _, p := range []*plot.Plot{layers, width, depth} {
		logarithmic(&p.Y)
	}
	layers.X.Tick.Marker, width.X.Tick.Marker = tokenTicks(s.Tokens), tokenTicks(s.Tokens)
	byLayer, byKind := &figure.Key{}, &figure.Key{}
	for _, c := range curves {
		if c.kind == first && c.layer <= len(figure.SeriesColors) {
			if err := c.draw(layers, byLayer, c.layer-1, fmt.Sprintf("layer %d", c.layer), c.mean, c.limit); err != nil {
				return nil, err
			}
		}
	}
	for i, k := range kinds[:min(len(kinds), mostKinds)] {
		var x, y []float64
		for _, c := range curves {
			if c.kind != k {
				continue
			}
			x, y = append(x, float64(c.layer)), append(y, 1+c.mean[c.last()])
			if c.layer == 1 {
				if err := c.draw(width, byKind, i, s.short(k), c.ranks(), nil); err != nil {
					return nil, err
				}
			}
		}
		if err := addSeries(depth, i, x, y); err != nil {
			return nil, err
		}
	}
	depth.X.Tick.Marker = wholeLayers(int(s.Layers))
	depth.X.Min, depth.X.Max = 0.8, float64(s.Layers)+0.2
	seed, _ := table.Schema.Value(data.KeySeed)
	setting := s.setting() + notDrawn("layers", len(figure.SeriesColors), int(s.Layers)) + notDrawn("kinds of networks", mostKinds, len(kinds))
	return threePanels("stable-rank", setting, seed, figure.Panel{Plot: layers, Key: byLayer}, byKind, width, depth), nil
}

// short names what distinguishes a kind from the others.
func (g *grid) short(k kind) string {
	text := ""
	for _, part := range []struct {
		values int
		name   string
	}{{len(g.Attention), k.attention}, {len(g.Architecture), k.architecture}, {len(g.Gap), "gap " + pastGap[k.gap]}} {
		if part.values > 1 {
			if text != "" {
				text += ", "
			}
			text += part.name
		}
	}
	if text == "" {
		return k.attention
	}
	return text
}

// draw adds the curve with its standard errors, times 1.96, and its limit if it has one, and
// names it in a key.
func (c *widths) draw(p *plot.Plot, key *figure.Key, series int, name string, values, limit []float64) error {
	style := lineStyle(series)
	var points figure.Intervals
	var x, y []float64
	for k, v := range values {
		half := 1.96 * c.error[k]
		if !(half < v) {
			half = 0 // a logarithmic axis has no place for it
		}
		if v > 0 {
			points.Add(c.tokens[k], v, v-half, v+half)
		}
		if limit != nil && limit[k] > 0 {
			x, y = append(x, c.tokens[k]), append(y, limit[k])
		}
	}
	if len(points.XYs) == 0 {
		return nil
	}
	dots, err := figure.AddDots(p, series%len(figure.SeriesColors), &points)
	if err != nil {
		return err
	}
	if len(points.XYs) == 1 {
		c := points.XYs[0].X
		p.X.Min, p.X.Max = c/2, 2*c
	}
	thumbs := []plot.Thumbnailer{dots}
	if limit == nil {
		x, y = nil, nil
		for _, v := range points.XYs {
			x, y = append(x, v.X), append(y, v.Y)
		}
	}
	if len(x) > 1 {
		line, err := figure.AddLine(p, x, y, style)
		if err != nil {
			return err
		}
		thumbs = append(thumbs, line)
	}
	key.Add(name, thumbs...)
	return nil
}

// lineStyle is that of a series; from the seventh on colours come again with dashes.
func lineStyle(series int) draw.LineStyle {
	n := len(figure.SeriesColors)
	style := draw.LineStyle{Color: figure.SeriesColors[series%n], Width: 1.3}
	if series >= n {
		style.Dashes = []vg.Length{4, 3}
	}
	return style
}

// addSeries adds positive values as dots with a line.
func addSeries(p *plot.Plot, series int, x, y []float64) error {
	var points plotter.XYs
	for k := range x {
		if y[k] > 0 && !math.IsInf(y[k], 0) {
			points = append(points, plotter.XY{X: x[k], Y: y[k]})
		}
	}
	if len(points) == 0 {
		return nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	n := len(figure.SeriesColors)
	line.LineStyle = lineStyle(series)
	dots.GlyphStyle = draw.GlyphStyle{Color: figure.SeriesColors[series%n], Radius: 3, Shape: figure.SeriesMarkers[series%n]}
	p.Add(line, dots)
	return nil
}

// mostKinds is the number of kinds of networks that a figure shows.
const mostKinds = 12

// notDrawn says that the first of more are drawn.
func notDrawn(what string, drawn, all int) string {
	if all <= drawn {
		return ""
	}
	return fmt.Sprintf(", the first %d of %d %s", drawn, all, what)
}

// logarithmic makes an axis logarithmic.
func logarithmic(a *plot.Axis) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = figure.LogTicks{}
}

func tokenTicks(tokens []int) plot.ConstantTicks {
	var values []float64
	for _, t := range slices.Sorted(slices.Values(tokens)) {
		values = append(values, float64(t))
	}
	return figure.WholeTicks(values)
}

func wholeLayers(layers int) plot.ConstantTicks {
	var values []float64
	for l := range layers {
		values = append(values, float64(l+1))
	}
	return figure.WholeTicks(values)
}

// threePanels is a figure of three plots, the first of which has the theory and a key of its
// own.
func threePanels(name, setting, seed string, first figure.Panel, key *figure.Key, width, depth *plot.Plot) *figure.Figure {
	text := figure.RunCaption(name, setting+"; dots: means with 95 % intervals; lines: theory in the first panel, else from dot to dot", seed)
	return figure.Panels([]figure.Panel{first, {Plot: width}, {Plot: depth}}, key, text)
}
