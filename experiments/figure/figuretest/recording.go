// Package figuretest helps to test figures: it compares plots with what they should show, and records what a
// figure draws, so that tests can query lines, texts and their positions.
package figuretest

import (
	"image"
	"image/color"
	"math"

	"antipode/experiments/figure"
	"antipode/internal/lists"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Recording is a canvas that records what was drawn on it, in the coordinates of the entire canvas.
type Recording struct {
	Width, Height vg.Length
	Texts         []Text
	Lines         []Line
	Areas         []Area

	state state
	stack []state
}

// Text is a drawn string, and the rectangle that its letters cover.
type Text struct {
	Value string
	Place vg.Rectangle
}

// Line is a drawn line.
type Line struct {
	Color  color.Color
	Width  vg.Length
	Dashed bool
	Points []vg.Point
}

// Area is the bounding box of a filled shape, or of an image, which has no colour.
type Area struct {
	Color color.Color
	Place vg.Rectangle
}

type state struct {
	color  color.Color
	width  vg.Length
	dashed bool
	turn   float64
	origin vg.Point
}

// Figure draws a figure on a Recording.
func Figure(f *figure.Figure) *Recording {
	r := &Recording{Width: vg.Length(f.Width), Height: vg.Length(f.Height)}
	f.Paint(draw.NewCanvas(r, r.Width, r.Height))
	return r
}

// Strings returns the strings of all drawn texts.
func (r *Recording) Strings() (all []string) {
	return lists.Map(r.Texts, func(text Text) string { return text.Value })
}

// SetLineWidth implements vg.Canvas.
func (r *Recording) SetLineWidth(width vg.Length) { r.state.width = width }

// SetLineDash implements vg.Canvas.
func (r *Recording) SetLineDash(pattern []vg.Length, _ vg.Length) { r.state.dashed = len(pattern) > 0 }

// SetColor implements vg.Canvas.
func (r *Recording) SetColor(c color.Color) { r.state.color = c }

// Rotate implements vg.Canvas.
func (r *Recording) Rotate(angle float64) { r.state.turn += angle }

// Translate implements vg.Canvas.
func (r *Recording) Translate(by vg.Point) { r.state.origin = r.at(by) }

// Scale implements vg.Canvas. Scale panics, because no figure scales its canvas.
func (r *Recording) Scale(x, y float64) { panic("figuretest: Scale") }

// Push implements vg.Canvas.
func (r *Recording) Push() { r.stack = append(r.stack, r.state) }

// Pop implements vg.Canvas.
func (r *Recording) Pop() {
	last := len(r.stack) - 1
	r.state, r.stack = r.stack[last], r.stack[:last]
}

// at returns the position, on the entire canvas, of a point of the rotated and translated canvas.
func (r *Recording) at(p vg.Point) vg.Point {
	sin, cos := math.Sincos(r.state.turn)
	return vg.Point{
		X: r.state.origin.X + p.X*vg.Length(cos) - p.Y*vg.Length(sin),
		Y: r.state.origin.Y + p.X*vg.Length(sin) + p.Y*vg.Length(cos),
	}
}

func (r *Recording) points(path vg.Path) (points []vg.Point) {
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp, vg.LineComp, vg.CurveComp:
			points = append(points, r.at(c.Pos))
		case vg.ArcComp:
			radius := vg.Point{X: c.Radius, Y: c.Radius}
			points = append(points, r.at(c.Pos.Sub(radius)), r.at(c.Pos.Add(radius)))
		}
	}
	return points
}

// around returns the smallest rectangle that contains the points.
func around(points []vg.Point) vg.Rectangle {
	place := vg.Rectangle{Min: points[0], Max: points[0]}
	for _, p := range points {
		place.Min.X, place.Min.Y = min(place.Min.X, p.X), min(place.Min.Y, p.Y)
		place.Max.X, place.Max.Y = max(place.Max.X, p.X), max(place.Max.Y, p.Y)
	}
	return place
}

// Stroke implements vg.Canvas.
func (r *Recording) Stroke(path vg.Path) {
	r.Lines = append(r.Lines, Line{r.state.color, r.state.width, r.state.dashed, r.points(path)})
}

// Fill implements vg.Canvas.
func (r *Recording) Fill(path vg.Path) {
	if points := r.points(path); len(points) > 0 {
		r.Areas = append(r.Areas, Area{r.state.color, around(points)})
	}
}

// FillString implements vg.Canvas.
func (r *Recording) FillString(face font.Face, at vg.Point, text string) {
	extents := face.Extents()
	far := at.Add(vg.Point{X: face.Width(text), Y: extents.Ascent})
	r.Texts = append(r.Texts, Text{text, around([]vg.Point{
		r.at(at), r.at(far), r.at(vg.Point{X: at.X, Y: far.Y}), r.at(vg.Point{X: far.X, Y: at.Y}),
	})})
}

// DrawImage implements vg.Canvas. The content of an image is not recorded.
func (r *Recording) DrawImage(place vg.Rectangle, _ image.Image) {
	r.Areas = append(r.Areas, Area{nil, around([]vg.Point{r.at(place.Min), r.at(place.Max)})})
}
