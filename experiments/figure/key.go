package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"antipode/internal/lists"
)

// Key is the legend of a figure or of a panel: it names lines, dots and colours. A legend is beside the plots
// or below them, so that it covers no data.
type Key struct{ Entries []KeyEntry }

// KeyEntry is a name in a legend, with samples of the marks that have this name.
type KeyEntry struct {
	Name    string
	Samples []Sample
}

// Add adds a name to the legend, unless the legend already has this name.
func (k *Key) Add(name string, samples ...Sample) {
	for _, e := range k.Entries {
		if e.Name == name {
			return
		}
	}
	k.Entries = append(k.Entries, KeyEntry{name, samples})
}

// column returns a legend of package plot with the entries from first up to, but not including, last.
func (k *Key) column(first, last int) plot.Legend {
	legend := emptyPlot().Legend
	legend.Top, legend.Left, legend.ThumbnailWidth = true, true, 26
	for _, e := range k.Entries[first:last] {
		thumbs := lists.Map(e.Samples, Sample.thumbnail)
		legend.Add(e.Name, thumbs...)
	}
	return legend
}

// width returns the width of the legend if all its entries are in one column.
func (k *Key) width() vg.Length {
	legend := k.column(0, len(k.Entries))
	size := legend.Rectangle(draw.Canvas{}).Size()
	return size.X + 8
}

// draw draws the legend in one column, from the top left of the canvas.
func (k *Key) draw(c draw.Canvas) {
	legend := k.column(0, len(k.Entries))
	legend.Draw(c)
}

// rowHeight is the height of a row of names in a legend below the plots, in points.
const rowHeight = 15

// columns returns the number of columns of a legend that fit into a width.
func (k *Key) columns(width vg.Length) int {
	return max(1, min(len(k.Entries), int(width/max(1, k.width()+8))))
}

// drawRows draws the legend in rows at the bottom of the canvas and returns the rest of the canvas.
func (k *Key) drawRows(c draw.Canvas) draw.Canvas {
	if len(k.Entries) == 0 {
		return c
	}
	columns := k.columns(c.Size().X)
	rows := (len(k.Entries) + columns - 1) / columns
	columns = (len(k.Entries) + rows - 1) / rows
	width := c.Size().X / vg.Length(columns)
	bottom := rowHeight * vg.Length(rows)
	for n := range k.Entries {
		legend := k.column(n, n+1)
		left, top := c.Min.X+width*vg.Length(n/rows)+4, c.Min.Y+bottom-rowHeight*vg.Length(n%rows)
		legend.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - rowHeight}, Max: vg.Point{X: left + width, Y: top},
		}})
	}
	return draw.Crop(c, 0, 0, bottom+6, 0)
}

// drawBeside draws a plot with the legend to its right.
func (k *Key) drawBeside(p *plot.Plot, c draw.Canvas) {
	const title = 26
	width := k.width()
	p.Draw(draw.Crop(c, 0, -width-6, 0, 0))
	k.draw(draw.Crop(c, c.Size().X-width, 0, 0, -title))
}
