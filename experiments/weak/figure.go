package weak

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: |error| against depth on logarithmic axes, a column of
// panels for each statistic; above the recursion and the schemes with a line of slope -1,
// below their extrapolations with one of slope -2. Errors below two of their standard
// errors have no known size and are left out.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	w := New()
	rows, err := w.readRows(table)
	if err != nil {
		return nil, err
	}
	fits := fitsOf(rows)
	key := &figure.Key{}
	var panels [][]*plot.Plot
	for _, extrapolated := range []bool{false, true} {
		var row []*plot.Plot
		for statistic := range Statistic(len(statisticNames)) {
			p, err := weakPanel(fits, statistic, extrapolated, key)
			if err != nil {
				return nil, err
			}
			row = append(row, p)
		}
		panels = append(panels, row)
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("weak", w.captionText(), seed)
	return &figure.Figure{Width: figure.Width, Height: 720, Paint: func(c draw.Canvas) {
		c = key.DrawRows(draw.Crop(figure.Caption(c, text), 8, -14, 4, -8))
		tiles := draw.Tiles{Rows: len(panels), Cols: len(statisticNames), PadX: 14, PadY: 12}
		for i, row := range plot.Align(panels, tiles, c) {
			for j, canvas := range row {
				panels[i][j].Draw(canvas)
			}
		}
	}}, nil
}

// captionText names the parameters that matter.
func (w *Experiment) captionText() string {
	start := "uniform start"
	if w.Z0 != nil {
		start = "z0 = " + parameter.FormatReal(*w.Z0)
	}
	text := fmt.Sprintf("%s, %s attention, %s, d = %d, β = %g", w.Model, w.Attention,
		wording.Count(w.Tokens, "token"), w.Dim, w.Beta)
	if w.Model == grids.HybridName {
		text += fmt.Sprintf(", ε = %g", w.Epsilon)
	}
	return text + interaction.Text(w.Interaction) +
		fmt.Sprintf(", horizon %g, %s, %s, 95 %% intervals; dashed: order 1, 2 where "+
			"extrapolated; not drawn: errors within two standard errors of 0", w.Horizon, start,
			wording.Count(w.Trajectories, "trajectory"))
}

// weakPanel shows one statistic.
func weakPanel(fits [][]Row, statistic Statistic, extrapolated bool, key *figure.Key) (*plot.Plot, error) {
	title, slope := "Error of the mean of "+statisticFormulas[statistic], 1.
	if extrapolated {
		title, slope = "… extrapolated", 2
	}
	p := figure.NewPlot(title, "depth L", "|error|")
	figure.Logarithmic(&p.X)
	figure.Logarithmic(&p.Y)
	var depths []float64
	top := plotter.XY{}
	for _, rows := range fits {
		_, isExtrapolated := rows[0].Scheme.plain()
		if rows[0].Statistic != statistic || isExtrapolated != extrapolated {
			continue
		}
		points := errorPoints(rows)
		for _, r := range rows {
			depths = append(depths, float64(r.Depth))
		}
		for _, q := range points.XYs {
			if float64(q.Y*math.Pow(q.X, slope)) > float64(top.Y*math.Pow(top.X, slope)) {
				top = q
			}
		}
		if err := addErrors(p, rows[0], points, key); err != nil {
			return nil, err
		}
	}
	depths = figure.Distinct(depths)
	if len(depths) == 0 { // rows are still to come
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 1, 10, 1e-3, 1
		return p, nil
	}
	p.X.Tick.Marker = figure.WholeTicks(depths)
	if top.Y == 0 { // nothing is known: any axis will do
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = depths[0], depths[len(depths)-1], 1e-3, 1
		return p, nil
	}
	p.X.Min, p.X.Max = depths[0]/1.15, depths[len(depths)-1]*1.15
	line, err := slopeLine(top, slope, p.X.Min, p.X.Max)
	if err != nil {
		return nil, err
	}
	p.Add(line)
	return p, nil
}

// slopeLine is a power law a little above a point.
func slopeLine(through plotter.XY, slope, low, high float64) (*plotter.Line, error) {
	const above = 1.6
	at := func(x float64) plotter.XY {
		return plotter.XY{X: x, Y: above * through.Y * math.Pow(through.X/x, slope)}
	}
	line, err := plotter.NewLine(plotter.XYs{at(low), at(high)})
	if err != nil {
		return nil, err
	}
	line.LineStyle = draw.LineStyle{Color: figure.SeriesColors[len(figure.SeriesColors)-1], Width: 0.7,
		Dashes: []vg.Length{4, 3}}
	return line, nil
}

// errorPoints are the errors that are known, with 95 % intervals.
func errorPoints(rows []Row) *figure.Intervals {
	points := &figure.Intervals{}
	for _, r := range rows {
		if size := math.Abs(r.Error); size > 2*r.Stderr {
			points.Add(float64(r.Depth), size, size-1.96*r.Stderr, size+1.96*r.Stderr)
		}
	}
	return points
}

// addErrors adds the points of a row's fit to a panel: the colour tells the scheme, the marker
// the law.
func addErrors(p *plot.Plot, of Row, points *figure.Intervals, key *figure.Key) error {
	if len(points.XYs) == 0 {
		return nil
	}
	scheme, _ := of.Scheme.plain()
	color := figure.SeriesColors[slices.Index(scheme.Labels(), string(scheme))]
	line, dots, err := plotter.NewLinePoints(points.XYs)
	if err != nil {
		return err
	}
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return err
	}
	line.LineStyle = draw.LineStyle{Color: color, Width: 1}
	bars.LineStyle, bars.CapWidth = draw.LineStyle{Color: color, Width: 0.7}, 4
	dots.GlyphStyle = draw.GlyphStyle{Color: color, Radius: 3, Shape: figure.SeriesMarkers[of.Law]}
	p.Add(line, bars, dots)
	figure.Mark(p, points.XYs)
	name := string(scheme)
	if scheme == recursionName {
		name += ", " + of.Law.String()
	}
	key.Add(name, line, dots)
	return nil
}
