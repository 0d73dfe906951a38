package attention

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// Draw adds a curve to a plot: the estimates as dots with 95 % intervals, a line, and the name of the curve
// in the legend. If theory is true, the line is the theoretical limit, and there is no line if no limit is
// known. If theory is false, the line connects the dots.
func (c *Curve) Draw(p *figure.Plot, key *figure.Key, series int, name string, theory bool) {
	var points figure.Intervals
	var x, y []float64
	for _, at := range c.Points {
		half := statistics.Quantile95 * at.Stderr
		if !(half < at.Value) {
			half = 0 // a logarithmic axis cannot show the interval
		}
		if at.Value > 0 {
			points.Add(at.Tokens, at.Value, at.Value-half, at.Value+half)
		}
		if theory && at.Limit > 0 {
			x, y = append(x, at.Tokens), append(y, at.Limit)
		}
	}
	if len(points.Points) == 0 {
		return
	}
	color := series % len(figure.SeriesColors)
	p.Dots(color, points)
	if len(points.Points) == 1 {
		only := points.Points[0].X
		p.X.Range(only/2, 2*only)
	}
	samples := []figure.Sample{figure.SeriesGlyph(color)}
	if !theory {
		x, y = points.XY()
	}
	if len(x) > 1 {
		p.Line(x, y, lineStyle(series))
		samples = append(samples, lineStyle(series))
	}
	key.Add(name, samples...)
}

// lineStyle returns the line style of the series with the given index. Because series have different dashes,
// two series with the same values both remain visible. From the seventh series on, colours repeat with other
// dashes.
func lineStyle(series int) figure.Stroke {
	n := len(figure.SeriesColors)
	style := figure.SeriesStroke(series%n, 1.3)
	if series >= n {
		style.Dashes = figure.SeriesDashes[(series+n/2)%n]
	}
	return style
}

// AddSeries adds the positive values y at x to a plot, as dots connected by a line.
func AddSeries(p *figure.Plot, series int, x, y []float64) {
	var points []figure.Point
	for k := range x {
		if y[k] > 0 && !math.IsInf(y[k], 0) {
			points = append(points, figure.Point{X: x[k], Y: y[k]})
		}
	}
	p.Add(figure.Line{Points: points, Stroke: lineStyle(series)},
		figure.Dots{Points: points, Glyph: figure.SeriesGlyph(series % len(figure.SeriesColors))})
}

// MostKinds is the greatest number of kinds of networks that a figure shows.
const MostKinds = 12

// NotDrawn returns the text of a caption which says that only the first of several items are plotted. The
// text is "" if all items are plotted.
func NotDrawn(what string, drawn, all int) string {
	if all <= drawn {
		return ""
	}
	return fmt.Sprintf(", the first %d of %d %s", drawn, all, what)
}

// WholeTicks returns the ticks of an axis at the given integers, which may be in any order.
func WholeTicks(numbers []int) []figure.Tick {
	values := lists.Map(slices.Sorted(slices.Values(numbers)), func(n int) float64 { return float64(n) })
	return figure.WholeTicks(values)
}

// DotsText returns the text of a caption that says what the dots of a figure show. The text depends on the
// number of samples, because a single sample has no interval.
func DotsText(samples int64) string {
	if samples == 1 {
		return "dots: one sample"
	}
	return "dots: means with 95 % intervals"
}

// ThreePanels returns a figure of three plots: the plot first, with the theory and a separate legend (key),
// and the plots width and depth.
func ThreePanels(
	table *data.Table, setting string, samples int64, first figure.Panel, key *figure.Key,
	width, depth *figure.Plot,
) (*figure.Figure, error) {
	setting += "; " + DotsText(samples) + "; lines: theory in the first panel, and connections of the " +
		"dots in the others"
	text := run.Caption(table, setting)
	return figure.Pairs([]figure.Panel{first, {Plot: width}, {Plot: depth}}, key, text)
}
