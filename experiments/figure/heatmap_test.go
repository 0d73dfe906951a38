package figure

import (
	"image"
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Row 0 is at the top and column 0 at the left. Values outside the range have the colours of its ends.
func TestHeatMapIsTheRightWayUp(t *testing.T) {
	values := [][]float64{{1, 0.25, -3}, {0, 0, 7}}
	p := NewPlot("", "", "")
	p.Bare = true
	p.Heat(HeatMap{Rows: 2, Columns: 3, Low: 0, High: 1,
		Value: func(row, column int) float64 { return values[row][column] }})
	canvas := vgimg.New(300, 200)
	p.render().Draw(draw.New(canvas))
	picture := canvas.Image()
	size := picture.Bounds().Size()
	for row, line := range values {
		for column, v := range line {
			at := image.Pt(size.X*(2*column+1)/6, size.Y*(2*row+1)/4)
			got := color.RGBAModel.Convert(picture.At(at.X, at.Y)).(color.RGBA)
			want := color.RGBAModel.Convert(ProbabilityColor(min(1, max(0, v)))).(color.RGBA)
			for k, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G),
				int(got.B) - int(want.B)} {
				if d < -2 || d > 2 {
					t.Errorf("row %d, column %d: channel %d of %v is not that of %v", row, column, k, got,
						want)
				}
			}
		}
	}
}
