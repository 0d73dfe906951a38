package clustering

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
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
	cells, err := readPhase(table)
	if err != nil {
		return nil, err
	}
	if len(cells.dim) == 0 {
		return nil, fmt.Errorf("the table has no rows to draw")
	}
	p := NewPhase()
	if err := run.ReadParameters(p, table); err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	parameters := fmt.Sprintf("%s attention, %s values, %d trajectories a cell, depth %d, horizon %g, tolerance %g, 95 %% intervals",
		p.Attention, p.Law, p.Trajectories, p.Depth, p.Horizon, p.Tolerance)
	plane, err := cells.plane()
	if err != nil {
		return nil, err
	}
	curves, err := cells.curves()
	if err != nil {
		return nil, err
	}
	return &figure.Figure{Width: 870, Height: 415, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, figure.RunCaption("phase", parameters, seed))
		c = draw.Crop(c, 8, -8, 0, -8)
		middle := c.Size().X * 0.49
		left := draw.Crop(c, 0, middle-c.Size().X, 0, 0)
		plane.Draw(draw.Crop(left, 0, -56, 0, 0))
		figure.DrawColorBar(draw.Crop(left, left.Size().X-44, 0, 50, -34), cells.topColor())
		curves.Draw(draw.Crop(c, middle+14, 0, 0, 0))
	}}, nil
}

// plane is the map of p_antipodal over (β, d).
func (c *phaseCells) plane() (*plot.Plot, error) {
	p := figure.NewPlot("Antipodal fraction, simulated", "inverse temperature β", "dimension d")
	betas, dims, top := figure.Distinct(c.beta), figure.Distinct(c.dim), c.topColor()
	for k := range c.dim {
		x0, x1 := figure.CellEdges(betas, c.beta[k])
		y0, y1 := figure.CellEdges(dims, float64(c.dim[k]))
		tile, err := plotter.NewPolygon(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if err != nil {
			return nil, err
		}
		tile.Color = figure.ProbabilityColor(c.estimate[k] / top)
		tile.LineStyle = draw.LineStyle{Color: tile.Color, Width: 0.3} // no seams
		p.Add(tile)
	}
	p.X.Min, _ = figure.CellEdges(betas, betas[0])
	_, p.X.Max = figure.CellEdges(betas, betas[len(betas)-1])
	p.Y.Min, _ = figure.CellEdges(dims, dims[0])
	_, p.Y.Max = figure.CellEdges(dims, dims[len(dims)-1])
	p.Y.Tick.Marker = figure.WholeTicks(dims)

	var boundary plotter.XYs
	const points = 200
	for k := range points + 1 {
		beta := max(0, p.X.Min) + (p.X.Max-max(0, p.X.Min))*float64(k)/points
		if d := 2 + math.Cosh(2*beta); d >= p.Y.Min && d <= p.Y.Max {
			boundary = append(boundary, plotter.XY{X: beta, Y: d})
		}
	}
	if err := addBoundary(p, boundary); err != nil {
		return nil, err
	}
	if err := c.addBoundaryAtDepth(p); err != nil {
		return nil, err
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.YOffs = 10, -8
	return p, nil
}

// addBoundary adds the line of infinite depth, white below black so that it shows on
// every colour.
func addBoundary(p *plot.Plot, boundary plotter.XYs) error {
	if len(boundary) < 2 {
		return nil
	}
	for _, style := range []draw.LineStyle{{Color: color.White, Width: 3.5}, {Color: color.Black, Width: 1.5, Dashes: []vg.Length{6, 4}}} {
		line, err := plotter.NewLine(boundary)
		if err != nil {
			return err
		}
		line.LineStyle = style
		p.Add(line)
		if style.Dashes != nil {
			p.Legend.Add("cosh 2β = d-2", line)
		}
	}
	return nil
}

// addBoundaryAtDepth adds the boundaries of the simulated depth, which is known at
// whole dimensions.
func (c *phaseCells) addBoundaryAtDepth(p *plot.Plot) error {
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
	p.Legend.Add("at this depth", dots)
	return nil
}

// curves is p_antipodal against β for up to six dimensions.
func (c *phaseCells) curves() (*plot.Plot, error) {
	p := figure.NewPlot("… and theory: at this horizon (solid), in the limit (dotted)", "inverse temperature β", "P(antipodal)")
	dims := figure.Spread(figure.Distinct(c.dim), len(figure.SeriesColors))
	top := 0.0
	for i, d := range dims {
		points := &figure.Intervals{}
		var horizon plotter.XYs
		for k := range c.dim {
			if float64(c.dim[k]) == d {
				points.Add(c.beta[k], c.estimate[k], c.low[k], c.high[k])
				if !math.IsNaN(c.horizon[k]) {
					horizon = append(horizon, plotter.XY{X: c.beta[k], Y: c.horizon[k]})
				}
				top = max(top, c.high[k], c.limit[k])
			}
		}
		slices.SortFunc(horizon, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		if err := addSeries(p, i, int(d), points, horizon); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = 0, min(1, 1.08*top+0.01)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs = 8
	p.Legend.ThumbnailWidth = 24
	return p, nil
}

// addSeries adds the dots with their intervals and the theory's lines for one d.
func addSeries(p *plot.Plot, i, d int, points *figure.Intervals, horizon plotter.XYs) error {
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return err
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	bars.LineStyle = draw.LineStyle{Color: figure.SeriesColors[i], Width: 1}
	bars.CapWidth = 4
	dots.GlyphStyle = draw.GlyphStyle{Color: figure.SeriesColors[i], Radius: 3, Shape: figure.SeriesMarkers[i]}
	p.Add(bars, dots)
	legend := []plot.Thumbnailer{dots}
	if len(horizon) > 1 {
		line, err := plotter.NewLine(horizon)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2}
		limit, err := limitLine(d, horizon[0].X, horizon[len(horizon)-1].X)
		if err != nil {
			return err
		}
		limit.LineStyle = draw.LineStyle{Color: figure.SeriesColors[i], Width: 1, Dashes: []vg.Length{1.5, 2.5}}
		p.Add(line, limit)
		legend = append(legend, line)
	}
	p.Legend.Add(fmt.Sprintf("d = %d", d), legend...)
	return nil
}

// limitLine is the limit's probability over a range of β.
func limitLine(d int, low, high float64) (*plotter.Line, error) {
	const points = 200
	xy := make(plotter.XYs, points+1)
	for k := range xy {
		beta := low + (high-low)*float64(k)/points
		diffusion, err := overlap.New(d, beta, overlap.Softmax, 1) // the same for both attentions
		if err != nil {
			return nil, err
		}
		xy[k] = plotter.XY{X: beta, Y: diffusion.AntipodalUniform().Value}
	}
	return plotter.NewLine(xy)
}

// topColor is the probability that has the darkest colour: a tenth above all seen.
func (c *phaseCells) topColor() float64 {
	return max(1, math.Ceil(10*slices.Max(c.estimate))) / 10
}
