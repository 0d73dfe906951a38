package figure

import (
	"io"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// A plot with logarithmic axes can be drawn whatever it shows: nothing, a single dot, which is in the middle
// and has a tick, or a value that is not positive.
func TestLogarithmic(t *testing.T) {
	for _, c := range []struct {
		dots   [][2]float64
		labels []string // of the vertical axis
	}{
		{nil, nil},
		{[][2]float64{{20, 0.0658}}, []string{"0.0658"}},
		{[][2]float64{{20, 6.2e-7}}, []string{"6.2e-7"}},
		{[][2]float64{{1, 0}, {10, 100}}, nil},
		{[][2]float64{{1, 1}, {10, 100}}, []string{"1", "10", "100"}},
	} {
		p := NewPlot("", "", "")
		p.X.Logarithmic, p.Y.Logarithmic = true, true
		var points Intervals
		for _, dot := range c.dots {
			points.Add(dot[0], dot[1], dot[1], dot[1])
		}
		if len(c.dots) > 0 {
			p.Dots(0, points)
		}
		f, err := Pairs([]Panel{{Plot: p}}, &Key{}, "")
		if err != nil {
			t.Fatal(c.dots, err)
		}
		areas, err := f.WriteSVGAreas(io.Discard)
		if err != nil {
			t.Fatal(c.dots, err)
		}
		drawn := p.render()
		drawn.Draw(draw.New(vgimg.New(300, 200))) // drawing gives an axis with one value a range
		labels := labelsOf(drawn.Y.Tick.Marker.Ticks(drawn.Y.Min, drawn.Y.Max))
		if c.labels != nil && !slices.Equal(labels, c.labels) {
			t.Errorf("%v: labels %q, want %q", c.dots, labels, c.labels)
		}
		if y := areas[0].Y; y.Logarithmic != (y.Low > 0) {
			t.Errorf("%v: values from %v to %v, logarithmic: %v", c.dots, y.Low, y.High, y.Logarithmic)
		}
		if len(c.dots) == 1 && !(math.Abs(drawn.Y.Norm(c.dots[0][1])-0.5) <= 1e-9) {
			t.Errorf("%v is at %v of the axis", c.dots, drawn.Y.Norm(c.dots[0][1]))
		}
	}
}

// A long label of a logarithmic axis does not make the axis shorter. Package plot would put the label at the
// middle of the values, which is almost at the end of such an axis, and so shorten the axis by half the
// label.
func TestLabelOfALogarithmicAxisTakesNoRoom(t *testing.T) {
	width := func(label string) float64 {
		p := NewPlot("", label, "")
		p.X.Logarithmic = true
		p.Add(Line{Points: []Point{{1, 1}, {1000, 2}}})
		f, err := Pairs([]Panel{{Plot: p}}, &Key{}, "")
		if err != nil {
			t.Fatal(err)
		}
		areas, err := f.WriteSVGAreas(io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return areas[0].Right - areas[0].Left
	}
	if short, long := width("n"), width("the number of layers per unit of time, all of them"); long != short {
		t.Errorf("the axis is %v wide beside a long label, %v beside a short one", long, short)
	}
}

// The lower and the upper end of an axis are at 0 and 1; where the lower end has no logarithm all is in the
// middle, and a value that has none is far below.
func TestPositionsOnALogarithmicAxis(t *testing.T) {
	for _, c := range [][4]float64{
		{1, 100, 1, 0}, {1, 100, 100, 1}, {1, 100, 10, 0.5}, {0.001, 1, 0.01, 1. / 3}, {1, 100, 0.01, -1},
		{1, 100, 0, -1}, {1, 100, -3, -1}, {1, 100, math.NaN(), -1},
		{0, 2, 1, 0.5}, {-0.5, 1.5, 1, 0.5}, {-1, 1, -1, 0.5},
	} {
		if got := (logScale{}).Normalize(c[0], c[1], c[2]); !(math.Abs(got-c[3]) < 1e-15) {
			t.Errorf("%g on the axis from %g to %g is at %g, want %g", c[2], c[0], c[1], got, c[3])
		}
	}
}
