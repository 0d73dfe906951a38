package figure

import (
	"image/color"
	"math"

	"antipode/internal/lists"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Stroke is the style of a line.
type Stroke struct {
	Color  color.Color
	Width  float64   // size in points
	Dashes []float64 // strokes and gaps in points; nil for none
}

// Glyph is the style of a dot.
type Glyph struct {
	Color  color.Color
	Shape  Shape
	Radius float64 // size in points
}

// Swatch is a filled colour as a sample in a legend.
type Swatch struct{ color.Color }

// Sample is an example of a mark in a legend: a Stroke, Glyph or Swatch.
type Sample interface{ thumbnail() plot.Thumbnailer }

// SeriesColors are the colours of the series in a plot, which colour-blind readers can distinguish (Okabe and
// Ito). The colours differ enough in brightness for prints in grey; the shapes of the dots of series differ
// too.
var SeriesColors = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

// SeriesDashes are the dashes of the lines of the series in a plot, by which lines can be distinguished in
// prints in grey.
var SeriesDashes = [][]float64{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 4}, {1, 3}}

// The dashes of lines that do not belong to a series.
var (
	Dotted = []float64{1.5, 2.5}
	Dashed = []float64{6, 4}
)

// SeriesStroke returns the line style of the series with the given index.
func SeriesStroke(series int, width float64) Stroke {
	return Stroke{SeriesColors[series], width, SeriesDashes[series]}
}

// SeriesGlyph returns the style of the dots of the series with the given index.
func SeriesGlyph(series int) Glyph { return Glyph{SeriesColors[series], SeriesShapes[series], 3} }

// Shape is the shape of dots.
type Shape int

// The shapes of dots.
const (
	Circle Shape = iota
	Square
	Triangle
	Pyramid
	Box
	Ring
	Plus  // on a white background
	Cross // on a white background
)

// SeriesShapes are the shapes of the dots of the series in a plot, by which dots can be distinguished in
// prints in grey.
var SeriesShapes = []Shape{Circle, Square, Triangle, Pyramid, Box, Ring}

// drawers draw the shapes of dots, in the order of the constants.
var drawers = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
	draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.RingGlyph{}, rimmedCross{1, 0}, rimmedCross{1, 1}}

// ProbabilityColor returns the colour of a probability p, from nearly white for 0 to dark violet for 1, with
// decreasing brightness.
func ProbabilityColor(p float64) color.Color {
	return MixStops(p, [][3]float64{{250, 247, 240}, {196, 190, 226}, {122, 96, 181}, {52, 16, 96}})
}

// MixStops interpolates between a list of colours, the stops. MixStops returns the colour at a fraction
// share, from 0 to 1, of the way from the first to the last stop. If share is NaN, MixStops returns the first
// stop.
func MixStops(share float64, stops [][3]float64) color.Color {
	if math.IsNaN(share) {
		share = 0
	}
	at := max(0, min(1, share)) * float64(len(stops)-1)
	k := min(int(at), len(stops)-2)
	mix := func(i int) uint8 { return uint8(stops[k][i] + (at-float64(k))*(stops[k+1][i]-stops[k][i]) + 0.5) }
	return color.RGBA{mix(0), mix(1), mix(2), 255}
}

// TowardsWhite mixes a colour with white. The argument share, from 0 to 1, is the fraction of white.
func TowardsWhite(c color.Color, share float64) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(v uint32) uint8 { return uint8(float64(v>>8) + share*(255-float64(v>>8)) + 0.5) }
	return color.RGBA{mix(r), mix(g), mix(b), 255}
}

func (s Stroke) style() draw.LineStyle {
	dashes := lists.Map(s.Dashes, func(d float64) vg.Length { return vg.Length(d) })
	return draw.LineStyle{Color: s.Color, Width: vg.Length(s.Width), Dashes: dashes}
}

func (g Glyph) style() draw.GlyphStyle {
	return draw.GlyphStyle{Color: g.Color, Radius: vg.Length(g.Radius), Shape: drawers[g.Shape]}
}

func (s Stroke) thumbnail() plot.Thumbnailer { return &plotter.Line{LineStyle: s.style()} }

func (g Glyph) thumbnail() plot.Thumbnailer { return &plotter.Scatter{GlyphStyle: g.style()} }

func (s Swatch) thumbnail() plot.Thumbnailer { return s }

// Thumbnail implements plot.Thumbnailer.
func (s Swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.Color, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}

// rimmedCross draws a cross of two strokes on a white background; (x, y) is the direction of one of the
// strokes.
type rimmedCross struct{ x, y float64 }

// DrawGlyph implements draw.GlyphDrawer.
func (m rimmedCross) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	x, y := style.Radius*vg.Length(m.x), style.Radius*vg.Length(m.y)
	for _, line := range []draw.LineStyle{{Color: color.White, Width: 4}, {Color: style.Color, Width: 2}} {
		c.StrokeLine2(line, at.X-x, at.Y-y, at.X+x, at.Y+y)
		c.StrokeLine2(line, at.X+y, at.Y-x, at.X-y, at.Y+x)
	}
}
