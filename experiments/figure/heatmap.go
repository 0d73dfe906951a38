package figure

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// HeatMap is a matrix as a picture over a whole plot, row 0 at the top and both counted from 1, in colours
// between two values; what is beyond them has the colours of the ends.
type HeatMap struct {
	Rows, Columns int
	Value         func(row, column int) float64
	Low, High     float64
	// Roots makes colours follow the root of how far a value is above Low, which shows small ones beside
	// large.
	Roots bool
}

// sharp is the number of points on the longer side of the picture of a small matrix: programs blur the edges
// of a picture that they enlarge.
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

// heatColor is ProbabilityColor in so few steps that the palette of a picture has all of them.
func heatColor(share float64) color.Color {
	const steps = 60
	return ProbabilityColor(math.Round(share*steps) / steps)
}

// countTicks are some of the numbers 1 to n; downwards they are counted from the top.
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
	if len(ticks) > 3 { // wide numbers would touch
		for k := range ticks {
			if k%2 == 0 {
				ticks[k].Label = ""
			}
		}
	}
	return ticks
}

// Bar is the scale of the map's colours.
func (h HeatMap) Bar(title string) ColorBar {
	ticks := BarTicks(h.Low, h.High)
	if h.Roots {
		for k := range ticks {
			ticks[k].Share = math.Sqrt(ticks[k].Share)
		}
	}
	return ColorBar{Title: title, Color: heatColor, Ticks: ticks}
}
