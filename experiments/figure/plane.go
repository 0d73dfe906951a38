package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// AddTiles fills the plane of a grid: point k of it, at (x[k], y[k]), has its colour up
// to the middles between it and its neighbours. The axes end with the grid.
func AddTiles(p *plot.Plot, x, y []float64, fill func(k int) color.Color) error {
	columns, rows := Distinct(x), Distinct(y)
	for k := range x {
		x0, x1 := CellEdges(columns, x[k])
		y0, y1 := CellEdges(rows, y[k])
		tile, err := plotter.NewPolygon(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if err != nil {
			return err
		}
		tile.Color = fill(k)
		tile.LineStyle = draw.LineStyle{Color: tile.Color, Width: 0.3} // no seams
		p.Add(tile)
	}
	p.X.Min, _ = CellEdges(columns, columns[0])
	_, p.X.Max = CellEdges(columns, columns[len(columns)-1])
	p.Y.Min, _ = CellEdges(rows, rows[0])
	_, p.Y.Max = CellEdges(rows, rows[len(rows)-1])
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

// AddDots adds dots with intervals in the style of a series, and returns the dots.
func AddDots(p *plot.Plot, series int, points *Intervals) (*plotter.Scatter, error) {
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return nil, err
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	bars.LineStyle = draw.LineStyle{Color: SeriesColors[series], Width: 1}
	bars.CapWidth = 4
	dots.GlyphStyle = draw.GlyphStyle{Color: SeriesColors[series], Radius: 3, Shape: SeriesMarkers[series]}
	p.Add(bars, dots)
	return dots, nil
}
