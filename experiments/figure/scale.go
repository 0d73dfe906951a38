package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawToScale draws a plot in the middle of a canvas such that the units of both axes have equal lengths and
// a circle appears as a circle.
func drawToScale(p *plot.Plot, c draw.Canvas) {
	const steps = 4 // the space that labels need depends slightly on the size of the canvas
	for range steps {
		data := p.DataCanvas(c).Size()
		x, y := vg.Length(p.X.Max-p.X.Min), vg.Length(p.Y.Max-p.Y.Min)
		unit := min(data.X/x, data.Y/y)
		across, down := (data.X-unit*x)/2, (data.Y-unit*y)/2
		c = draw.Crop(c, across, -across, down, -down)
	}
	p.Draw(c)
}
