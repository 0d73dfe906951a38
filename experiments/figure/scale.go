package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawToScale draws a plot in the middle of a canvas. The units of both axes have equal lengths, so that a
// circle appears as a circle.
func drawToScale(p *plot.Plot, c draw.Canvas) {
	// The space for labels depends slightly on the size of the canvas, so that the size of the plot is
	// computed several times.
	const steps = 4
	for range steps {
		data := p.DataCanvas(c).Size()
		x, y := vg.Length(p.X.Max-p.X.Min), vg.Length(p.Y.Max-p.Y.Min)
		unit := min(data.X/x, data.Y/y)
		across, down := (data.X-unit*x)/2, (data.Y-unit*y)/2
		c = draw.Crop(c, across, -across, down, -down)
	}
	p.Draw(c)
}
