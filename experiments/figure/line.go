package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SeriesDashes tell lines apart in grey.
var SeriesDashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 4}, {1, 3}}

// mostPoints is the number of points of a line that a figure can show.
const mostPoints = 1000

// ShownRows are the rows that a line through a number of rows shows, with both ends.
func ShownRows(rows int) []int {
	if rows <= mostPoints {
		shown := make([]int, rows)
		for k := range shown {
			shown[k] = k
		}
		return shown
	}
	shown := make([]int, mostPoints)
	for k := range shown {
		shown[k] = k * (rows - 1) / (mostPoints - 1)
	}
	return shown
}

// AddLine adds a line of y over x to a plot.
func AddLine(p *plot.Plot, x, y []float64, style draw.LineStyle) (*plotter.Line, error) {
	var points plotter.XYs
	for _, k := range ShownRows(len(x)) {
		points = append(points, plotter.XY{X: x[k], Y: y[k]})
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	line.LineStyle = style
	p.Add(line)
	Mark(p, points)
	return line, nil
}

// AddOutlinedLine adds a black line with a white rim, which shows on every colour.
func AddOutlinedLine(p *plot.Plot, x, y []float64, dashes []vg.Length) (*plotter.Line, error) {
	if _, err := AddLine(p, x, y, draw.LineStyle{Color: color.White, Width: 4}); err != nil {
		return nil, err
	}
	return AddLine(p, x, y, draw.LineStyle{Color: color.Black, Width: 1.6, Dashes: dashes})
}
