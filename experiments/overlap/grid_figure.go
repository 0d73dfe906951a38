package overlap

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/experiments/figure"
)

// drawGrid draws the antipodal probability of every point against β, a line for each of up to
// six dimensions, dotted in the limit and solid at a horizon if there is one, and the Lyapunov
// exponent of the antipodal pair, or the lifetime of unequal clusters. Of a single β it draws
// them against the dimension.
func (o *Experiment) drawGrid(rows []Row, caption string) (*figure.Figure, error) {
	series, left := againstBeta(rows), ""
	x := "inverse temperature β"
	if len(o.Beta) == 1 {
		series, x = []gridSeries{againstDim(rows)}, "dimension d"
	} else if dims := dimensions(rows); len(dims) > len(figure.SeriesColors) {
		left = figure.NotDrawn("d", dims, figure.Spread(dims, len(figure.SeriesColors)))
	}
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

// gridSeries is a line of a figure of a grid: its rows, in the order of x.
type gridSeries struct {
	name string
	x    func(r Row) float64
	rows []Row
}

// newSeries is a line over the rows.
func newSeries(name string, rows []Row, x func(r Row) float64) gridSeries {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(x(a), x(b)) })
	return gridSeries{name, x, rows}
}

// againstBeta has the rows of up to six dimensions.
func againstBeta(rows []Row) (all []gridSeries) {
	for _, d := range figure.Spread(dimensions(rows), len(figure.SeriesColors)) {
		other := func(r Row) bool { return float64(r.Dim) != d }
		all = append(all, newSeries(fmt.Sprintf("d = %g", d), slices.DeleteFunc(slices.Clone(rows), other),
			func(r Row) float64 { return r.Beta }))
	}
	return all
}

// againstDim has all rows.
func againstDim(rows []Row) gridSeries {
	return newSeries(fmt.Sprintf("β = %g", rows[0].Beta), rows, func(r Row) float64 { return float64(r.Dim) })
}

// dimensions are those of the rows, without repetition.
func dimensions(rows []Row) []float64 {
	dims := make([]float64, len(rows))
	for k, r := range rows {
		dims[k] = float64(r.Dim)
	}
	return figure.Distinct(dims)
}

// solid is the probability at the horizon, exact at a depth if there is one; nil without a horizon.
func (o *Experiment) solid() func(r Row) float64 {
	switch {
	case o.atDepth():
		return func(r Row) float64 { return r.DepthAntipodal }
	case o.Horizon != nil:
		return func(r Row) float64 { return r.AntipodalHorizon }
	}
	return nil
}

// addProbabilities adds the lines of the antipodal probability, and their key.
func addProbabilities(p *figure.Plot, key *figure.Key, series []gridSeries, solid func(r Row) float64) {
	if solid != nil {
		addLines(p, series, solid, false)
	}
	for i, s := range series {
		key.Add(s.name, gridStyle(i, false))
	}
	addLines(p, series, func(r Row) float64 { return r.Antipodal }, solid != nil)
}

// gridStyle is that of a series.
func gridStyle(i int, dotted bool) figure.Stroke {
	if dotted {
		return figure.Stroke{Color: figure.SeriesColors[i], Width: 1, Dashes: figure.Dotted}
	}
	return figure.SeriesStroke(i, 1.4)
}

// addLines adds the lines of a value of the rows, with gaps where it is null.
func addLines(p *figure.Plot, series []gridSeries, value func(r Row) float64, dotted bool) {
	for i, s := range series {
		x, y := make([]float64, len(s.rows)), make([]float64, len(s.rows))
		for k, r := range s.rows {
			x[k], y[k] = s.x(r), value(r)
		}
		p.BrokenLine(x, y, gridStyle(i, dotted))
		addPoints(p, i, x, y)
	}
}

// addPoints marks the points of the grid, if they are so few that the line between them is
// none of the theory.
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

// gridRate is the plot of a rate or time, and what it shows of a row.
type gridRate struct {
	*figure.Plot
	value func(r Row) float64
}

// rates is the plot of the Lyapunov exponents or of the lifetimes, nil if the rows have
// neither.
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

// areKnown tells whether a value of some row is not null.
func areKnown(rows []Row, value func(r Row) float64) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return !math.IsNaN(value(r)) })
}
