package attention

import (
	"fmt"
	"math"
	"slices"

	"antipode/experiments/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw adds the curve with its standard errors, times 1.96, and a line, and names it in a key. The
// line is the limit in theory, if it has one, or else goes from dot to dot.
func (c *Curve) Draw(p *plot.Plot, key *figure.Key, series int, name string, theory bool) error {
	style := lineStyle(series)
	var points figure.Intervals
	var x, y []float64
	for _, at := range c.Points {
		half := 1.96 * at.Stderr
		if !(half < at.Value) {
			half = 0 // a logarithmic axis has no place for it
		}
		if at.Value > 0 {
			points.Add(at.Tokens, at.Value, at.Value-half, at.Value+half)
		}
		if theory && at.Limit > 0 {
			x, y = append(x, at.Tokens), append(y, at.Limit)
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
	if !theory {
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

// AddSeries adds positive values as dots with a line.
func AddSeries(p *plot.Plot, series int, x, y []float64) error {
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
	dots.GlyphStyle = draw.GlyphStyle{Color: figure.SeriesColors[series%n], Radius: 3,
		Shape: figure.SeriesMarkers[series%n]}
	p.Add(line, dots)
	figure.Mark(p, points)
	return nil
}

// MostKinds is the number of kinds of networks that a figure shows.
const MostKinds = 12

// NotDrawn says that the first of more are drawn.
func NotDrawn(what string, drawn, all int) string {
	if all <= drawn {
		return ""
	}
	return fmt.Sprintf(", the first %d of %d %s", drawn, all, what)
}

// WholeTicks are at whole numbers, in any order.
func WholeTicks(numbers []int) plot.ConstantTicks {
	var values []float64
	for _, n := range slices.Sorted(slices.Values(numbers)) {
		values = append(values, float64(n))
	}
	return figure.WholeTicks(values)
}

// DotsText says what dots of some samples are: of one there is no interval.
func DotsText(samples int64) string {
	if samples == 1 {
		return "dots: one sample"
	}
	return "dots: means with 95 % intervals"
}

// ThreePanels is a figure of three plots of some samples, the first of which has the theory and a key of its
// own.
func ThreePanels(
	name, setting, seed string, samples int64, first figure.Panel, key *figure.Key, width, depth *plot.Plot,
) *figure.Figure {
	setting += "; " + DotsText(samples) + "; lines: theory in the first panel, else from dot to dot"
	text := figure.RunCaption(name, setting, seed)
	return figure.Panels([]figure.Panel{first, {Plot: width}, {Plot: depth}}, key, text)
}
