package figure

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Width is that of a figure of several panels: at the width of a page its letters are as
// large as the text.
const Width = 870

// Pairs is the figure of plots, two in a row, with a caption. Their common key is in the free
// place if their number is odd, from three on, and else below. Those of more than three rows are lower.
func Pairs(panels []Panel, key *Key, caption string) (*Figure, error) {
	columns, rows := min(2, len(panels)), (len(panels)+1)/2
	width, height := float64(Width), float64(350*rows)
	if columns == 1 {
		width = 620
	}
	switch {
	case rows == 1:
		height = 415
	case rows > 3:
		height = float64(240 * rows)
	}
	return newFigure(width, height, panels, key, caption, func(c draw.Canvas) {
		c = draw.Crop(c, 8, -8, 0, -8)
		free := len(panels)%2 == 1 && rows > 1
		if !free {
			c = key.drawRows(c)
		}
		place := func(k int) draw.Canvas {
			across, down := c.Size().X/vg.Length(columns), c.Size().Y/vg.Length(rows)
			left, top := across*vg.Length(k%columns), down*vg.Length(k/columns)
			return draw.Crop(c, left+4, left+across-4-c.Size().X, c.Size().Y-top-down+5, -top-5)
		}
		for k, p := range panels {
			p.draw(place(k))
		}
		if free {
			key.draw(draw.Crop(place(len(panels)), 40, 0, 0, -40))
		}
	})
}

// Row is panels beside each other.
type Row struct {
	Panels  []Panel
	Columns int     // for how many there is place, 0 for that of the panels, which are in the middle
	Height  float64 // its share of the height, 0 for an equal one
}

// Stack is the figure of rows above each other. A bar, unless it is nil, is beside them all.
func Stack(width, height float64, rows []Row, bar *ColorBar, caption string) (*Figure, error) {
	var panels []Panel
	for _, r := range rows {
		panels = append(panels, r.Panels...)
	}
	return newFigure(width, height, panels, nil, caption, func(c draw.Canvas) {
		c = draw.Crop(c, 4, -4, -4, -4)
		if bar != nil {
			c = bar.drawBeside(c, 0)
		}
		top := vg.Length(0)
		for _, r := range rows {
			share := r.Height
			if share == 0 {
				share = 1 / float64(len(rows))
			}
			down := c.Size().Y * vg.Length(share)
			r.draw(draw.Crop(c, 0, 0, c.Size().Y-top-down+4, -top-4))
			top += down
		}
	})
}

// draw draws the panels over a canvas, a little apart.
func (r Row) draw(c draw.Canvas) {
	columns := max(r.Columns, len(r.Panels))
	across := c.Size().X / vg.Length(columns)
	left := across * vg.Length(columns-len(r.Panels)) / 2
	for _, p := range r.Panels {
		p.draw(draw.Crop(c, left+4, left+across-c.Size().X-4, 0, 0))
		left += across
	}
}

// Single is the figure of one panel.
func Single(width, height float64, p Panel, caption string) (*Figure, error) {
	return Stack(width, height, []Row{{Panels: []Panel{p}}}, nil, caption)
}

// Aligned is the figure of rows of plots of one size, with their axes in line, and their common key below.
func Aligned(width, height float64, rows [][]*Plot, key *Key, caption string) (*Figure, error) {
	panels := make([][]Panel, len(rows))
	for i, row := range rows {
		for _, p := range row {
			panels[i] = append(panels[i], Panel{Plot: p})
		}
	}
	return newFigure(width, height, slices.Concat(panels...), key, caption, func(c draw.Canvas) {
		c = key.drawRows(draw.Crop(c, 8, -14, 4, -8))
		tiles := draw.Tiles{Rows: len(panels), Cols: len(panels[0]), PadX: 14, PadY: 12}
		plots := renderAll(panels)
		for i, row := range plot.Align(plots, tiles, c) {
			for j, canvas := range row {
				plots[i][j].Draw(canvas)
			}
		}
	})
}

// Tiled is the figure of rows of panels of one size, a side of them, with axes in line and a colour bar
// beside the first row.
func Tiled(panels [][]Panel, side float64, bar ColorBar, caption string) (*Figure, error) {
	rows, columns := float64(len(panels)), len(panels[0])
	width, height := side*float64(max(2, columns))+50, rows*side+70
	return newFigure(width, height, slices.Concat(panels...), nil, caption, func(c draw.Canvas) {
		c = draw.Crop(c, 8, -8, 0, -8)
		bar.draw(draw.Crop(c, c.Size().X-48, 0, c.Size().Y*vg.Length(1-1/rows)+40, -24))
		tiles := draw.Tiles{Rows: len(panels), Cols: columns, PadX: 12, PadY: 10}
		for i, row := range plot.Align(renderAll(panels), tiles, draw.Crop(c, 0, -56, 0, 0)) {
			for j, canvas := range row {
				panels[i][j].draw(canvas)
			}
		}
	})
}
