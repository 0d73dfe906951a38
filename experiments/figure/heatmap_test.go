package figure

import (
	"image"
	"image/color"
	"math"
	"slices"
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

// The colour of a value is its share of the range of values, or the square root of the share. Without a
// range all values have the first colour.
func TestSharesOfAHeatMap(t *testing.T) {
	for _, c := range []struct{ low, high, value, share float64 }{
		{1, 5, 1, 0}, {1, 5, 2, 0.25}, {1, 5, 5, 1}, {1, 5, 0, 0}, {1, 5, 9, 1}, {1, 5, math.NaN(), 0},
		{3, 3, 7, 0}, {3, 2, 1, 0},
	} {
		for _, roots := range []bool{false, true} {
			want := c.share
			if roots {
				want = math.Sqrt(want)
			}
			if got := (HeatMap{Low: c.low, High: c.high, Roots: roots}).share(c.value); got != want {
				t.Errorf("%+v, roots %t: %v", c, roots, got)
			}
		}
	}
	for _, roots := range []bool{false, true} {
		ticks := HeatMap{High: 4, Roots: roots}.Bar("a title").Ticks
		for k, label := range []string{"0", "1", "2", "3", "4"} {
			want := float64(k) / 4
			if roots {
				want = math.Sqrt(want)
			}
			if len(ticks) != 5 || ticks[k].Label != label || !(math.Abs(ticks[k].Share-want) <= 1e-15) {
				t.Errorf("roots %t: %+v", roots, ticks)
			}
		}
	}
	if ticks := BarTicks(2, 2); len(ticks) != 1 || ticks[0] != (BarTick{0, "2"}) {
		t.Errorf("%+v", ticks)
	}
}

// Rows and columns are counted by whole numbers, of which every other one has a label if there are more than
// three.
func TestTicksOfRowsAndColumns(t *testing.T) {
	for _, c := range []struct {
		count     int
		downwards bool
		want      []Tick
	}{
		{1, false, []Tick{{1, "1"}}}, {3, false, []Tick{{1, "1"}, {2, "2"}, {3, "3"}}},
		{3, true, []Tick{{3, "1"}, {2, "2"}, {1, "3"}}},
		{4, false, []Tick{{1, ""}, {2, "2"}, {3, ""}, {4, "4"}}},
		{100, true, []Tick{{81, ""}, {61, "40"}, {41, ""}, {21, "80"}, {1, ""}}},
	} {
		if got := countTicks(c.count, c.downwards); !slices.Equal(got, c.want) {
			t.Errorf("%d, downwards %t: %v, want %v", c.count, c.downwards, got, c.want)
		}
	}
}
