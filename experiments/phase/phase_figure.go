package phase

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/figure"
	"antipode/experiments/internal/theory"
	"antipode/experiments/run"
	"antipode/overlap"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: on the left the probability over (β, d) with the
// theoretical boundary, on the right against β, with the theory's lines.
func (*Phase) Draw(table *data.Table) (*figure.Figure, error) {
	cells, err := ReadPhase(table)
	if err != nil {
		return nil, err
	}
	if len(cells.dim) == 0 {
		return nil, columns.ErrNoRows
	}
	p := New()
	if err := run.ReadParameters(p, table); err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	parameters := fmt.Sprintf("%s attention, %s values, %d trajectories a cell, depth %d, horizon %g, tolerance %g, 95 %% intervals",
		p.Attention, p.Law, p.Trajectories, p.Depth, p.Horizon, p.Tolerance)
	lines := &figure.Key{}
	plane, err := cells.plane(lines)
	if err != nil {
		return nil, err
	}
	dims := figure.Distinct(cells.dim)
	drawn := figure.Spread(dims, len(figure.SeriesColors))
	key := &figure.Key{}
	curves, err := cells.Curves(drawn, cells.Theory(p, drawn), key)
	if err != nil {
		return nil, err
	}
	text := figure.RunCaption("phase", parameters, seed) + figure.NotDrawn("d", dims, drawn)
	return &figure.Figure{Width: 870, Height: 415, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		c = draw.Crop(c, 8, -8, 0, -8)
		middle := c.Size().X * 0.49
		left := lines.DrawRows(draw.Crop(c, 0, middle-c.Size().X, 0, 0))
		plane.Draw(draw.Crop(left, 0, -50, 0, 0))
		figure.ProbabilityBar(cells.topColor()).Draw(draw.Crop(left, left.Size().X-40, 0, 50, -34))
		curves.Draw(key.DrawRows(draw.Crop(c, middle+10, 0, 0, 0)))
	}}, nil
}

// plane is the map of p_antipodal over (β, d).
func (c *phaseCells) plane(key *figure.Key) (*plot.Plot, error) {
	p := figure.NewPlot("Antipodal fraction, simulated", "inverse temperature β", "dimension d")
	dims, top := figure.Distinct(c.dim), c.topColor()
	betas := figure.Cells{Grid: figure.Distinct(c.beta), Low: 0, High: math.Inf(1)}
	y := make([]float64, len(c.dim))
	for k, d := range c.dim {
		y[k] = float64(d)
	}
	rows := figure.Cells{Grid: dims, Low: math.Inf(-1), High: math.Inf(1)}
	fill := func(k int) color.Color { return figure.ProbabilityColor(c.estimate[k] / top) }
	if err := figure.AddTiles(p, betas, rows, c.beta, y, fill); err != nil {
		return nil, err
	}
	p.Y.Tick.Marker = figure.WholeTicks(dims)
	if boundary := boundaryIn(p); len(boundary) > 1 {
		style := draw.LineStyle{Color: color.Black, Width: 1.5, Dashes: []vg.Length{6, 4}}
		key.Add("boundary cosh 2β = d-2", &plotter.Line{LineStyle: style})
		if err := figure.AddOutlined(p, boundary, style); err != nil {
			return nil, err
		}
	}
	return p, c.addBoundaryAtDepth(p, key)
}

// boundaryIn is the line cosh 2β = d-2 within the axes of a plot.
func boundaryIn(p *plot.Plot) (boundary plotter.XYs) {
	const points = 200
	for k := range points + 1 {
		beta := p.X.Min + (p.X.Max-p.X.Min)*float64(k)/points
		if d := 2 + math.Cosh(2*beta); d >= p.Y.Min && d <= p.Y.Max {
			boundary = append(boundary, plotter.XY{X: beta, Y: d})
		}
	}
	return boundary
}

// addBoundaryAtDepth adds the boundaries of the simulated depth, which is known at
// whole dimensions.
func (c *phaseCells) addBoundaryAtDepth(p *plot.Plot, key *figure.Key) error {
	var points plotter.XYs
	for k, beta := range c.boundaryDepth {
		if beta >= p.X.Min && beta <= p.X.Max {
			points = append(points, plotter.XY{X: beta, Y: float64(c.dim[k])})
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
	key.Add("the same at this depth", dots)
	return nil
}

// Theory are the curves of the dimensions over the simulated range of β.
func (c *phaseCells) Theory(p *Phase, dims []float64) []theory.Curves {
	var families []func(beta float64) (*overlap.Diffusion, error)
	for _, d := range dims {
		families = append(families, func(beta float64) (*overlap.Diffusion, error) {
			return overlap.New(int(d), beta, theory.Attention(p.Attention), 1)
		})
	}
	low, high := theory.LineRange(figure.Distinct(c.beta))
	return theory.Trace(families, low, high, p.Horizon, p.Tolerance)
}

// Curves is p_antipodal against β in some dimensions.
func (c *phaseCells) Curves(dims []float64, lines []theory.Curves, key *figure.Key) (*plot.Plot, error) {
	p := figure.NewPlot("… and theory: at this horizon (solid), in the limit (dotted)", "inverse temperature β", "P(antipodal)")
	top := 0.0
	for i, d := range dims {
		points := &figure.Intervals{}
		for k := range c.dim {
			if float64(c.dim[k]) == d {
				points.Add(c.beta[k], c.estimate[k], c.low[k], c.high[k])
				top = max(top, c.high[k])
			}
		}
		if err := lines[i].Add(p, i); err != nil {
			return nil, err
		}
		dots, err := figure.AddDots(p, i, points)
		if err != nil {
			return nil, err
		}
		top = max(top, lines[i].Top())
		line := &plotter.Line{LineStyle: draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2}}
		key.Add(fmt.Sprintf("d = %g", d), line, dots)
	}
	p.X.Min, p.X.Max = theory.LineRange(figure.Distinct(c.beta))
	p.Y.Min, p.Y.Max = 0, min(1, 1.08*top+0.01)
	return p, nil
}

// topColor is the probability that has the darkest colour: a tenth above all seen.
func (c *phaseCells) topColor() float64 {
	return max(1, math.Ceil(10*slices.Max(c.estimate))) / 10
}
