package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tiled is the figure of rows of panels of one size, a side of them, with axes in line and a colour bar
// beside the first row.
func Tiled(panels [][]Panel, side vg.Length, bar ColorBar, caption string) *Figure {
	rows, columns := vg.Length(len(panels)), len(panels[0])
	plots := make([][]*plot.Plot, len(panels))
	for i, row := range panels {
		for _, p := range row {
			plots[i] = append(plots[i], p.Plot)
		}
	}
	return &Figure{
		Width: side*vg.Length(max(2, columns)) + 50, Height: rows*side + 70,
		Paint: func(c draw.Canvas) {
			c = draw.Crop(Caption(c, caption), 8, -8, 0, -8)
			bar.Draw(draw.Crop(c, c.Size().X-48, 0, c.Size().Y*(1-1/rows)+40, -24))
			tiles := draw.Tiles{Rows: len(panels), Cols: columns, PadX: 12, PadY: 10}
			for i, row := range plot.Align(plots, tiles, draw.Crop(c, 0, -56, 0, 0)) {
				for j, canvas := range row {
					panels[i][j].Draw(canvas)
				}
			}
		}}
}
