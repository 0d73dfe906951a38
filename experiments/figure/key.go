package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Key names the lines, dots and colours of a figure. It has a place of its own, beside or
// below the plots, so that it covers nothing of them.
type Key struct{ entries []keyEntry }

type keyEntry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// Add adds a name, unless it is there.
func (k *Key) Add(name string, thumbs ...plot.Thumbnailer) {
	for _, e := range k.entries {
		if e.name == name {
			return
		}
	}
	k.entries = append(k.entries, keyEntry{name, thumbs})
}

// Len is the number of names.
func (k *Key) Len() int { return len(k.entries) }

// column is a legend of the entries from first up to last.
func (k *Key) column(first, last int) plot.Legend {
	legend := NewPlot("", "", "").Legend
	legend.Top, legend.Left, legend.ThumbnailWidth = true, true, 26
	for _, e := range k.entries[first:last] {
		legend.Add(e.name, e.thumbs...)
	}
	return legend
}

// Width is that of the key in one column.
func (k *Key) Width() vg.Length {
	legend := k.column(0, len(k.entries))
	size := legend.Rectangle(draw.Canvas{}).Size()
	return size.X + 8
}

// Draw draws the key from the top left of the canvas, in one column.
func (k *Key) Draw(c draw.Canvas) {
	legend := k.column(0, len(k.entries))
	legend.Draw(c)
}

// rowHeight is that of a name in DrawRows.
const rowHeight = 15

// columns are as many as fit side by side in a width.
func (k *Key) columns(width vg.Length) int {
	return max(1, min(len(k.entries), int(width/max(1, k.Width()+8))))
}

// DrawRows draws the key in rows at the bottom of the canvas and returns the rest.
func (k *Key) DrawRows(c draw.Canvas) draw.Canvas {
	if len(k.entries) == 0 {
		return c
	}
	columns := k.columns(c.Size().X)
	rows := (len(k.entries) + columns - 1) / columns
	columns = (len(k.entries) + rows - 1) / rows
	width := c.Size().X / vg.Length(columns)
	bottom := rowHeight * vg.Length(rows)
	for n := range k.entries {
		legend := k.column(n, n+1)
		left, top := c.Min.X+width*vg.Length(n/rows)+4, c.Min.Y+bottom-rowHeight*vg.Length(n%rows)
		legend.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - rowHeight}, Max: vg.Point{X: left + width, Y: top},
		}})
	}
	return draw.Crop(c, 0, 0, bottom+6, 0)
}

// DrawBeside draws a plot and to the right of it the key.
func (k *Key) DrawBeside(p *plot.Plot, c draw.Canvas) {
	const title = 26
	width := k.Width()
	p.Draw(draw.Crop(c, 0, -width-6, 0, 0))
	k.Draw(draw.Crop(c, c.Size().X-width, 0, 0, -title))
}
