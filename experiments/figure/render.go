package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
}

// emptyPlot returns an empty plot of package plot in the common style of all figures.
func emptyPlot() *plot.Plot {
	p := plot.New()
	p.Title.TextStyle.Font.Size = 12
	p.Title.Padding = 6
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = 11
		axis.Tick.Label.Font.Size = 10
		axis.Padding = 4
	}
	p.Legend.TextStyle.Font.Size = 10
	p.Legend.Padding = 2
	p.Add(areaMark{})
	return p
}

// render returns the plot as a plot of package plot.
func (p *Plot) render() *plot.Plot {
	out := emptyPlot()
	out.Title.Text = p.Title
	if p.Small {
		out.Title.TextStyle.Font.Size, out.X.Label.TextStyle.Font.Size = 10, 10
	}
	for _, m := range drawn(p.Marks) {
		m.draw(out)
	}
	p.X.render(&out.X)
	p.Y.render(&out.Y)
	if p.Bare {
		out.HideAxes()
	}
	return out
}

// render sets up an axis of a plot of package plot.
func (a Axis) render(to *plot.Axis) {
	to.Label.Text, to.Min, to.Max, to.Tick.Marker = a.Label, a.Low, a.High, linearTicks{}
	if a.Logarithmic {
		to.Scale, to.Tick.Marker = logScale{}, logTicks{}
		to.Label.TextStyle.Handler = withoutRoom{to.Label.TextStyle.Handler}
	}
	if a.Ticks == nil {
		return
	}
	var ticks plot.ConstantTicks
	for _, t := range a.Ticks {
		ticks = append(ticks, plot.Tick(t))
	}
	to.Tick.Marker = ticks
}

// withoutRoom is a text handler for the label of a logarithmic axis. Package plot draws this label in the
// middle of the axis, but reserves space for it at the mean of the values, which on a logarithmic axis is
// near the end. With withoutRoom the reserved space is empty.
type withoutRoom struct{ text.Handler }

// Box returns the size of a line of text, with width 0.
func (r withoutRoom) Box(line string, of font.Font) (width, height, depth vg.Length) {
	_, height, depth = r.Handler.Box(line, of)
	return 0, height, depth
}

// renderAll returns the plots of rows of panels as plots of package plot.
func renderAll(panels [][]Panel) [][]*plot.Plot {
	plots := make([][]*plot.Plot, len(panels))
	for i, row := range panels {
		for _, p := range row {
			plots[i] = append(plots[i], p.Plot.render())
		}
	}
	return plots
}
