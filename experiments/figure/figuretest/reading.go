package figuretest

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
)

// Drawer draws the figure of a table, as an experiment does.
type Drawer interface {
	Draw(table *data.Table) (*figure.Figure, error)
}

// Draw returns the figure that e draws of a table. If there is no figure, the test ends.
func Draw(t *testing.T, e Drawer, table *data.Table) *figure.Figure {
	t.Helper()
	drawn, err := e.Draw(table)
	if err != nil {
		t.Fatal(err)
	}
	return drawn
}

// Panel is a plot of a figure that a test compares with what the plot should show.
type Panel struct {
	t *testing.T
	*figure.Plot
}

// Read returns the panel of a figure with the given index, from 0, and checks the title of the panel and the
// labels of its axes.
func Read(t *testing.T, f *figure.Figure, number int, title, x, y string) Panel {
	t.Helper()
	if number >= len(f.Panels) {
		t.Fatalf("there are %d panels, not %q", len(f.Panels), title)
	}
	p := Panel{t, f.Panels[number].Plot}
	if p.Title != title || p.X.Label != x || p.Y.Label != y {
		t.Errorf("panel %d is %q of %q over %q, want %q of %q over %q", number, p.Title, p.Y.Label, p.X.Label,
			title, y, x)
	}
	return p
}

// Logarithmic checks which axes of the panel are logarithmic.
func (p Panel) Logarithmic(x, y bool) {
	p.t.Helper()
	if p.X.Logarithmic != x || p.Y.Logarithmic != y {
		p.t.Errorf("%s: logarithmic axes %t, %t; want %t, %t", p.Title, p.X.Logarithmic, p.Y.Logarithmic, x,
			y)
	}
}

// Range checks the ends of an axis of the panel.
func (p Panel) Range(a figure.Axis, low, high float64) {
	p.t.Helper()
	if !near(a.Low, low) || !near(a.High, high) {
		p.t.Errorf("%s: %q from %g to %g, want %g to %g", p.Title, a.Label, a.Low, a.High, low, high)
	}
}

// Has checks that the panel has the given mark.
func (p Panel) Has(want figure.Mark) {
	p.t.Helper()
	if !slices.ContainsFunc(p.Marks, func(m figure.Mark) bool { return same(m, want) }) {
		p.t.Errorf("%s: there is no\n%+v\namong", p.Title, want)
		for _, m := range p.Marks {
			p.t.Errorf("%+v", m)
		}
	}
}

// Count checks the number of marks of the panel.
func (p Panel) Count(want int) {
	p.t.Helper()
	if len(p.Marks) != want {
		p.t.Errorf("%s: %d marks, want %d", p.Title, len(p.Marks), want)
	}
}

// Follows checks that the panel has a line of the given style that follows the function f from low to high.
// At about a dozen points of the line, the height of the line must equal f within a relative tolerance.
func (p Panel) Follows(stroke figure.Stroke, low, high, tolerance float64, f func(x float64) float64) {
	p.t.Helper()
	var first, last []figure.Point
	for _, m := range p.Marks {
		line, is := m.(figure.Line)
		if !is || !sameStroke(line.Stroke, stroke) {
			continue
		}
		const most = 12 // because f may be slow
		for k, at := range line.Points {
			if k%max(1, len(line.Points)/most) != 0 && k+1 < len(line.Points) {
				continue
			}
			if want := f(at.X); !(math.Abs(at.Y-want) <= tolerance*max(1, math.Abs(want))) {
				p.t.Errorf("%s: the line is at %g for %g, want %g", p.Title, at.Y, at.X, want)
				return
			}
		}
		if first == nil {
			first = line.Points
		}
		last = line.Points
	}
	if first == nil {
		p.t.Errorf("%s: no line is %+v", p.Title, stroke)
		return
	}
	if from, to := first[0].X, last[len(last)-1].X; !near(from, low) || !near(to, high) {
		p.t.Errorf("%s: the line goes from %g to %g, want %g to %g", p.Title, from, to, low, high)
	}
}

// Key checks the names in a legend. Key also checks that, for each sample in the legend, some mark in the
// panels has the style of the sample.
func Key(t *testing.T, key *figure.Key, panels []figure.Panel, names ...string) {
	t.Helper()
	var got []string
	for _, e := range key.Entries {
		got = append(got, e.Name)
		for _, s := range e.Samples {
			if !slices.ContainsFunc(panels, func(p figure.Panel) bool { return shows(p.Plot, s) }) {
				t.Errorf("nothing is drawn as the key shows %q: %+v", e.Name, s)
			}
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("the key has %q, want %q", got, names)
	}
}

// shows reports whether a plot has a mark in the style of a sample of a legend.
func shows(p *figure.Plot, s figure.Sample) bool {
	return slices.ContainsFunc(p.Marks, func(m figure.Mark) bool {
		switch m := m.(type) {
		case figure.Line:
			stroke, is := s.(figure.Stroke)
			return is && m.Color == stroke.Color
		case figure.Dots:
			glyph, is := s.(figure.Glyph)
			return is && m.Glyph == glyph
		case figure.Tile:
			swatch, is := s.(figure.Swatch)
			return is && m.Color == swatch.Color
		}
		return false
	})
}

func near(x, y float64) bool {
	return x == y || math.Abs(x-y) <= 1e-9*max(1e-6, math.Abs(x), math.Abs(y))
}

func sameStroke(a, b figure.Stroke) bool {
	return sameColor(a.Color, b.Color) && a.Width == b.Width && slices.Equal(a.Dashes, b.Dashes)
}

func sameColor(a, b color.Color) bool {
	if a == nil || b == nil {
		return a == b
	}
	return color.RGBAModel.Convert(a) == color.RGBAModel.Convert(b)
}

func samePoint(a, b figure.Point) bool { return near(a.X, b.X) && near(a.Y, b.Y) }

// same reports whether two marks of a plot are equal, with numbers rounded to nine digits.
func same(a, b figure.Mark) bool {
	switch a := a.(type) {
	case figure.Line:
		b, is := b.(figure.Line)
		return is && slices.EqualFunc(a.Points, b.Points, samePoint) && sameStroke(a.Stroke, b.Stroke) &&
			a.Rim == b.Rim && slices.EqualFunc(a.Shades, b.Shades, sameColor)
	case figure.Dots:
		b, is := b.(figure.Dots)
		return is && slices.EqualFunc(a.Points, b.Points, samePoint) &&
			slices.EqualFunc(a.Low, b.Low, near) && slices.EqualFunc(a.High, b.High, near) &&
			a.Shape == b.Shape && a.Radius == b.Radius && sameColor(a.Color, b.Color) && a.Bar == b.Bar
	case figure.Band:
		b, is := b.(figure.Band)
		return is && slices.EqualFunc(a.X, b.X, near) && slices.EqualFunc(a.Low, b.Low, near) &&
			slices.EqualFunc(a.High, b.High, near) && sameColor(a.Color, b.Color)
	case figure.Tile:
		b, is := b.(figure.Tile)
		return is && samePoint(a.Low, b.Low) && samePoint(a.High, b.High) && sameColor(a.Color, b.Color)
	case figure.Histogram:
		b, is := b.(figure.Histogram)
		return is && near(a.Width, b.Width) && slices.EqualFunc(a.Heights, b.Heights, near) &&
			sameColor(a.Color, b.Color)
	case figure.Arrow:
		b, is := b.(figure.Arrow)
		return is && samePoint(a.From, b.From) && samePoint(a.To, b.To) && sameColor(a.Color, b.Color)
	case figure.Note:
		b, is := b.(figure.Note)
		return is && samePoint(a.At, b.At) && a.Text == b.Text
	}
	return false
}

// LineOf returns a line through points, as a mark of a plot. The arguments xy are x and y of the first point,
// x and y of the second point, and so on.
func LineOf(stroke figure.Stroke, xy ...float64) figure.Line {
	return figure.Line{Points: points(xy), Stroke: stroke}
}

// DotsOf returns dots with intervals in the style of a series, as a mark of a plot. The arguments are x, y,
// low and high of the first dot, and so on.
func DotsOf(series int, values ...float64) figure.Dots {
	d := figure.Dots{Glyph: figure.SeriesGlyph(series), Bar: 1}
	for v := range slices.Chunk(values, 4) {
		d.Points = append(d.Points, figure.Point{X: v[0], Y: v[1]})
		d.Low, d.High = append(d.Low, v[2]), append(d.High, v[3])
	}
	return d
}

func points(xy []float64) (all []figure.Point) {
	for v := range slices.Chunk(xy, 2) {
		all = append(all, figure.Point{X: v[0], Y: v[1]})
	}
	return all
}
