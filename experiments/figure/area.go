package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Area is where a figure has the data of one plot, for who wants to read values off it.
type Area struct {
	Title string `json:"title"`
	// Its edges, as shares of the figure's width from the left and of its height from the top.
	Left   float64 `json:"left"`
	Right  float64 `json:"right"`
	Top    float64 `json:"top"`
	Bottom float64 `json:"bottom"`
	X      Axis    `json:"x"`
	Y      Axis    `json:"y"`
	// Points are those that its dots and lines pass through, as far as they have been marked.
	Points []plotter.XY `json:"points"`
}

// Axis is the values along a side of an Area, linear in the value or in its logarithm.
type Axis struct {
	Label       string  `json:"label"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Logarithmic bool    `json:"logarithmic"`
}

func axisOf(a plot.Axis) Axis {
	return Axis{a.Label.Text, a.Min, a.Max, isLogarithmic(a)}
}

// areas is a canvas that takes note of the plots on it.
type areas struct {
	vg.Canvas
	width, height float64
	all           []Area
}

// areasBelow is such a canvas, of which the canvas is a part, nil if it is part of another.
func areasBelow(c draw.Canvas) *areas {
	for {
		switch under := c.Canvas.(type) {
		case *areas:
			return under
		case draw.Canvas:
			c = under
		default:
			return nil
		}
	}
}

// areaMark is a plotter that draws nothing, and tells such a canvas where its plot is. It comes before the
// plot's dots and lines.
type areaMark struct{}

// Plot implements plot.Plotter.
func (areaMark) Plot(c draw.Canvas, p *plot.Plot) {
	to := areasBelow(c)
	if to == nil {
		return
	}
	to.all = append(to.all, Area{
		Title: p.Title.Text, X: axisOf(p.X), Y: axisOf(p.Y), Points: []plotter.XY{},
		Left: float64(c.Min.X) / to.width, Right: float64(c.Max.X) / to.width,
		Top: 1 - float64(c.Max.Y)/to.height, Bottom: 1 - float64(c.Min.Y)/to.height,
	})
}

// Mark takes note of points that dots or a line of a plot pass through, for its Area.
func Mark(p *plot.Plot, points plotter.XYs) { p.Add(pointMarks(points)) }

// pointMarks tell such a canvas what dots or a line pass through.
type pointMarks plotter.XYs

// mostMarked is the number of points of an Area.
const mostMarked = 20_000

// Plot implements plot.Plotter.
func (m pointMarks) Plot(c draw.Canvas, p *plot.Plot) {
	to := areasBelow(c)
	if to == nil || len(to.all) == 0 {
		return
	}
	area := &to.all[len(to.all)-1]
	for _, at := range m {
		seen := p.X.Min <= at.X && at.X <= p.X.Max && p.Y.Min <= at.Y && at.Y <= p.Y.Max &&
			!math.IsInf(at.X+at.Y, 0)
		if seen && len(area.Points) < mostMarked {
			area.Points = append(area.Points, at)
		}
	}
}
