package overlap

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/experiments/figure"
	"antipode/internal/lists"
)

// drawGrid plots columns of the table for every point of a large grid. One panel shows the antipodal
// probability: dotted at infinite depth and horizon, and solid at the horizon if a horizon is given. Another
// panel shows the Lyapunov exponent of the antipodal pair, or the lifetime of unequal clusters. The
// horizontal axis is the first of β, ε and d that has several values. A panel has one line for each
// combination of the other two parameters, up to six lines.
func (o *Experiment) drawGrid(rows []Row, caption string) (*figure.Figure, error) {
	axis, series, left := o.seriesOf(rows)
	x := axis.label
	key := &figure.Key{}
	probability := figure.NewPlot("Antipodal probability", x, "P(antipodal)")
	if o.Horizon != nil {
		at := fmt.Sprintf(" at time %g", *o.Horizon)
		if o.atDepth() {
			at = fmt.Sprintf(" at depth %d, time %g", *o.Depth, *o.Horizon)
		}
		probability.Title += at + " (solid), in the limit (dotted)"
	}
	panels := []figure.Panel{{Plot: probability}}
	addProbabilities(probability, key, series, o.solid())
	if probability.Y.Low = 0; !(probability.Y.High > 0) {
		probability.Y.High = 1
	}
	if rate := rates(rows, x); rate != nil {
		addLines(rate.Plot, series, rate.value, false)
		panels = append(panels, figure.Panel{Plot: rate.Plot})
	}
	return figure.Pairs(panels, key, caption+left)
}

// gridSeries is a line in the figure of a large grid: rows of the table in the order of the horizontal axis
// x.
type gridSeries struct {
	name string
	x    func(r Row) float64
	rows []Row
}

// gridAxis is a parameter of the grid.
type gridAxis struct {
	symbol, label string
	count         int // number of values of the parameter
	value         func(r Row) float64
}

// axes returns the parameters of the grid. The first axis is the first parameter that has several values. If
// ε has a single value, ε is left out, because the caption states it.
func (o *Experiment) axes() []gridAxis {
	all := []gridAxis{
		{"β", "inverse temperature β", len(o.Beta), func(r Row) float64 { return r.Beta }},
		{"ε", "noise amplitude ε", len(o.Epsilon), func(r Row) float64 { return r.Epsilon }},
		{"d", "dimension d", len(o.Dim), func(r Row) float64 { return float64(r.Dim) }},
	}
	if len(o.Epsilon) <= 1 {
		all = slices.Delete(all, 1, 2)
	}
	first := slices.IndexFunc(all, func(a gridAxis) bool { return a.count > 1 })
	x := all[first]
	return append([]gridAxis{x}, slices.Delete(all, first, first+1)...)
}

// seriesOf returns up to six lines along the first of the axes of the grid. seriesOf also returns the text of
// the caption about lines that are left out.
func (o *Experiment) seriesOf(rows []Row) (x gridAxis, all []gridSeries, left string) {
	axes := o.axes()
	x = axes[0]
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) (order int) {
		for _, axis := range slices.Backward(axes) {
			order = cmp.Or(order, cmp.Compare(axis.value(a), axis.value(b)))
		}
		return order
	})
	var lines []gridSeries
	for _, r := range rows {
		if name := nameOf(axes[1:], r); len(lines) == 0 || lines[len(lines)-1].name != name {
			lines = append(lines, gridSeries{name: name, x: x.value})
		}
		last := &lines[len(lines)-1]
		last.rows = append(last.rows, r)
	}
	all = figure.Spread(lines, len(figure.SeriesColors))
	switch {
	case len(all) < len(lines) && len(axes) == 2:
		values := figure.DistinctOf(rows, axes[1].value)
		left = figure.NotDrawn(axes[1].symbol, values, figure.Spread(values, len(all)))
	case len(all) < len(lines):
		left = fmt.Sprintf("; not drawn: %d of %d lines", len(lines)-len(all), len(lines))
	}
	return x, all, left
}

// nameOf returns a text with the values that the parameters of the grid have in a row, the dimension first.
func nameOf(axes []gridAxis, r Row) string {
	var parts []string
	for _, a := range slices.Backward(axes) {
		parts = append(parts, fmt.Sprintf("%s = %g", a.symbol, a.value(r)))
	}
	return strings.Join(parts, ", ")
}

// solid returns the function that gives the antipodal probability for solid lines: the probability at the
// horizon or, if there is a depth, the exact probability at the depth and the horizon. The function is nil if
// there is no horizon.
func (o *Experiment) solid() func(r Row) float64 {
	switch {
	case o.atDepth():
		return func(r Row) float64 { return r.DepthAntipodal }
	case o.Horizon != nil:
		return func(r Row) float64 { return r.AntipodalHorizon }
	}
	return nil
}

// addProbabilities adds lines of the antipodal probability to a plot, and their names to the legend.
func addProbabilities(p *figure.Plot, key *figure.Key, series []gridSeries, solid func(r Row) float64) {
	if solid != nil {
		addLines(p, series, solid, false)
	}
	for i, s := range series {
		key.Add(s.name, gridStyle(i, false))
	}
	addLines(p, series, func(r Row) float64 { return r.Antipodal }, solid != nil)
}

// gridStyle returns the line style of the i-th series in the figure of a large grid.
func gridStyle(i int, dotted bool) figure.Stroke {
	if dotted {
		return figure.Stroke{Color: figure.SeriesColors[i], Width: 1, Dashes: figure.Dotted}
	}
	return figure.SeriesStroke(i, 1.4)
}

// addLines adds a line of a column of the table to a plot for each series, with gaps where the column is
// null.
func addLines(p *figure.Plot, series []gridSeries, value func(r Row) float64, dotted bool) {
	for i, s := range series {
		x := lists.Map(s.rows, s.x)
		y := lists.Map(s.rows, value)
		p.BrokenLine(x, y, gridStyle(i, dotted))
		addPoints(p, i, x, y)
	}
}

// addPoints marks the points of a line if the line has few of them. Straight lines between few points could
// otherwise be mistaken for the theory.
func addPoints(p *figure.Plot, series int, x, y []float64) {
	const few = 30
	var points []figure.Point
	for k := range x {
		if !math.IsNaN(y[k]) {
			points = append(points, figure.Point{X: x[k], Y: y[k]})
		}
	}
	if len(x) <= few && len(points) > 0 {
		glyph := figure.SeriesGlyph(series)
		glyph.Radius = 2.5
		p.Add(figure.Dots{Points: points, Glyph: glyph})
	}
}

// gridRate is the plot of a rate or a time, and the column of the table that the plot shows.
type gridRate struct {
	*figure.Plot
	value func(r Row) float64
}

// rates returns the plot of Lyapunov exponents or of lifetimes. The plot is nil if the rows have neither
// exponents nor lifetimes.
func rates(rows []Row, x string) *gridRate {
	lyapunov := func(r Row) float64 { return r.Lyapunov }
	lifetime := func(r Row) float64 { return r.Lifetime }
	switch {
	case areKnown(rows, lyapunov):
		title := "Lyapunov exponent of the antipodal pair: it attracts below 0"
		return &gridRate{figure.NewPlot(title, x, "exponent"), lyapunov}
	case areKnown(rows, lifetime):
		p := figure.NewPlot("Lifetime: mean time of the overlap from -1 to 0", x, "units of time")
		p.Y.Logarithmic = true
		return &gridRate{p, lifetime}
	}
	return nil
}

// areKnown reports whether a column is not null in at least one row.
func areKnown(rows []Row, value func(r Row) float64) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return !math.IsNaN(value(r)) })
}
