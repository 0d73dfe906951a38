package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Area says where in a figure the data of one plot are shown. Programs use an Area to read values from a
// figure on the screen.
type Area struct {
	Title string `json:"title"`
	// The edges of the area of a plot, as fractions of the figure's width from the left and of its height
	// from the top.
	Left   float64 `json:"left"`
	Right  float64 `json:"right"`
	Top    float64 `json:"top"`
	Bottom float64 `json:"bottom"`
	X      Axis    `json:"x"`
	Y      Axis    `json:"y"`
	// Points are the points of all dots and lines of the plot.
	Points []Point `json:"points"`
}

func axisOf(a plot.Axis) Axis {
	return Axis{Label: a.Label.Text, Low: a.Min, High: a.Max, Logarithmic: isLogarithmic(a)}
}

// areas is a canvas that records the areas of the plots that are drawn on it.
type areas struct {
	vg.Canvas
	width, height float64
	all           []Area
}

// areasBelow returns the recording canvas of which the canvas c is a part, or nil if there is none.
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

// areaMark is a plotter that draws nothing, but tells the recording canvas where the plot is. An areaMark is
// drawn before the dots and lines of the plot.
type areaMark struct{}

// Plot implements plot.Plotter.
func (areaMark) Plot(c draw.Canvas, p *plot.Plot) {
	to := areasBelow(c)
	if to == nil {
		return
	}
	to.all = append(to.all, Area{
		Title: p.Title.Text, X: axisOf(p.X), Y: axisOf(p.Y), Points: []Point{},
		Left: float64(c.Min.X) / to.width, Right: float64(c.Max.X) / to.width,
		Top: 1 - float64(c.Max.Y)/to.height, Bottom: 1 - float64(c.Min.Y)/to.height,
	})
}

// pointMarks is a plotter that draws nothing, but tells the recording canvas the points of dots or of a line.
type pointMarks []Point

// mostMarked is the greatest number of points of an Area.
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
