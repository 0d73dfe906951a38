package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// AddTile fills a rectangle of a plot.
func AddTile(p *plot.Plot, x0, x1, y0, y1 float64, c color.Color) error {
	tile, err := plotter.NewPolygon(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1},
		{X: x0, Y: y1}})
	if err != nil {
		return err
	}
	tile.Color = c
	tile.LineStyle = draw.LineStyle{Color: c, Width: 0.3} // no seams
	p.Add(tile)
	return nil
}

// AddTiles fills the plane of a grid: point k of it, at (x[k], y[k]), has its colour, nil for
// none, up to the edges of its cell. The axes end with the grid.
func AddTiles(p *plot.Plot, columns, rows Cells, x, y []float64, fill func(k int) color.Color) error {
	for k := range x {
		c := fill(k)
		if c == nil {
			continue
		}
		x0, x1 := columns.Edges(x[k])
		y0, y1 := rows.Edges(y[k])
		if err := AddTile(p, x0, x1, y0, y1, c); err != nil {
			return err
		}
	}
	p.X.Min, p.X.Max = columns.Ends()
	p.Y.Min, p.Y.Max = rows.Ends()
	return nil
}

// AddOutlined adds a line that shows on every colour: white below, then in its style.
func AddOutlined(p *plot.Plot, points plotter.XYs, style draw.LineStyle) error {
	for _, s := range []draw.LineStyle{{Color: color.White, Width: style.Width + 2}, style} {
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.LineStyle = s
		p.Add(line)
	}
	return nil
}

// AddBroken adds a line of y over x that has gaps where y is NaN.
func AddBroken(p *plot.Plot, x, y []float64, style draw.LineStyle) error {
	for first := 0; first < len(x); first++ {
		last := first
		for last < len(x) && !math.IsNaN(y[last]) {
			last++
		}
		if last-first > 1 {
			if _, err := AddLine(p, x[first:last], y[first:last], style); err != nil {
				return err
			}
		}
		first = last
	}
	return nil
}

// AddCurve adds a line of y over x in a style, or where that is a single point, a dot in the style of a
// series. It returns nil for no point.
func AddCurve(p *plot.Plot, series int, x, y []float64, style draw.LineStyle) (plot.Thumbnailer, error) {
	if len(x) == 0 {
		return nil, nil
	}
	if len(x) > 1 {
		return AddLine(p, x, y, style)
	}
	return addMarkers(p, series, plotter.XYs{{X: x[0], Y: y[0]}})
}

// AddDots adds dots with intervals in the style of a series, and returns the dots.
func AddDots(p *plot.Plot, series int, points *Intervals) (*plotter.Scatter, error) {
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return nil, err
	}
	bars.LineStyle = draw.LineStyle{Color: SeriesColors[series], Width: 1}
	bars.CapWidth = 4
	p.Add(bars)
	return addMarkers(p, series, points.XYs)
}

// addMarkers adds dots in the style of a series.
func addMarkers(p *plot.Plot, series int, points plotter.XYs) (*plotter.Scatter, error) {
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: SeriesColors[series], Radius: 3, Shape: SeriesMarkers[series]}
	p.Add(dots)
	Mark(p, points)
	return dots, nil
}
