package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// DrawColorBar draws the scale of ProbabilityColor from 0 to top.
func DrawColorBar(c draw.Canvas, top float64) {
	bar := draw.Crop(c, 0, -(c.Size().X - 12), 0, 0)
	const steps = 100
	height := bar.Size().Y / steps
	for k := range steps {
		y := bar.Min.Y + height*vg.Length(k)
		bar.FillPolygon(ProbabilityColor((float64(k)+0.5)/steps),
			[]vg.Point{{X: bar.Min.X, Y: y}, {X: bar.Max.X, Y: y}, {X: bar.Max.X, Y: y + height + 0.3}, {X: bar.Min.X, Y: y + height + 0.3}})
	}
	style := NewPlot("", "", "").X.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	ticks := int(math.Round(10 * top))
	if ticks > 5 && ticks%2 == 0 {
		ticks /= 2
	}
	for k := range ticks + 1 {
		y := bar.Min.Y + bar.Size().Y*vg.Length(k)/vg.Length(ticks)
		bar.StrokeLine2(draw.LineStyle{Color: color.Black, Width: 0.5}, bar.Max.X, y, bar.Max.X+3, y)
		bar.FillText(style, vg.Point{X: bar.Max.X + 5, Y: y}, fmt.Sprintf("%.1f", top*float64(k)/float64(ticks)))
	}
}
