package figure

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// HeatMap shows a matrix as an image that fills a plot. Row 0 is at the top, and the axes count rows and
// columns from 1. Colours represent values from Low to High. A value below Low has the colour of Low, and a
// value above High has the colour of High.
type HeatMap struct {
	Rows, Columns int
	Value         func(row, column int) float64
	Low, High     float64
	// Roots makes the colours of a heat map depend on the square root of the difference from Low, so that
	// small values are visible beside large values.
	Roots bool
}

// sharp is the number of pixels on the longer side of the image of a small matrix. The number is large
// because programs that enlarge an image blur its edges.
const sharp = 512

func (h HeatMap) corners() []Point {
	return []Point{{0.5, 0.5}, {float64(h.Columns) + 0.5, float64(h.Rows) + 0.5}}
}

func (h HeatMap) draw(on *plot.Plot) {
	factor := max(1, (sharp+max(h.Rows, h.Columns)-1)/max(h.Rows, h.Columns))
	picture := image.NewRGBA(image.Rect(0, 0, h.Columns*factor, h.Rows*factor))
	for i := range h.Rows {
		for j := range h.Columns {
			c := color.RGBAModel.Convert(heatColor(h.share(h.Value(i, j)))).(color.RGBA)
			for y := range factor {
				for x := range factor {
					picture.SetRGBA(j*factor+x, i*factor+y, c)
				}
			}
		}
	}
	on.Add(plotter.NewImage(picture, 0.5, 0.5, float64(h.Columns)+0.5, float64(h.Rows)+0.5))
	on.X.Padding, on.Y.Padding = 0, 0
}

func (h HeatMap) share(value float64) float64 {
	if math.IsNaN(value) || h.High <= h.Low {
		return 0
	}
	share := min(1, max(0, (value-h.Low)/(h.High-h.Low)))
	if h.Roots {
		return math.Sqrt(share)
	}
	return share
}

// heatColor is ProbabilityColor with fewer different colours, so that the palette of an image can hold all of
// them.
func heatColor(share float64) color.Color {
	const steps = 60
	return ProbabilityColor(math.Round(share*steps) / steps)
}

// countTicks returns ticks at some of the integers from 1 to n. If downwards is true, the integers run from
// the top of the axis to the bottom.
func countTicks(n int, downwards bool) (ticks []Tick) {
	for _, tick := range (linearTicks{}).Ticks(1, float64(max(2, n))) {
		if tick.Label == "" || tick.Value != math.Round(tick.Value) || tick.Value < 1 ||
			tick.Value > float64(n) {
			continue
		}
		if downwards {
			tick.Value = float64(n) + 1 - tick.Value
		}
		ticks = append(ticks, Tick{tick.Value, tick.Label})
	}
	if len(ticks) > 3 { // wide labels would touch
		for k := range ticks {
			if k%2 == 0 {
				ticks[k].Label = ""
			}
		}
	}
	return ticks
}

// Bar returns the colour bar of the heat map.
func (h HeatMap) Bar(title string) ColorBar {
	ticks := BarTicks(h.Low, h.High)
	if h.Roots {
		for k := range ticks {
			ticks[k].Share = math.Sqrt(ticks[k].Share)
		}
	}
	return ColorBar{Title: title, Color: heatColor, Ticks: ticks}
}
