package picture

import (
	"image/color"
	"math"
	"reflect"
	"testing"

	"antipode/experiments/figure"
	"antipode/sphere"
)

// pairs returns the motion of two tokens on the sphere with the given overlaps, at times 0, 1, 2, …
func pairs(overlaps ...float64) (m Motion) {
	for k, z := range overlaps {
		m.Times = append(m.Times, float64(k))
		m.Tokens = append(m.Tokens, [][]float64{{1, 0, 0}, {z, math.Sqrt(1 - z*z), 0}})
	}
	return m
}

// still returns the motion of one token that does not move, at times 0, 1, 2, …
func still(count int) (m Motion) {
	for k := range count {
		m.Times = append(m.Times, float64(k))
		m.Tokens = append(m.Tokens, [][]float64{{0, 0, 1}})
	}
	return m
}

// The overlaps are shown up to twice the time from which all of them are within 0.01 of ±1, or up to the end.
func TestTimesUntilTokensSettle(t *testing.T) {
	for _, c := range []struct {
		overlaps []float64
		want     int
	}{
		{[]float64{0, 0.5, 0.99, 1, 1, 1, 1}, 4}, {[]float64{0, 0.5, 0.9899, 1, 1, 1, 1}, 6},
		{[]float64{0, -0.5, -0.99, -1, -1, -1, -1}, 4}, {[]float64{0, 1, 1, 1}, 2}, {[]float64{1, 1, 1}, 2},
		{[]float64{0, 1, 0}, 2}, {[]float64{0}, 0},
	} {
		if got := pairs(c.overlaps...).settled(); got != c.want {
			t.Errorf("%v: %d, want %d", c.overlaps, got, c.want)
		}
	}
}

// The plot of overlaps has a dashed line at each marked time that it shows, and one line for each token but
// the first, whose segments have the colours of their first times. Its title says where it ends, if it ends
// before the last time.
func TestOverlapsWithTheFirstToken(t *testing.T) {
	p := pairs(0, 0.5, 1, 1, 1, 1, 1).overlapsWithFirst([]int{0, 4, 5})
	if want := "Up to time 4; all overlaps are within 0.01 of ±1 from time 2 on"; p.Title != want {
		t.Errorf("title %q, want %q", p.Title, want)
	}
	if len(p.Marks) != 3 {
		t.Fatalf("%d marks", len(p.Marks))
	}
	dashed := figure.Stroke{Color: color.Gray{170}, Width: 0.8, Dashes: []float64{3, 3}}
	for k, x := range []float64{0, 4} {
		want := figure.Line{Points: []figure.Point{{X: x, Y: -1.04}, {X: x, Y: 1.04}}, Stroke: dashed}
		if !reflect.DeepEqual(p.Marks[k], want) {
			t.Errorf("%+v, want %+v", p.Marks[k], want)
		}
	}
	want := figure.Line{Stroke: figure.Stroke{Width: 0.8},
		Points: []figure.Point{{X: 0, Y: 0}, {X: 1, Y: 0.5}, {X: 2, Y: 1}, {X: 3, Y: 1}, {X: 4, Y: 1}}}
	for k := range 4 {
		want.Shades = append(want.Shades, timeColor(float64(k)/6))
	}
	if !reflect.DeepEqual(p.Marks[2], want) {
		t.Errorf("%+v, want %+v", p.Marks[2], want)
	}
	if p.X.Low != 0 || p.X.High != 4 || p.Y.Low != -1.04 || p.Y.High != 1.04 {
		t.Errorf("axes %+v, %+v", p.X, p.Y)
	}
	if p := pairs(0, 0.5).overlapsWithFirst(nil); p.Title != "" || p.X.High != 1 {
		t.Errorf("title %q, to %v", p.Title, p.X.High)
	}
	if p := pairs(0).overlapsWithFirst(nil); p.X.Low != 0 || p.X.High != 1e-9 {
		t.Errorf("one time: from %v to %v", p.X.Low, p.X.High)
	}
}

// Tokens are rings at the first time, black discs at the last, and otherwise smaller discs in the colour of
// the time; those at the back are paler.
func TestGlyphsOfTokens(t *testing.T) {
	m := still(5)
	for row := range m.Tokens {
		m.Tokens[row] = append(m.Tokens[row], []float64{0, 0, -1})
	}
	for row, want := range map[int]figure.Glyph{
		0: {Color: color.RGBA{68, 1, 84, 255}, Shape: figure.Ring, Radius: 2.3},
		2: {Color: color.RGBA{38, 130, 142, 255}, Shape: figure.Circle, Radius: 2.3},
		4: {Color: color.Black, Shape: figure.Circle, Radius: 3},
	} {
		for _, front := range []bool{true, false} {
			p := figure.NewPlot("", "", "")
			newGlobe(m, row).addTokens(p, front)
			if !front {
				want.Color = figure.TowardsWhite(want.Color, 0.65)
			}
			dots := p.Marks[0].(figure.Dots)
			if len(dots.Points) != 1 || (dots.Points[0].X > 0) != front || dots.Glyph != want {
				t.Errorf("row %d, in front %t: %+v, want %+v", row, front, dots, want)
			}
		}
	}
}

// The path of a token during the last hundredth of the time is drawn, or since the time before.
func TestTailsOfTokens(t *testing.T) {
	for _, c := range []struct{ count, row, want int }{
		{1001, 500, 10}, {1001, 1000, 10}, {1001, 3, 3}, {1001, 0, 0}, {11, 5, 1}, {101, 50, 1}, {201, 50, 2},
	} {
		p := figure.NewPlot("", "", "")
		newGlobe(still(c.count), c.row).addTails(p, true)
		if len(p.Marks) != c.want {
			t.Errorf("%d times, row %d: %d pieces, want %d", c.count, c.row, len(p.Marks), c.want)
		}
	}
}

// An arc has unit vectors in equal steps along the chord, which are about a tenth of a radian or less.
func TestArcs(t *testing.T) {
	for angle, want := range map[float64]int{0: 2, 0.05: 2, 0.15: 3, 0.25: 4, 1: 12} {
		sin, cos := math.Sincos(angle)
		points := arc([]float64{1, 0, 0}, []float64{cos, sin, 0})
		if angle < 1 && len(points) != want || angle == 1 && len(points) < 11 {
			t.Errorf("angle %v: %d points, want %d", angle, len(points), want)
		}
		for k, x := range points {
			at := math.Atan2(x[1], x[0])
			if !(math.Abs(sphere.Dot(x, x)-1) <= 1e-14) || k > 0 && !(at <= 1e-12 ||
				at-math.Atan2(points[k-1][1], points[k-1][0]) <= 0.11) {
				t.Errorf("angle %v, point %d: %v", angle, k, x)
			}
		}
		if last := points[len(points)-1]; !(math.Abs(math.Atan2(last[1], last[0])-angle) <= 1e-12) {
			t.Errorf("angle %v: ends at %v", angle, last)
		}
	}
}

// Each of the three great circles and its continuation at the back have all their points, and the outline is
// in front of them.
func TestCirclesOfTheSphere(t *testing.T) {
	g, total := newGlobe(still(2), 1), 0
	for _, front := range []bool{true, false} {
		p := figure.NewPlot("", "", "")
		g.addCircles(p, front)
		for _, mark := range p.Marks {
			line := mark.(figure.Line)
			switch line.Width {
			case 0.6:
				total += len(line.Points)
				if grey := (color.Gray{190}); (line.Color == grey) != front {
					t.Errorf("in front %t: %v", front, line.Color)
				}
			case 0.8:
				if len(line.Points) != 181 || !front || line.Color != (color.Gray{120}) {
					t.Errorf("in front %t: an outline of %d points, %v", front, len(line.Points), line.Color)
				}
				for _, at := range line.Points {
					if !(math.Abs(math.Hypot(at.X, at.Y)-1) <= 1e-14) {
						t.Errorf("outline at %v", at)
					}
				}
			default:
				t.Errorf("a line of width %v", line.Width)
			}
		}
		if front != (len(p.Marks) > 0 && p.Marks[len(p.Marks)-1].(figure.Line).Width == 0.8) {
			t.Errorf("in front %t: the outline", front)
		}
	}
	if total != 3*181 {
		t.Errorf("%d points of circles, want %d", total, 3*181)
	}
	p := g.plot()
	if p.Title != "time 1" || p.X.Low != -1.05 || p.X.High != 1.05 || p.Y.Low != -1.05 || p.Y.High != 1.05 ||
		!p.Bare {
		t.Errorf("%q, axes %+v, %+v", p.Title, p.X, p.Y)
	}
}
