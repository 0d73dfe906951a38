package overlap

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// overlapGrid has the columns of a table of Overlap that a figure of a grid shows.
type overlapGrid struct {
	dim                []int32
	beta               []float64
	antipodal, horizon []float64
	lyapunov, lifetime []float64
}

// drawGrid draws the antipodal probability of every point against β, a line for each of up to
// six dimensions, dotted in the limit and solid at a horizon if there is one, and the Lyapunov
// exponent of the antipodal pair, or the lifetime of unequal clusters. Of a single β it draws
// them against the dimension.
func (o *Experiment) drawGrid(table *data.Table, caption string) (*figure.Figure, error) {
	r := columns.Reader{Table: table}
	g := &overlapGrid{
		dim: columns.Of[int32](&r, "dim"), beta: columns.Of[float64](&r, "beta"),
		antipodal: columns.Of[float64](&r, "p_antipodal"), horizon: columns.Of[float64](&r, "p_antipodal_horizon"),
		lyapunov: columns.Of[float64](&r, "lyapunov"), lifetime: columns.Of[float64](&r, "lifetime"),
	}
	if r.Err == nil && len(g.dim) == 0 {
		r.Err = columns.ErrNoRows
	}
	if r.Err != nil {
		return nil, r.Err
	}
	series, left := g.againstBeta(), ""
	x := "inverse temperature β"
	if len(o.Beta) == 1 {
		series, x = []gridSeries{g.againstDim()}, "dimension d"
	} else if dims := figure.Distinct(g.dim); len(dims) > len(figure.SeriesColors) {
		left = figure.NotDrawn("d", dims, figure.Spread(dims, len(figure.SeriesColors)))
	}
	key := &figure.Key{}
	probability := figure.NewPlot("Antipodal probability", x, "P(antipodal)")
	if o.Horizon != nil {
		probability.Title.Text += fmt.Sprintf(" at time %g (solid), in the limit (dotted)", *o.Horizon)
	}
	panels := []figure.Panel{{Plot: probability}}
	if err := g.addProbabilities(probability, key, series, o.Horizon != nil); err != nil {
		return nil, err
	}
	if probability.Y.Min = 0; !(probability.Y.Max > 0) {
		probability.Y.Max = 1
	}
	if rate := g.rates(x); rate != nil {
		if err := g.add(rate.Plot, series, rate.values, false); err != nil {
			return nil, err
		}
		panels = append(panels, figure.Panel{Plot: rate.Plot})
	}
	return figure.Panels(panels, key, caption+left), nil
}

// gridSeries is a line of a figure of a grid.
type gridSeries struct {
	name string
	x    []float64
	rows []int
}

// againstBeta has the rows of up to six dimensions.
func (g *overlapGrid) againstBeta() (all []gridSeries) {
	for _, d := range figure.Spread(figure.Distinct(g.dim), len(figure.SeriesColors)) {
		s := gridSeries{name: fmt.Sprintf("d = %g", d)}
		for row := range g.dim {
			if float64(g.dim[row]) == d {
				s.rows = append(s.rows, row)
			}
		}
		s.sortBy(g.beta)
		all = append(all, s)
	}
	return all
}

// againstDim has all rows.
func (g *overlapGrid) againstDim() gridSeries {
	s := gridSeries{name: fmt.Sprintf("β = %g", g.beta[0])}
	dims := make([]float64, len(g.dim))
	for row, d := range g.dim {
		dims[row], s.rows = float64(d), append(s.rows, row)
	}
	s.sortBy(dims)
	return s
}

// sortBy puts the rows in the order of a column, which becomes their x.
func (s *gridSeries) sortBy(column []float64) {
	slices.SortFunc(s.rows, func(a, b int) int { return cmp.Compare(column[a], column[b]) })
	for _, row := range s.rows {
		s.x = append(s.x, column[row])
	}
}

func (g *overlapGrid) addProbabilities(p *plot.Plot, key *figure.Key, series []gridSeries, horizon bool) error {
	if horizon {
		if err := g.add(p, series, g.horizon, false); err != nil {
			return err
		}
	}
	for i, s := range series {
		key.Add(s.name, &plotter.Line{LineStyle: gridStyle(i, false)})
	}
	return g.add(p, series, g.antipodal, horizon)
}

// gridStyle is that of a series.
func gridStyle(i int, dotted bool) draw.LineStyle {
	style := draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.4, Dashes: figure.SeriesDashes[i]}
	if dotted {
		style.Width, style.Dashes = 1, []vg.Length{1.5, 2.5}
	}
	return style
}

// add adds the lines of a column, with gaps where it is null.
func (g *overlapGrid) add(p *plot.Plot, series []gridSeries, column []float64, dotted bool) error {
	for i, s := range series {
		y := make([]float64, len(s.rows))
		for k, row := range s.rows {
			y[k] = column[row]
		}
		if err := figure.AddBroken(p, s.x, y, gridStyle(i, dotted)); err != nil {
			return err
		}
		if err := addPoints(p, i, s.x, y); err != nil {
			return err
		}
	}
	return nil
}

// addPoints marks the points of the grid, if they are so few that the line between them is
// none of the theory.
func addPoints(p *plot.Plot, series int, x, y []float64) error {
	const few = 30
	var points plotter.XYs
	for k := range x {
		if !math.IsNaN(y[k]) {
			points = append(points, plotter.XY{X: x[k], Y: y[k]})
		}
	}
	if len(x) > few || len(points) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: figure.SeriesColors[series], Radius: 2.5, Shape: figure.SeriesMarkers[series]}
	p.Add(dots)
	return nil
}

// gridRate is the plot of a rate or time, and its column.
type gridRate struct {
	*plot.Plot
	values []float64
}

// rates is the plot of the Lyapunov exponents or of the lifetimes, nil if the table has
// neither.
func (g *overlapGrid) rates(x string) *gridRate {
	switch {
	case hasValues(g.lyapunov):
		return &gridRate{figure.NewPlot("Lyapunov exponent of the antipodal pair: it attracts below 0", x, "exponent"), g.lyapunov}
	case hasValues(g.lifetime):
		p := figure.NewPlot("Lifetime: mean time of the overlap from -1 to 0", x, "units of time")
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, figure.LogTicks{}
		return &gridRate{p, g.lifetime}
	}
	return nil
}

func hasValues(column []float64) bool {
	for _, v := range column {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}
