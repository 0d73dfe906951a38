package clustering

import (
	"fmt"
	"image/color"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/theory"
	"antipode/experiments/run"
	"antipode/overlap"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: on the left the more frequent outcome over (β, ε) with
// the theoretical thresholds, on the right the antipodal fraction against ε with the
// theory's lines.
func (*Hybrid) Draw(table *data.Table) (*figure.Figure, error) {
	h := NewHybrid()
	if err := run.ReadParameters(h, table); err != nil {
		return nil, err
	}
	cells, err := readHybrid(table)
	if err != nil {
		return nil, err
	}
	plane, err := cells.plane(h)
	if err != nil {
		return nil, err
	}
	curves, err := cells.curves(h)
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("hybrid", fmt.Sprintf("%s attention, d = %d, %s noise, %d trajectories a cell, depth %d, horizon %g, tolerance %g, 95 %% intervals",
		h.Attention, h.Dim, h.Law, h.Trajectories, h.Depth, h.Horizon, h.Tolerance), seed)
	return &figure.Figure{Width: 900, Height: 430, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		c = draw.Crop(c, 8, -8, 0, -8)
		middle := c.Size().X * 0.51
		left := draw.Crop(c, 0, middle-c.Size().X, 0, 0)
		plane.Draw(draw.Crop(left, 0, -92, 0, 0))
		drawDominanceBar(draw.Crop(left, left.Size().X-82, 0, 50, -34))
		drawWithLegend(curves, draw.Crop(c, middle+14, 0, 0, 0), 70)
	}}, nil
}

// dominanceColor is light for single clusters and dark for antipodal ones, the more so
// the greater the fraction of the more frequent of them, and grey in the middle.
func dominanceColor(single, antipodal float64) color.Color {
	fraction := antipodal
	if single > antipodal {
		fraction = -single
	}
	return figure.MixStops((1+fraction)/2, [][3]float64{{255, 225, 130}, {200, 188, 190}, {52, 16, 96}})
}

// drawDominanceBar draws the scale of dominanceColor.
func drawDominanceBar(c draw.Canvas) {
	bar := draw.Crop(c, 0, -(c.Size().X - 12), 0, 0)
	const stripes = 100
	height := bar.Size().Y / stripes
	for k := range stripes {
		y := bar.Min.Y + height*vg.Length(k)
		share := 2*(float64(k)+0.5)/stripes - 1
		bar.FillPolygon(dominanceColor(max(0, -share), max(0, share)),
			[]vg.Point{{X: bar.Min.X, Y: y}, {X: bar.Max.X, Y: y}, {X: bar.Max.X, Y: y + height + 0.3}, {X: bar.Min.X, Y: y + height + 0.3}})
	}
	style := figure.NewPlot("", "", "").X.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	for _, tick := range []struct {
		at   vg.Length
		text string
	}{{0, "1.0 single"}, {0.25, "0.5 single"}, {0.5, "0"}, {0.75, "0.5 antipodal"}, {1, "1.0 antipodal"}} {
		y := bar.Min.Y + bar.Size().Y*tick.at
		bar.StrokeLine2(draw.LineStyle{Color: color.Black, Width: 0.5}, bar.Max.X, y, bar.Max.X+3, y)
		bar.FillText(style, vg.Point{X: bar.Max.X + 5, Y: y}, tick.text)
	}
}

// plane is the map of the more frequent outcome over (β, ε).
func (c *hybridCells) plane(h *Hybrid) (*plot.Plot, error) {
	title := "More frequent outcome; dashed: ε² = 2e^-β"
	attention := theory.Attention(h.Attention)
	if attention == overlap.Softmax {
		title = "More frequent outcome; dashed: ε² = 2, dotted: ε² = 1+e^-2β"
	}
	p := figure.NewPlot(title, "inverse temperature β", "noise amplitude ε")
	err := figure.AddTiles(p, c.beta, c.epsilon, func(k int) color.Color { return dominanceColor(c.pSingle[k], c.pAntipodal[k]) })
	if err != nil {
		return nil, err
	}
	var single, antipodal plotter.XYs
	const points = 200
	for k := range points + 1 {
		beta := max(0, p.X.Min) + (p.X.Max-max(0, p.X.Min))*float64(k)/points
		s, a := overlap.HybridThresholds(beta, attention)
		if s >= p.Y.Min && s <= p.Y.Max {
			single = append(single, plotter.XY{X: beta, Y: s})
		}
		if a >= p.Y.Min && a <= p.Y.Max {
			antipodal = append(antipodal, plotter.XY{X: beta, Y: a})
		}
	}
	if attention == overlap.Unnormalized {
		antipodal = nil // the same
	}
	for i, line := range []plotter.XYs{single, antipodal} {
		if len(line) < 2 {
			continue
		}
		style := draw.LineStyle{Color: color.Black, Width: 1.5, Dashes: [][]vg.Length{{6, 4}, {1.5, 2.5}}[i]}
		if err := figure.AddOutlined(p, line, style); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// curves is the antipodal fraction against ε for up to three β.
func (c *hybridCells) curves(h *Hybrid) (*plot.Plot, error) {
	p := figure.NewPlot(fmt.Sprintf("Dots simulated; theory at time %g solid, in the limit dotted", h.Horizon), "noise amplitude ε", "P(antipodal)")
	const most = 3
	for i, beta := range figure.Spread(figure.Distinct(c.beta), most) {
		points := &figure.Intervals{}
		var x, horizon []float64
		for _, k := range c.ascending(beta) {
			low, high := wilson(c.antipodal[k], c.trajectories[k])
			points.Add(c.epsilon[k], c.pAntipodal[k], low, high)
			x, horizon = append(x, c.epsilon[k]), append(horizon, c.antipodalHorizon[k])
		}
		dots, err := figure.AddDots(p, i, points)
		if err != nil {
			return nil, err
		}
		p.Legend.Add(fmt.Sprintf("β = %g", beta), dots)
		if err := figure.AddBroken(p, x, horizon, draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2}); err != nil {
			return nil, err
		}
		limit, err := h.limitLine(beta, points.XYs)
		if err != nil {
			return nil, err
		}
		limit.LineStyle = draw.LineStyle{Color: figure.SeriesColors[i], Width: 1, Dashes: []vg.Length{1.5, 2.5}}
		p.Add(limit)
	}
	p.Y.Min, p.Y.Max = -0.01, 1.03
	p.Legend.Top, p.Legend.Left = true, true
	return p, nil
}

// ascending are the cells of one β, with ascending ε.
func (c *hybridCells) ascending(beta float64) []int {
	var cells []int
	for k := range c.beta {
		if c.beta[k] == beta {
			cells = append(cells, k)
		}
	}
	slices.SortFunc(cells, func(a, b int) int {
		if c.epsilon[a] < c.epsilon[b] {
			return -1
		}
		return 1
	})
	return cells
}

// limitLine is the limit's antipodal probability over the ε of points.
func (h *Hybrid) limitLine(beta float64, points plotter.XYs) (*plotter.Line, error) {
	const steps = 400
	low, high := points[0].X, points[len(points)-1].X
	xy := make(plotter.XYs, steps+1)
	for k := range xy {
		epsilon := low + (high-low)*float64(k)/steps
		diffusion, err := overlap.NewHybrid(int(h.Dim), beta, theory.Attention(h.Attention), epsilon)
		if err != nil {
			return nil, err
		}
		xy[k] = plotter.XY{X: epsilon, Y: diffusion.AntipodalUniform().Value}
	}
	return plotter.NewLine(xy)
}
