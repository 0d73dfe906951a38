package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ColorBar is the colour scale of a heat map, a vertical bar with labels.
type ColorBar struct {
	Title string                          // text above the bar; "" for none
	Color func(share float64) color.Color // colour at a height from 0 at the bottom to 1
	Ticks []BarTick
}

// BarTick is a label at a fraction of the height of a colour bar.
type BarTick struct {
	Share float64
	Label string
}

// BarTicks returns the ticks of a colour bar whose values run from low to high.
func BarTicks(low, high float64) (ticks []BarTick) {
	for _, tick := range (linearTicks{}).Ticks(low, high) {
		if tick.Label != "" {
			ticks = append(ticks, BarTick{(tick.Value - low) / max(high-low, math.SmallestNonzeroFloat64),
				tick.Label})
		}
	}
	return ticks
}

// ProbabilityBar returns the colour bar of ProbabilityColor for probabilities from 0 to top.
func ProbabilityBar(top float64) ColorBar {
	return ColorBar{Color: ProbabilityColor, Ticks: BarTicks(0, top)}
}

// drawBeside draws the colour bar at the right of the canvas and returns the rest of the canvas. A width of 0
// stands for the usual width.
func (b ColorBar) drawBeside(c draw.Canvas, width float64) draw.Canvas {
	if width == 0 {
		width = 50
	}
	b.draw(draw.Crop(c, c.Size().X-vg.Length(width)+10, 0, 50, -34))
	return draw.Crop(c, 0, -vg.Length(width), 0, 0)
}

// draw draws the colour bar at the left of the canvas, over the full height.
func (b ColorBar) draw(c draw.Canvas) {
	bar := draw.Crop(c, 0, -(c.Size().X - 12), 0, 0)
	const stripes = 100
	height := bar.Size().Y / stripes
	for k := range stripes {
		y := bar.Min.Y + height*vg.Length(k)
		over := vg.Length(0.3) // neighbours overlap, so that no gaps are visible
		if k == stripes-1 {
			over = 0
		}
		bar.FillPolygon(b.Color((float64(k)+0.5)/stripes),
			[]vg.Point{{X: bar.Min.X, Y: y}, {X: bar.Max.X, Y: y}, {X: bar.Max.X, Y: y + height + over},
				{X: bar.Min.X, Y: y + height + over}})
	}
	style := emptyPlot().X.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	for _, tick := range b.Ticks {
		y := bar.Min.Y + bar.Size().Y*vg.Length(tick.Share)
		bar.StrokeLine2(draw.LineStyle{Color: color.Black, Width: 0.5}, bar.Max.X, y, bar.Max.X+3, y)
		bar.FillText(style, vg.Point{X: bar.Max.X + 5, Y: y}, tick.Label)
	}
	style.YAlign = draw.YBottom
	bar.FillText(style, vg.Point{X: bar.Min.X, Y: bar.Max.Y + 6}, b.Title)
}
