// Package figure has the common style of the figures: sizes, colours, markers, tiles,
// captions, and their files.
//
//	p := figure.NewPlot("two tokens", "time", "overlap")
//	_, err := figure.AddLine(p, times, overlaps, draw.LineStyle{Color: figure.SeriesColors[0], Width: 1})
package figure

import (
	"errors"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is a picture of fixed size that can be written as PNG, SVG or PDF: Paint draws it on a
// canvas of Width by Height.
type Figure struct {
	Width, Height vg.Length
	Paint         func(draw.Canvas)
}

func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
}

// NewPlot returns an empty plot in the common style.
func NewPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size = 12
	p.Title.Padding = 6
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = 11
		axis.Tick.Label.Font.Size = 10
		axis.Padding = 4
		axis.Tick.Marker = Ticks{}
	}
	p.Legend.TextStyle.Font.Size = 10
	p.Legend.Padding = 2
	p.Add(areaMark{})
	return p
}

// SeriesColors can be told apart by colour-blind people (Okabe and Ito), and their
// brightness differs enough for grey prints; markers differ too.
var SeriesColors = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

// SeriesMarkers tell dots apart in grey.
var SeriesMarkers = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{},
	draw.RingGlyph{},
}

// ProbabilityColor goes from nearly white for 0 to dark violet for 1, ever darker.
func ProbabilityColor(p float64) color.Color {
	return MixStops(p, [][3]float64{{250, 247, 240}, {196, 190, 226}, {122, 96, 181}, {52, 16, 96}})
}

// MixStops is the colour at a share of 0 to 1 of the way along the stops, the first for NaN.
func MixStops(share float64, stops [][3]float64) color.Color {
	if math.IsNaN(share) {
		share = 0
	}
	at := max(0, min(1, share)) * float64(len(stops)-1)
	k := min(int(at), len(stops)-2)
	mix := func(i int) uint8 { return uint8(stops[k][i] + (at-float64(k))*(stops[k+1][i]-stops[k][i]) + 0.5) }
	return color.RGBA{mix(0), mix(1), mix(2), 255}
}

// ErrNone says that there is nothing to draw.
var ErrNone = errors.New("there is no figure of this table")
