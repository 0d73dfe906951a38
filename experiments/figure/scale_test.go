package figure_test

import (
	"math"
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sphere/must"

	"gonum.org/v1/plot/vg"
)

// A plot to scale shows a circle as a circle, whatever the shape of the canvas and the ranges of the axes,
// and keeps it within the canvas.
func TestToScale(t *testing.T) {
	for _, size := range [][2]float64{{300, 200}, {200, 300}, {500, 200}, {250, 250}} {
		for _, ends := range [][4]float64{{-1.05, 1.05, -1.05, 1.05}, {-3, 1.02, -1, 7.3}, {-2, 4, -1, 1.5}} {
			p := figure.NewPlot("circle", "real part", "imaginary part")
			var x, y []float64
			for k := range 401 {
				sin, cos := math.Sincos(math.Pi * float64(k) / 200)
				x, y = append(x, cos), append(y, sin)
			}
			p.Line(x, y, figure.Stroke{Color: figure.SeriesColors[1], Width: 1})
			p.X.Range(ends[0], ends[1])
			p.Y.Range(ends[2], ends[3])
			f := must.Get(figure.Single(size[0], size[1], figure.Panel{Plot: p, ToScale: true}, ""))(t)
			r := figuretest.Figure(f)
			low, high := vg.Point{X: 1e9, Y: 1e9}, vg.Point{X: -1e9, Y: -1e9}
			for _, line := range r.Lines {
				for _, at := range line.Points {
					if line.Color == figure.SeriesColors[1] {
						low = vg.Point{X: min(low.X, at.X), Y: min(low.Y, at.Y)}
						high = vg.Point{X: max(high.X, at.X), Y: max(high.Y, at.Y)}
					}
				}
			}
			if wide, tall := high.X-low.X, high.Y-low.Y; !(wide > 2) ||
				!(math.Abs(float64(wide-tall)) <= 0.2) {
				t.Errorf("%v, %v: the circle is %v wide and %v high", size, ends, wide, tall)
			}
			if low.X < 0 || low.Y < 0 || high.X > r.Width || high.Y > r.Height {
				t.Errorf("%v, %v: the circle is from %v to %v", size, ends, low, high)
			}
		}
	}
}
