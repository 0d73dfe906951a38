package figure_test

import (
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sphere/must"

	"gonum.org/v1/plot/vg"
)

// The axes of a plot cover all its marks.
func TestAxesShowTheMarks(t *testing.T) {
	for name, m := range map[string]figure.Mark{
		"line": figure.Line{Points: []figure.Point{{1, 5}, {2, 3}, {4, 4}}},
		"dots": figure.Dots{Points: []figure.Point{{1, 4}, {4, 4.5}}, Low: []float64{3, 4},
			High: []float64{4, 5}},
		"band":  figure.Band{X: []float64{1, 4}, Low: []float64{4, 3}, High: []float64{5, 4}},
		"tile":  figure.Tile{Low: figure.Point{1, 3}, High: figure.Point{4, 5}},
		"arrow": figure.Arrow{From: figure.Point{4, 3}, To: figure.Point{1, 5}},
	} {
		p := figure.NewPlot("", "", "")
		p.Add(m)
		if p.X.Low != 1 || p.X.High != 4 || p.Y.Low != 3 || p.Y.High != 5 {
			t.Errorf("%s: axes from %g to %g and %g to %g", name, p.X.Low, p.X.High, p.Y.Low, p.Y.High)
		}
	}
	p := figure.NewPlot("", "", "")
	p.Add(figure.Histogram{Width: 0.5, Heights: []float64{1, 3, 2}})
	if p.X.Low != 0 || p.X.High != 1.5 || p.Y.Low != 0 || p.Y.High != 3 {
		t.Errorf("histogram: axes from %g to %g and %g to %g", p.X.Low, p.X.High, p.Y.Low, p.Y.High)
	}
}

// A figure with a point that is not finite is refused, with one error that names the plot and the first such
// point.
func TestWhatIsNotFinite(t *testing.T) {
	for name, add := range map[string]func(p *figure.Plot){
		"line": func(p *figure.Plot) {
			p.Line([]float64{1, 2}, []float64{3, math.NaN()},
				figure.Stroke{})
		},
		"interval": func(p *figure.Plot) {
			d := figure.Intervals{}
			d.Add(1, 2, math.Inf(-1), 3)
			p.Dots(0,
				d)
		},
		"band": func(p *figure.Plot) {
			p.Add(figure.Band{X: []float64{1}, Low: []float64{math.NaN()}, High: []float64{1}})
		},
	} {
		p := figure.NewPlot("a title", "", "")
		add(p)
		p.Line([]float64{math.Inf(1)}, []float64{7}, figure.Stroke{})
		_, err := figure.Pairs([]figure.Panel{{Plot: figure.NewPlot("", "", "")}, {Plot: p}}, &figure.Key{},
			"")
		if err == nil || !strings.Contains(err.Error(), `of "a title"`) ||
			strings.Contains(err.Error(), "7") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A broken line has a piece for each run of at least two values between gaps.
func TestBrokenLine(t *testing.T) {
	nan := math.NaN()
	p := figure.NewPlot("", "", "")
	p.BrokenLine([]float64{1, 2, 3, 4, 5, 6, 7}, []float64{nan, 2, 3, nan, 5, nan, 7}, figure.Stroke{})
	if len(p.Marks) != 1 || !slices.Equal(p.Marks[0].(figure.Line).Points, []figure.Point{{2, 2}, {3, 3}}) {
		t.Errorf("marks %v", p.Marks)
	}
}

// Marks are drawn at the positions that the axes give their points, in their colours.
func TestMarksAreDrawnInTheirPlaces(t *testing.T) {
	ink := func(k uint8) color.Color { return color.RGBA{200, k, 10, 255} }
	p := figure.NewPlot("title", "x", "y")
	p.X.Range(0, 10)
	p.Y.Range(0, 100)
	p.Add(
		figure.Tile{Low: figure.Point{1, 10}, High: figure.Point{2, 30}, Color: ink(1)},
		figure.Histogram{Width: 3, Heights: []float64{40}, Color: ink(2)},
		figure.Line{Points: []figure.Point{{1, 20}, {9, 80}}, Stroke: figure.Stroke{ink(3), 1,
			[]float64{2, 2}}, Rim: true},
		figure.Dots{Points: []figure.Point{{5, 50}}, Low: []float64{30}, High: []float64{90},
			Glyph: figure.Glyph{ink(4), figure.Circle, 3}, Bar: 1},
		figure.Line{Points: []figure.Point{{1, 1}, {2, 2}, {3, 3}}, Stroke: figure.Stroke{Width: 1},
			Shades: []color.Color{ink(5), ink(6)}},
		figure.Arrow{From: figure.Point{6, 60}, To: figure.Point{8, 20}, Color: ink(7)},
		figure.Note{At: figure.Point{7, 90}, Text: "a note"},
		figure.Band{X: []float64{4, 6}, Low: []float64{5, 10}, High: []float64{25, 15}, Color: ink(8)},
	)
	f := must.Get(figure.Single(600, 400, figure.Panel{Plot: p}, "caption"))(t)
	areas := must.Get(f.WriteSVGAreas(io.Discard))(t)
	r, inside := figuretest.Figure(f), areas[0]
	at := func(x, y float64) vg.Point {
		return vg.Point{X: vg.Length((inside.Left + (inside.Right-inside.Left)*x/10) * 600),
			Y: vg.Length((1 - inside.Bottom + (inside.Bottom-inside.Top)*y/100) * 400)}
	}
	near := func(p, q vg.Point) bool { return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) < 0.2 }
	hasLine := func(c color.Color, dashed bool, from, to vg.Point) {
		t.Helper()
		if !slices.ContainsFunc(r.Lines, func(l figuretest.Line) bool {
			return l.Color == c && l.Dashed == dashed && near(l.Points[0], from) &&
				near(l.Points[len(l.Points)-1], to)
		}) {
			t.Errorf("no line from %v to %v in %v", from, to, c)
		}
	}
	hasArea := func(c color.Color, low, high vg.Point) {
		t.Helper()
		if !slices.ContainsFunc(r.Areas, func(a figuretest.Area) bool {
			return a.Color == c && near(a.Place.Min, low) && near(a.Place.Max, high)
		}) {
			t.Errorf("no area from %v to %v in %v", low, high, c)
		}
	}
	hasArea(ink(1), at(1, 10), at(2, 30))
	hasArea(ink(2), at(0, 0), at(3, 40))
	hasLine(color.White, false, at(1, 20), at(9, 80))
	hasLine(ink(3), true, at(1, 20), at(9, 80))
	hasLine(ink(4), false, at(5, 30), at(5, 90))
	dot, radius := at(5, 50), vg.Point{X: 3, Y: 3}
	hasArea(ink(4), dot.Sub(radius), dot.Add(radius))
	hasLine(ink(5), false, at(1, 1), at(2, 2))
	hasLine(ink(6), false, at(2, 2), at(3, 3))
	hasArea(figure.TowardsWhite(ink(8), 0.75), at(4, 5), at(6, 25))
	if !slices.ContainsFunc(r.Areas,
		func(a figuretest.Area) bool { // the tip's corner is the lowest right one
			return a.Color == ink(7) && near(vg.Point{X: a.Place.Max.X, Y: a.Place.Min.Y}, at(8, 20))
		}) && !slices.ContainsFunc(r.Lines, func(l figuretest.Line) bool {
		return l.Color == ink(7) && near(l.Points[0], at(6, 60))
	}) {
		t.Error("no arrow")
	}
	k := slices.IndexFunc(r.Texts, func(text figuretest.Text) bool { return text.Value == "a note" })
	if k < 0 ||
		!(math.Abs(float64(r.Texts[k].Place.Min.X+r.Texts[k].Place.Max.X)/2-float64(at(7, 90).X)) <= 1) {
		t.Errorf("the note is not in its place: %v", r.Texts)
	}
}
