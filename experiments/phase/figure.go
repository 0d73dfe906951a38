package phase

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/theory"
	"antipode/experiments/wording"
	"antipode/sde"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: on the left the probability over (β, d) with the
// theoretical boundary, on the right against β, with the theory's lines.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	p := New()
	rows, err := p.readRows(table)
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	parameters := fmt.Sprintf("%s attention, %s values%s, %s a cell, depth %d, horizon %g, "+
		"tolerance %g, 95 %% intervals",
		p.Attention, p.Law, p.Covariance.Text()+grids.SigmaText(p.Sigma)+interaction.Text(p.Interaction),
		wording.Count(p.Trajectories, "trajectory"), p.Depth, p.Horizon, p.Tolerance)
	lines := &figure.Key{}
	left, err := p.plane(rows, lines)
	if err != nil {
		return nil, err
	}
	dims := dimensions(rows)
	drawn := figure.Spread(dims, len(figure.SeriesColors))
	key := &figure.Key{}
	curves, err := p.Curves(rows, drawn, key)
	if err != nil {
		return nil, err
	}
	text := figure.RunCaption("phase", parameters, seed) + figure.NotDrawn("d", dims, drawn)
	return &figure.Figure{Width: 870, Height: 415, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		c = draw.Crop(c, 8, -8, 0, -8)
		middle := c.Size().X * 0.49
		half := lines.DrawRows(draw.Crop(c, 0, middle-c.Size().X, 0, 0))
		left.Draw(draw.Crop(half, 0, -50, 0, 0))
		figure.ProbabilityBar(topColor(rows)).Draw(draw.Crop(half, half.Size().X-40, 0, 50, -34))
		curves.Draw(key.DrawRows(draw.Crop(c, middle+10, 0, 0, 0)))
	}}, nil
}

// dimensions are those of the rows, each once.
func dimensions(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return float64(r.Dim) })
}

// temperatures are the β of the rows, each once.
func temperatures(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return r.Beta })
}

// plane is the map of p_antipodal over (β, d).
func (e *Experiment) plane(rows []Row, key *figure.Key) (*plot.Plot, error) {
	p := figure.NewPlot("Antipodal fraction, simulated", "inverse temperature β", "dimension d")
	dims, top := dimensions(rows), topColor(rows)
	columns := figure.Cells{Grid: temperatures(rows), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: dims, Low: math.Inf(-1), High: math.Inf(1)}
	var x, y []float64
	for _, r := range rows {
		x, y = append(x, r.Beta), append(y, float64(r.Dim))
	}
	fill := func(k int) color.Color { return figure.ProbabilityColor(rows[k].PAntipodal / top) }
	if err := figure.AddTiles(p, columns, lines, x, y, fill); err != nil {
		return nil, err
	}
	p.Y.Tick.Marker = figure.WholeTicks(dims)
	if boundary := e.boundaryIn(p); e.hasTheory() && len(boundary) > 1 {
		style := draw.LineStyle{Color: color.Black, Width: 1.5, Dashes: []vg.Length{6, 4}}
		key.Add("boundary "+e.boundaryText("="), &plotter.Line{LineStyle: style})
		if err := figure.AddOutlined(p, boundary, style); err != nil {
			return nil, err
		}
	}
	return p, addBoundaryAtDepth(p, rows, key)
}

// boundaryText is the relation that decides whether the antipodal outcome attracts.
func (e *Experiment) boundaryText(relation string) string {
	switch {
	case e.Interaction != interaction.Identity:
		return "its drift beside overlap -1 " + relation + " 0, as overlap --boundary has it"
	case e.Covariance == grids.Ginibre:
		return "cosh 2β " + relation + " d-2"
	}
	return "a cosh 2β + b (1 + sinh 2β) + c " + relation + " a (d-2)"
}

// boundaryIn is the line of critical dimensions within the axes of a plot. A dimension may be on it at
// two β.
func (e *Experiment) boundaryIn(p *plot.Plot) (boundary plotter.XYs) {
	const points = 200
	for k := range points + 1 {
		if e.Interaction != interaction.Identity {
			break // overlap --boundary draws it
		}
		beta := p.X.Min + (p.X.Max-p.X.Min)*float64(k)/points
		if d := e.Covariance.Theory().CriticalDim(beta); d >= p.Y.Min && d <= p.Y.Max {
			boundary = append(boundary, plotter.XY{X: beta, Y: d})
		}
	}
	return boundary
}

// addBoundaryAtDepth adds the boundaries of the simulated depth, which is known at
// whole dimensions.
func addBoundaryAtDepth(p *plot.Plot, rows []Row, key *figure.Key) error {
	var points plotter.XYs
	for _, r := range rows {
		if r.BoundaryDepth >= p.X.Min && r.BoundaryDepth <= p.X.Max {
			points = append(points, plotter.XY{X: r.BoundaryDepth, Y: float64(r.Dim)})
		}
	}
	if len(points) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: 3, Shape: draw.CircleGlyph{}}
	p.Add(dots)
	figure.Mark(p, points)
	key.Add("the same at this depth", dots)
	return nil
}

// theory are the curves of the dimensions over a range of β.
func (p *Experiment) theory(dims []float64, low, high float64) ([]theory.Curves, error) {
	layers, err := grids.Layers(p.Depth, p.Horizon)
	if err != nil {
		return nil, err
	}
	var families []func(beta float64) sde.Cell
	for _, d := range dims {
		families = append(families, func(beta float64) sde.Cell { return p.cell(int(d), beta) })
	}
	return theory.Trace(families, low, high, layers, p.Horizon, p.Tolerance), nil
}

// Curves is p_antipodal against β in some dimensions, dots of the rows and lines of the theory
// over the range of their β.
func (p *Experiment) Curves(rows []Row, dims []float64, key *figure.Key) (*plot.Plot, error) {
	title := p.curvesTitle()
	if !p.hasTheory() {
		title = "… against β, with 95 % intervals"
	}
	curves := figure.NewPlot(title,
		"inverse temperature β", "P(antipodal)")
	low, high := theory.LineRange(temperatures(rows))
	lines, top := make([]theory.Curves, len(dims)), 0.0
	if p.hasTheory() {
		var err error
		if lines, err = p.theory(dims, low, high); err != nil {
			return nil, err
		}
	}
	for i, d := range dims {
		points := &figure.Intervals{}
		for _, r := range rows {
			if float64(r.Dim) == d {
				points.Add(r.Beta, r.PAntipodal, r.Low, r.High)
				top = max(top, r.High)
			}
		}
		if err := lines[i].Add(curves, i); err != nil {
			return nil, err
		}
		dots, err := figure.AddDots(curves, i, points)
		if err != nil {
			return nil, err
		}
		top = max(top, lines[i].Top())
		line := &plotter.Line{LineStyle: draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2}}
		key.Add(fmt.Sprintf("d = %g", d), line, dots)
	}
	curves.X.Min, curves.X.Max = low, high
	curves.Y.Min, curves.Y.Max = 0, min(1, 1.08*top+0.01)
	return curves, nil
}

// curvesTitle says what the lines are.
func (p *Experiment) curvesTitle() string {
	solid := "at this depth and horizon"
	if p.Law != sde.Gaussian || p.Covariance != grids.Ginibre || p.Interaction != interaction.Identity {
		solid = "at this horizon"
	}
	return fmt.Sprintf("… and theory: %s (solid), in the limit (dotted)", solid)
}

// topColor is the probability that has the darkest colour: a tenth above all seen.
func topColor(rows []Row) float64 {
	most := 0.0
	for _, r := range rows {
		most = max(most, r.PAntipodal)
	}
	return max(1, math.Ceil(10*most)) / 10
}
