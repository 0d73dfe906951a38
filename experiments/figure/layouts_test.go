package figure_test

import (
	"flag"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sphere/must"

	"gonum.org/v1/plot/vg"
)

var update = flag.Bool("update", false, "write the golden file anew")

// everything returns a plot with each kind of mark.
func everything() *figure.Plot {
	p := figure.NewPlot("every kind of mark", "x", "y")
	p.Add(figure.Band{X: []float64{0, 1, 2}, Low: []float64{0, 1, 0}, High: []float64{1, 2, 3},
		Color: figure.SeriesColors[2]},
		figure.Tile{Low: figure.Point{X: 2, Y: 0}, High: figure.Point{X: 3, Y: 1}, Color: color.Gray{100}},
		figure.Histogram{Width: 0.5, Heights: []float64{0.25, 0.75}, Color: color.Gray{150}},
		figure.Line{Points: []figure.Point{{X: 0, Y: 3}, {X: 1, Y: 2.5}, {X: 2, Y: 3}},
			Stroke: figure.SeriesStroke(1, 2), Rim: true},
		figure.Line{Points: []figure.Point{{X: 0, Y: 2}, {X: 1, Y: 2.25}, {X: 2, Y: 2}},
			Stroke: figure.Stroke{Width: 3}, Shades: []color.Color{color.Gray{10}, color.Gray{200}}},
		figure.Arrow{From: figure.Point{X: 2, Y: 1}, To: figure.Point{X: 3, Y: 3}, Color: color.Gray{50}},
		figure.Arrow{From: figure.Point{X: 1, Y: 1}, To: figure.Point{X: 1, Y: 1}, Color: color.Gray{60}},
		figure.Note{At: figure.Point{X: 2.5, Y: 0.5}, Text: "a note"})
	for k := range figure.Cross + 1 {
		x := 0.25 * float64(k+1)
		p.Add(figure.Dots{Points: []figure.Point{{X: x, Y: 1}}, Low: []float64{0.75}, High: []float64{1.5},
			Glyph: figure.Glyph{Color: figure.SeriesColors[0], Shape: k, Radius: 4}, Bar: 1.5})
	}
	return p
}

// curve returns a plot of one line, with a logarithmic horizontal axis if wanted.
func curve(series int, logarithmic bool) *figure.Plot {
	p := figure.NewPlot(fmt.Sprint("curve ", series), "time", "a number")
	p.X.Logarithmic = logarithmic
	p.Line([]float64{1, 10, 500}, []float64{0, 2, 1}, figure.SeriesStroke(series, 1))
	return p
}

// layouts returns figures in every arrangement, with keys and colour bars in every position.
func layouts(t *testing.T) map[string]*figure.Figure {
	t.Helper()
	key := func(names ...string) *figure.Key {
		k := &figure.Key{}
		for n, name := range names {
			k.Add(name, figure.SeriesStroke(n, 1), figure.SeriesGlyph(n),
				figure.Swatch{Color: color.Gray{128}})
		}
		return k
	}
	bar := figure.ProbabilityBar(0.8)
	bar.Title = "share"
	caption := "antipode figure: " + strings.Repeat("a long caption ", 20)
	panel := func(series int) figure.Panel {
		return figure.Panel{Plot: curve(series, series%2 == 1)}
	}
	heat := figure.NewPlot("matrix", "key", "query")
	m := figure.HeatMap{Rows: 3, Columns: 4, Value: func(i, j int) float64 { return float64(i * j) }, High: 6,
		Roots: true}
	heat.Heat(m)
	roots := m.Bar("root")
	small := curve(4, false)
	small.Small = true
	bare := curve(5, false)
	bare.Bare = true
	drawn := func(f *figure.Figure, err error) *figure.Figure {
		t.Helper()
		return must.Get(f, err)(t)
	}
	above := figure.Row{Panels: []figure.Panel{panel(0)}, Columns: 2, Height: 0.6}
	below := figure.Row{Panels: []figure.Panel{panel(1), {Plot: small}}, Height: 0.4}
	return map[string]*figure.Figure{
		"single": drawn(figure.Single(500, 400,
			figure.Panel{Plot: everything(), Key: key("the longest", "one", "two")}, caption)),
		"key-below": drawn(figure.Single(400, 300, figure.Panel{Plot: curve(0, true), Key: key("one", "two"),
			Below: true, Bar: &bar, BarWide: 70}, "short")),
		"to-scale": drawn(figure.Single(400, 300, figure.Panel{Plot: curve(0, false), ToScale: true},
			"short")),
		"one-pair": drawn(figure.Pairs([]figure.Panel{panel(0), {Plot: heat, Bar: &roots}},
			key("a", "b", "c", "d", "e"), caption)),
		"odd-pairs": drawn(figure.Pairs([]figure.Panel{panel(0), panel(1), panel(2)}, key("a", "b"),
			caption)),
		"stack": drawn(figure.Stack(600, 500, []figure.Row{above, below}, &bar, "short")),
		"equal-rows": drawn(figure.Stack(600, 500, []figure.Row{{Panels: []figure.Panel{panel(0)}},
			{Panels: []figure.Panel{panel(1)}}}, nil, "short")),
		"aligned": drawn(figure.Aligned(600, 500, [][]*figure.Plot{{curve(0, false), curve(1, true)},
			{curve(2, false), bare}}, key("one", "two", "three"), caption)),
		"tiled": drawn(figure.Tiled([][]figure.Panel{{panel(0), panel(1)}, {panel(2), panel(3)}}, 200, bar,
			"short")),
	}
}

// The positions of all elements in a figure of each arrangement are those in a golden file, up to a tenth of
// a point.
func TestLayouts(t *testing.T) {
	for name, f := range layouts(t) {
		got := recorded(figuretest.Figure(f))
		path := filepath.Join("testdata", "layouts", name+".txt")
		if *update {
			must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must.Do(t, os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o666))
		}
		want := strings.Split(strings.TrimSuffix(string(must.Get(os.ReadFile(path))(t)), "\n"), "\n")
		for k := range max(len(got), len(want)) {
			if k >= len(got) || k >= len(want) || !alike(got[k], want[k]) {
				t.Errorf("%s:%d is not what is drawn: %s", path, k+1, got[min(k, len(got)-1)])
				break
			}
		}
	}
}

// recorded returns one line for each text, line and area of a recording.
func recorded(r *figuretest.Recording) (lines []string) {
	place := func(r vg.Rectangle) string {
		return fmt.Sprintf("%.2f %.2f to %.2f %.2f", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	}
	for _, text := range r.Texts {
		lines = append(lines, fmt.Sprintf("text %q %s", text.Value, place(text.Place)))
	}
	for _, line := range r.Lines {
		s := fmt.Sprintf("line %s %.2f %t %d", colorText(line.Color), line.Width, line.Dashed,
			len(line.Points))
		for k, at := range line.Points {
			if k < 4 || k == len(line.Points)-1 {
				s += fmt.Sprintf(" %.2f %.2f", at.X, at.Y)
			}
		}
		lines = append(lines, s)
	}
	stride := 1
	if len(r.Areas) > 60 { // the stripes of a colour bar
		stride = 20
	}
	for k := 0; k < len(r.Areas); k += stride {
		lines = append(lines, fmt.Sprintf("area %s %s", colorText(r.Areas[k].Color), place(r.Areas[k].Place)))
	}
	return lines
}

func colorText(c color.Color) string {
	if c == nil { // part of a raster image, or invisible
		return "none"
	}
	r, g, b, a := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x%02x", r>>8, g>>8, b>>8, a>>8)
}

// alike compares two lines word by word; numbers may differ by 0.1.
func alike(a, b string) bool {
	v, w := strings.Fields(a), strings.Fields(b)
	if len(v) != len(w) {
		return false
	}
	for k := range v {
		x, errX := strconv.ParseFloat(v[k], 64)
		y, errY := strconv.ParseFloat(w[k], 64)
		if v[k] != w[k] && !(errX == nil && errY == nil && math.Abs(x-y) <= 0.1) {
			return false
		}
	}
	return true
}

// A panel with an empty legend is drawn as one without a legend.
func TestEmptyLegend(t *testing.T) {
	lines := func(p figure.Panel) []string {
		p.Plot = curve(0, false)
		return recorded(figuretest.Figure(must.Get(figure.Single(400, 300, p, "short"))(t)))
	}
	want := lines(figure.Panel{})
	for _, below := range []bool{false, true} {
		if got := lines(figure.Panel{Key: &figure.Key{}, Below: below}); !slices.Equal(got, want) {
			t.Errorf("below the plot %t: %q, want %q", below, got, want)
		}
	}
}
