package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Width is that of a figure of several panels: at the width of a page its letters are as
// large as the text.
const Width = 870

// Panel is a plot with a key of its own beside it, nil for none.
type Panel struct {
	Plot    *plot.Plot
	Key     *Key
	ToScale bool // units of both axes are as long as each other; without a key of its own
}

// Draw draws the plot, and the key.
func (p Panel) Draw(c draw.Canvas) {
	switch {
	case p.ToScale:
		DrawToScale(p.Plot, c)
	case p.Key != nil:
		p.Key.DrawBeside(p.Plot, c)
	default:
		p.Plot.Draw(c)
	}
}

// Panels is the figure of plots, two in a row, with a caption. Their common key is in the free
// place if their number is odd, from three on, and else below. Those of more than three rows are lower.
func Panels(panels []Panel, key *Key, caption string) *Figure {
	columns, rows := min(2, len(panels)), (len(panels)+1)/2
	width, height := vg.Length(Width), vg.Length(350*rows)
	if columns == 1 {
		width = 620
	}
	switch {
	case rows == 1:
		height = 415
	case rows > 3:
		height = vg.Length(240 * rows)
	}
	return &Figure{Width: width, Height: height, Paint: func(c draw.Canvas) {
		c = draw.Crop(Caption(c, caption), 8, -8, 0, -8)
		free := len(panels)%2 == 1 && rows > 1
		if !free {
			c = key.DrawRows(c)
		}
		place := func(k int) draw.Canvas {
			across, down := c.Size().X/vg.Length(columns), c.Size().Y/vg.Length(rows)
			left, top := across*vg.Length(k%columns), down*vg.Length(k/columns)
			return draw.Crop(c, left+4, left+across-4-c.Size().X, c.Size().Y-top-down+5, -top-5)
		}
		for k, p := range panels {
			p.Draw(place(k))
		}
		if free {
			key.Draw(draw.Crop(place(len(panels)), 40, 0, 0, -40))
		}
	}}
}
