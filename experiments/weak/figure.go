package weak

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
)

// Draw implements run.Experiment. The figure of experiment weak shows absolute weak errors against depth on
// logarithmic axes, with a column of panels for each statistic of the overlap. The upper panels show the
// recursion and the schemes, with a line of slope -1. The lower panels show extrapolations, with a line of
// slope -2. An error below two standard errors is left out, because its size is not known.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	w := New()
	rows, err := run.ReadRows[Row](w, table)
	if err != nil {
		return nil, err
	}
	fits := fitsOf(rows)
	key := &figure.Key{}
	var panels [][]*figure.Plot
	for _, extrapolated := range []bool{false, true} {
		var row []*figure.Plot
		for statistic := range Statistic(len(statisticNames)) {
			row = append(row, weakPanel(fits, statistic, extrapolated, key))
		}
		panels = append(panels, row)
	}
	text := run.Caption(table, w.captionText())
	return figure.Aligned(figure.Width, 720, panels, key, text)
}

// captionText states the parameters that have an effect for a caption.
func (w *Experiment) captionText() string {
	start := "uniform start"
	if w.Z0 != nil {
		start = "z0 = " + parameter.FormatReal(*w.Z0)
	}
	text := fmt.Sprintf("%s, %s attention, %s, d = %d, β = %g", w.Model, w.Attention,
		wording.Count(w.Tokens, "token"), w.Dim, w.Beta)
	if w.Model == setting.Hybrid {
		text += fmt.Sprintf(", ε = %g", w.Epsilon)
	}
	return text + w.Interaction.Caption() + w.sublayers().Caption() +
		fmt.Sprintf(", horizon %g, %s, %s, 95 %% intervals; dashed: order 1, or 2 if extrapolated; not "+
			"drawn: errors within two standard errors of 0", w.Horizon, start,
			wording.Count(w.Trajectories, "trajectory"))
}

// weakPanel plots the errors of the mean of one statistic of the overlap against depth.
func weakPanel(fits [][]Row, statistic Statistic, extrapolated bool, key *figure.Key) *figure.Plot {
	title, order := "Error of the mean of "+statisticFormulas[statistic], 1.
	if extrapolated {
		title, order = "… extrapolated", 2
	}
	p := figure.NewPlot(title, "depth L", "|error|")
	p.X.Logarithmic, p.Y.Logarithmic = true, true
	var depths []float64
	var top figure.Point
	for _, rows := range fits {
		_, isExtrapolated := rows[0].Scheme.plain()
		if rows[0].Statistic != statistic || isExtrapolated != extrapolated {
			continue
		}
		points := errorPoints(rows)
		for _, r := range rows {
			depths = append(depths, float64(r.Depth))
		}
		for _, q := range points.Points {
			if float64(q.Y*math.Pow(q.X, order)) > float64(top.Y*math.Pow(top.X, order)) {
				top = q
			}
		}
		addErrors(p, rows[0], points, key)
	}
	depths = figure.Distinct(depths)
	if len(depths) == 0 { // no rows have been computed yet
		p.X.Range(1, 10)
		p.Y.Range(1e-3, 1)
		return p
	}
	p.X.Ticks = figure.WholeTicks(depths)
	if top.Y == 0 { // no error is known, so that the axis has no effect
		p.X.Range(depths[0], depths[len(depths)-1])
		p.Y.Range(1e-3, 1)
		return p
	}
	p.X.Range(depths[0]/1.15, depths[len(depths)-1]*1.15)
	p.Add(orderLine(top, order, p.X.Low, p.X.High))
	return p
}

// orderLine returns the line of an error of the given order in 1/L at depth L, slightly above the point
// through.
func orderLine(through figure.Point, order, low, high float64) figure.Line {
	const above = 1.6
	at := func(x float64) figure.Point {
		return figure.Point{X: x, Y: above * through.Y * math.Pow(through.X/x, order)}
	}
	return figure.Line{Points: []figure.Point{at(low), at(high)}, Stroke: figure.Stroke{
		Color: figure.SeriesColors[len(figure.SeriesColors)-1], Width: 0.7, Dashes: []float64{4, 3}}}
}

// errorPoints returns the absolute errors whose size is known, with 95 % intervals.
func errorPoints(rows []Row) (points figure.Intervals) {
	for _, r := range rows {
		if size := math.Abs(r.Error); size > 2*r.Stderr {
			half := statistics.Quantile95 * r.Stderr
			points.Add(float64(r.Depth), size, size-half, size+half)
		}
	}
	return points
}

// addErrors adds the errors of a series to a panel. The colour of their dots shows the scheme, and the shape
// shows the law.
func addErrors(p *figure.Plot, of Row, points figure.Intervals, key *figure.Key) {
	if len(points.Points) == 0 {
		return
	}
	scheme, _ := of.Scheme.plain()
	color := figure.SeriesColors[slices.Index(scheme.Labels(), string(scheme))]
	stroke := figure.Stroke{Color: color, Width: 1}
	glyph := figure.Glyph{Color: color, Shape: figure.SeriesShapes[of.Law], Radius: 3}
	p.Add(figure.Line{Points: points.Points, Stroke: stroke},
		figure.Dots{Points: points.Points, Low: points.Low, High: points.High, Glyph: glyph, Bar: 0.7})
	name := string(scheme)
	if scheme == recursionName {
		name += ", " + of.Law.String()
	}
	key.Add(name, stroke, glyph)
}
