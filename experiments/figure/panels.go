package figure

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Width is the width of a figure with several panels, in points. If such a figure fills the width of a page,
// its letters are as large as the letters of the text.
const Width = 870

// Pairs returns a figure with a caption and two plots in each row. If the number of plots is odd and at least
// three, the common legend is in the free place of the last row; otherwise the legend is below the plots. If
// there are more than three rows, the rows are less high.
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

// Row is a row of panels.
type Row struct {
	Panels []Panel
	// Columns is the number of places in the row; 0 stands for the number of panels. The panels are in the
	// middle of the row.
	Columns int
	Height  float64 // fraction of the figure's height; 0 for an equal share
}

// Stack returns a figure of rows of panels, from top to bottom. A colour bar that is not nil is to the right
// of all rows.
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

// draw draws the panels of the row over the width of a canvas, with small gaps between them.
func (r Row) draw(c draw.Canvas) {
	columns := max(r.Columns, len(r.Panels))
	across := c.Size().X / vg.Length(columns)
	left := across * vg.Length(columns-len(r.Panels)) / 2
	for _, p := range r.Panels {
		p.draw(draw.Crop(c, left+4, left+across-c.Size().X-4, 0, 0))
		left += across
	}
}

// Single returns a figure with one panel.
func Single(width, height float64, p Panel, caption string) (*Figure, error) {
	return Stack(width, height, []Row{{Panels: []Panel{p}}}, nil, caption)
}

// Aligned returns a figure with rows of plots of equal size and aligned axes, and with their common legend
// below.
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

// Tiled returns a figure with rows of panels. All panels have the given side as width and height, and aligned
// axes. The colour bar is beside the first row.
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
