package figure

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"antipode/sphere/must"
)

// A figure with one to four rows of plots has the heights that its letters need.
func TestSizesOfPairs(t *testing.T) {
	for count, want := range map[int][2]float64{1: {620, 415}, 2: {870, 415}, 3: {870, 700}, 4: {870, 700},
		5: {870, 1050}, 6: {870, 1050}, 7: {870, 960}, 8: {870, 960}, 9: {870, 1200}} {
		panels := slices.Repeat([]Panel{{Plot: NewPlot("", "", "")}}, count)
		drawn := must.Get(Pairs(panels, &Key{}, ""))(t)
		if got := [2]float64{drawn.Width, drawn.Height}; got != want {
			t.Errorf("%d plots: %v, want %v", count, got, want)
		}
	}
	for columns, want := range map[int][2]float64{1: {450, 470}, 2: {450, 470}, 3: {650, 470}} {
		rows := slices.Repeat([][]Panel{slices.Repeat([]Panel{{Plot: NewPlot("", "", "")}}, columns)}, 2)
		drawn := must.Get(Tiled(rows, 200, ColorBar{}, ""))(t)
		if got := [2]float64{drawn.Width, drawn.Height}; got != want {
			t.Errorf("%d columns: %v, want %v", columns, got, want)
		}
	}
}

// fullAfter is a writer that fails after a number of bytes.
type fullAfter int

var errFull = errors.New("no space left")

func (f *fullAfter) Write(p []byte) (int, error) {
	if len(p) > int(*f) {
		return 0, errFull
	}
	*f -= fullAfter(len(p))
	return len(p), nil
}

// An error of the writer is returned in each format, whether it comes at the first byte or the last.
func TestErrorsOfWriters(t *testing.T) {
	p := NewPlot("a title", "time", "a number")
	p.Line([]float64{1, 10}, []float64{0, 2}, SeriesStroke(0, 1))
	drawn := must.Get(Single(100, 100, Panel{Plot: p}, "a caption"))(t)
	for _, ending := range []string{".png", ".svg", ".pdf", " of areas"} {
		write := func(w *fullAfter) error {
			if ending == " of areas" {
				_, err := drawn.WriteSVGAreas(w)
				return err
			}
			return drawn.Write(w, "F"+strings.ToUpper(ending))
		}
		enough := fullAfter(1 << 30)
		must.Do(t, write(&enough))
		size := fullAfter(1<<30) - enough
		for _, room := range []fullAfter{0, size - 1} {
			if err := write(&room); !errors.Is(err, errFull) {
				t.Errorf("%s: error %v", ending, err)
			}
		}
	}
}

// The end of a caption names up to twelve values that are not drawn, and counts more.
func TestNotDrawn(t *testing.T) {
	values := make([]float64, 20)
	for k := range values {
		values[k] = float64(k) / 3
	}
	for missing, want := range map[int]string{
		0: "", 1: "; not drawn: β = 0", 2: "; not drawn: β = 0, 0.333333",
		12: "; not drawn: β = 0, 0.333333, 0.666667, 1, 1.33333, 1.66667, 2, 2.33333, 2.66667, 3, " +
			"3.33333, 3.66667",
		13: "; not drawn: 13 of 20 values of β",
	} {
		if got := NotDrawn("β", values, values[missing:]); got != want {
			t.Errorf("%d values: %q, want %q", missing, got, want)
		}
	}
}

// A curve of two points is a line, that of one is a dot, and none adds nothing; the sample for the legend is
// what was drawn.
func TestCurves(t *testing.T) {
	stroke := SeriesStroke(2, 1.4)
	for count, want := range []struct {
		sample Sample
		marks  []Mark
	}{
		{stroke, nil},
		{SeriesGlyph(2), []Mark{Dots{Points: []Point{{3, 7}}, Glyph: SeriesGlyph(2)}}},
		{stroke, []Mark{Line{Points: []Point{{3, 7}, {4, 6}}, Stroke: stroke}}},
	} {
		p := NewPlot("", "", "")
		sample := p.Curve(2, []float64{3, 4}[:count], []float64{7, 6}[:count], stroke)
		if !reflect.DeepEqual(sample, want.sample) || !reflect.DeepEqual(p.Marks, want.marks) {
			t.Errorf("%d points: %+v, %+v", count, sample, p.Marks)
		}
		p = NewPlot("", "", "")
		p.RimmedLine([]Point{{3, 7}, {4, 6}}[:count], stroke)
		if got := len(p.Marks) == 1; got != (count == 2) {
			t.Errorf("%d points: with a rim %+v", count, p.Marks)
		}
	}
}

// Intervals lie around their values; an interval of unknown width is a point.
func TestIntervalsAround(t *testing.T) {
	var d Intervals
	d.AddAround(1, 5, 0.5)
	d.AddAround(2, 6, math.NaN())
	x, y := d.XY()
	want := Intervals{Points: []Point{{1, 5}, {2, 6}}, Low: []float64{4.5, 6}, High: []float64{5.5, 6}}
	if !reflect.DeepEqual(d, want) || !slices.Equal(x, []float64{1, 2}) || !slices.Equal(y, []float64{5, 6}) {
		t.Errorf("%+v, %v, %v", d, x, y)
	}
}

// Tiles leave out points without a colour, and the axes end where the grid does.
func TestTilesWithGaps(t *testing.T) {
	p := NewPlot("", "", "")
	columns := Cells{Grid: []float64{0, 1, 3}, Low: 0, High: math.Inf(1)}
	rows := Cells{Grid: []float64{4, 8}, Low: math.Inf(-1), High: 9}
	points := []Point{{0, 4}, {3, 8}, {1, 8}}
	p.Tiles(columns, rows, points, func(k int) color.Color {
		if k == 1 {
			return nil
		}
		return color.Gray{uint8(k)}
	})
	want := []Mark{Tile{Point{-0.5, 2}, Point{0.5, 6}, color.Gray{0}},
		Tile{Point{0.5, 6}, Point{2, 9}, color.Gray{2}}}
	if !reflect.DeepEqual(p.Marks, want) {
		t.Errorf("%+v, want %+v", p.Marks, want)
	}
	if p.X.Low != -0.5 || p.X.High != 4 || p.Y.Low != 2 || p.Y.High != 9 {
		t.Errorf("x from %g to %g, y from %g to %g", p.X.Low, p.X.High, p.Y.Low, p.Y.High)
	}
}

// An arrow shorter than one point is a dot.
func TestShortArrows(t *testing.T) {
	for length, dot := range map[vg.Length]bool{0: true, 0.999: true, 1: false, 6: false, 20: false} {
		var canvas recorder.Canvas
		drawArrow(draw.NewCanvas(&canvas, 100, 100), color.Black, vg.Point{X: 10, Y: 20},
			vg.Point{X: 10, Y: 20 + length})
		var text strings.Builder
		for _, action := range canvas.Actions {
			fmt.Fprintln(&text, action.Call())
		}
		if got := !strings.Contains(text.String(), "Stroke"); got != dot {
			t.Errorf("length %g: %s", length, text.String())
		}
	}
}

// A palette is accepted if at most 1 of 256 points changes, and at most 1 of 4096 by more than 12.
func TestPaletteLimits(t *testing.T) {
	palette := color.Palette{color.RGBA{100, 100, 100, 255}}
	for _, test := range []struct {
		difference uint8
		changed    int
		good       bool
	}{{2, 40960, true}, {3, 160, true}, {3, 161, false}, {12, 160, true}, {13, 10, true}, {13, 11, false},
		{255 - 100, 10, true}, {255 - 100, 11, false}} {
		other := color.RGBA{100, 100 + test.difference, 100, 255}
		counts := map[color.RGBA]int{palette[0].(color.RGBA): 1, other: test.changed}
		_, good := nearestColors(palette, 3, []color.RGBA{palette[0].(color.RGBA), other}, counts, 40960+255)
		if good != test.good {
			t.Errorf("%d points differ by %d: accepted %v", test.changed, test.difference, good)
		}
	}
	var greys []color.RGBA
	for k := range 256 {
		greys = append(greys, color.RGBA{uint8(k), uint8(k), uint8(k), 255})
	}
	if got := mostFrequent(greys, 3); len(got) != 86 || got[1] != greys[3] {
		t.Errorf("%d greys that are 3 apart: %v", len(got), got)
	}
	if got := mostFrequent(append(greys, color.RGBA{255, 0, 0, 255}), 1); len(got) != 256 {
		t.Errorf("%d colours", len(got))
	}
}

// A single value on a logarithmic axis has a tick unless it is too small to be read from the range.
func TestSingleTick(t *testing.T) {
	for value, want := range map[float64]string{0: "", 1e-12: "", 1.5e-12: "1.5e-12", 0.25: "0.25", 3: "3"} {
		got := singleTick(value-1e-20, value+1e-20)
		if len(got) > 1 || (len(got) == 1) != (want != "") || len(got) == 1 && got[0].Value != value {
			t.Errorf("%g: %v", value, got)
		}
	}
}

// Text with an underscore that makes no subscript is drawn where package plot draws it, at each angle and
// alignment, in one line or several.
func TestTextWithoutSubscriptsIsWherePackagePlotPutsIt(t *testing.T) {
	own := plot.DefaultTextHandler.(subscripts)
	for _, text := range []string{"a_1", "file_name", "one\ntwo_three\nfour"} {
		for _, rotation := range []float64{0, math.Pi / 2, 0.3, -2} {
			for _, align := range [][2]float64{{0, 0}, {-0.5, -0.5}, {-1, -0.25}, {-0.25, -1}} {
				style := draw.TextStyle{Color: color.Black, Font: font.From(plot.DefaultFont, 11),
					Rotation: rotation, XAlign: draw.XAlignment(align[0]), YAlign: draw.YAlignment(align[1]),
					Handler: own}
				var got, want recorder.Canvas
				at := vg.Point{X: 31, Y: 17}
				own.Draw(&got, text, style, at)
				own.Handler.Draw(&want, text, style, at)
				if g, w := calls(got), calls(want); g != w || !strings.Contains(g, "FillString") {
					t.Errorf("%q at %g, %v:\n%swant\n%s", text, rotation, align, g, w)
				}
			}
		}
	}
}

// calls returns the recorded calls, with a line for each.
func calls(canvas recorder.Canvas) string {
	var text bytes.Buffer
	for _, action := range canvas.Actions {
		if written, ok := action.(*recorder.FillString); ok {
			fmt.Fprintf(&text, "FillString(%.3f, %.3f, %q)\n", written.Point.X, written.Point.Y,
				written.String)
			continue
		}
		fmt.Fprintln(&text, action.Call())
	}
	return text.String()
}
