package phase

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
)

// Draw implements run.Experiment. The left panel of the figure shows the antipodal probability over the plane
// of β and d, with the theoretical boundary. The right panel shows the antipodal probability against β, with
// theoretical lines.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	p := New()
	blocks, err := run.ReadRows[BlockRow](p, table)
	if err != nil {
		return nil, err
	}
	rows := plainRows(blocks)
	parameters := fmt.Sprintf("%s attention, %s values%s, %s a cell, depth %d, horizon %g, "+
		"tolerance %g, 95 %% intervals",
		p.Attention, p.Law, setting.CovarianceCaption(p.Covariance)+setting.SigmaText(p.Sigma)+
			p.Interaction.Caption()+p.beside().Caption(),
		wording.Count(p.Trajectories, "trajectory"), p.Depth, p.Horizon, p.Tolerance)
	lines := &figure.Key{}
	dims := dimensions(rows)
	drawn := figure.Spread(dims, len(figure.SeriesColors))
	key := &figure.Key{}
	curves := p.Curves(rows, drawn, key)
	bar := figure.ProbabilityBar(topColor(rows))
	plane := p.plane(rows, lines)
	addStationary(plane, blocks, lines)
	text := run.Caption(table, parameters) + figure.NotDrawn("d", dims, drawn)
	return figure.Stack(figure.Width, 415, []figure.Row{{Panels: []figure.Panel{
		{Plot: plane, Key: lines, Below: true, Bar: &bar},
		{Plot: curves, Key: key, Below: true}}}}, nil, text)
}

// dimensions returns the different dimensions in the rows, in ascending order.
func dimensions(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return float64(r.Dim) })
}

// temperatures returns the different inverse temperatures β in the rows, in ascending order.
func temperatures(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return r.Beta })
}

// plane returns the plot of the antipodal fraction over the plane of β and d.
func (e *Experiment) plane(rows []Row, key *figure.Key) *figure.Plot {
	p := figure.NewPlot("Antipodal fraction, simulated", "inverse temperature β", "dimension d")
	dims, top := dimensions(rows), topColor(rows)
	columns := figure.Cells{Grid: temperatures(rows), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: dims, Low: math.Inf(-1), High: math.Inf(1)}
	at := lists.Map(rows, func(r Row) figure.Point { return figure.Point{X: r.Beta, Y: float64(r.Dim)} })
	p.Tiles(columns, lines, at,
		func(k int) color.Color { return figure.ProbabilityColor(rows[k].PAntipodal / top) })
	p.Y.Ticks = figure.WholeTicks(dims)
	if !e.beside().None() {
		addBoundary(p, rows, key, "β_c", func(r Row) float64 { return r.Boundary })
	} else if boundary := e.boundaryIn(p); e.hasTheory() && len(boundary) > 1 {
		stroke := figure.Stroke{Color: color.Black, Width: 1.5, Dashes: figure.Dashed}
		key.Add("boundary "+e.boundaryText("="), stroke)
		p.RimmedLine(boundary, stroke)
	}
	addBoundary(p, rows, key, "the same at this depth", func(r Row) float64 { return r.BoundaryDepth })
	return p
}

// boundaryText returns the text of the criterion for an attracting antipodal outcome. The argument relation
// is > for the criterion, or = for the boundary.
func (e *Experiment) boundaryText(relation string) string {
	switch {
	case !e.Interaction.Identity():
		return "its drift beside overlap -1 " + relation + " 0, as overlap --boundary has it"
	}
	return setting.AttractionCondition(e.Covariance, relation)
}

// boundaryIn returns the line of critical dimensions d over β, within the axes of a plot. The line may reach
// a dimension at two values of β.
func (e *Experiment) boundaryIn(p *figure.Plot) (boundary []figure.Point) {
	const points = 200
	low := max(0, p.X.Low) // the tiles of β = 0 extend below 0
	for k := range points + 1 {
		if !e.Interaction.Identity() {
			break // the command overlap --boundary shows that line
		}
		beta := low + (p.X.High-low)*float64(k)/points
		if d := overlap.CriticalDim(beta, e.Covariance); d >= p.Y.Low && d <= p.Y.High {
			boundary = append(boundary, figure.Point{X: beta, Y: d})
		}
	}
	return boundary
}

// addBoundary adds the critical β of each row, a column of the table at the integer dimensions of the rows,
// to a plot over β and d.
func addBoundary(p *figure.Plot, rows []Row, key *figure.Key, name string, beta func(r Row) float64) {
	var points []figure.Point
	for _, r := range rows {
		if b := beta(r); b >= p.X.Low && b <= p.X.High {
			points = append(points, figure.Point{X: b, Y: float64(r.Dim)})
		}
	}
	addPoints(p, points, key, name, figure.Glyph{Color: color.Black, Shape: figure.Circle, Radius: 3})
}

// addStationary marks the cells in which neither the antipodal outcome nor a single cluster is attracting.
func addStationary(p *figure.Plot, rows []BlockRow, key *figure.Key) {
	var points []figure.Point
	for _, r := range rows {
		if !math.IsNaN(r.LimitMean) {
			points = append(points, figure.Point{X: r.Beta, Y: float64(r.Dim)})
		}
	}
	stationary := color.NRGBA{R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff}
	addPoints(p, points, key, "neither outcome attracts",
		figure.Glyph{Color: stationary, Shape: figure.Square, Radius: 3})
}

func addPoints(p *figure.Plot, points []figure.Point, key *figure.Key, name string, glyph figure.Glyph) {
	if len(points) > 0 {
		p.Add(figure.Dots{Points: points, Glyph: glyph})
		key.Add(name, glyph)
	}
}

// theory returns the theoretical curves of the antipodal probability over a range of β, one pair for each
// dimension.
func (p *Experiment) theory(dims []float64, low, high float64) []theory.Curves {
	layers := setting.CheckedLayers(p.Depth, p.Horizon)
	cell := func(d, beta float64) sde.Cell { return p.cell(int(d), beta) }
	return theory.Trace(dims, cell, low, high, layers, p.Horizon, p.Tolerance)
}

// Curves plots the antipodal probability against β in some dimensions. Dots show the simulated rows, and
// lines show the theory over the range of β of the rows.
func (p *Experiment) Curves(rows []Row, dims []float64, key *figure.Key) *figure.Plot {
	title := p.curvesTitle()
	if !p.hasTheory() {
		title = "… against β, with 95 % intervals"
	}
	curves := figure.NewPlot(title,
		"inverse temperature β", "P(antipodal)")
	low, high := theory.LineRange(temperatures(rows))
	lines, top := make([]theory.Curves, len(dims)), 0.0
	if p.hasTheory() {
		lines = p.theory(dims, low, high)
	}
	for i, d := range dims {
		var points figure.Intervals
		for _, r := range rows {
			if float64(r.Dim) == d {
				points.Add(r.Beta, r.PAntipodal, r.Low, r.High)
				top = max(top, r.High)
			}
		}
		lines[i].Add(curves, i)
		curves.Dots(i, points)
		top = max(top, lines[i].Top())
		key.Add(fmt.Sprintf("d = %g", d), figure.Stroke{Color: figure.SeriesColors[i], Width: 1.2},
			figure.SeriesGlyph(i))
	}
	curves.X.Range(low, high)
	curves.Y.Range(0, min(1, 1.08*top+0.01))
	return curves
}

// curvesTitle returns the title of the plot of Curves, which says to which depth and horizon the lines
// belong.
func (p *Experiment) curvesTitle() string {
	solid := "at this depth and horizon"
	if _, independent := p.Covariance.Independent(); p.Law != sde.Gaussian || !independent ||
		!p.Interaction.Identity() || p.Drift > 0 {
		solid = "at this horizon"
	}
	return fmt.Sprintf("… and theory: %s (solid), in the limit (dotted)", solid)
}

// topColor returns the antipodal fraction that has the darkest colour: the largest fraction of all rows,
// rounded up to a tenth.
func topColor(rows []Row) float64 {
	most := lists.Max(0.0, rows, func(r Row) float64 { return r.PAntipodal })
	return max(1, math.Ceil(10*most)) / 10
}
