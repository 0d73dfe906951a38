package phase

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/setting"
)

// With random scores the boundary is that of another command, in words and as a line; without a theory the
// title of the curves promises none.
func TestBoundaryBesideAnInteraction(t *testing.T) {
	for name, want := range map[string]struct{ boundary, title string }{
		"identity": {"cosh 2β = d-2",
			"… and theory: at this depth and horizon (solid), in the limit (dotted)"},
		"resampled:1": {"its drift beside overlap -1 = 0, as overlap --boundary has it",
			"… and theory: at this horizon (solid), in the limit (dotted)"},
		"gaussian:0.5": {"its drift beside overlap -1 = 0, as overlap --boundary has it",
			"… against β, with 95 % intervals"},
	} {
		p := New()
		p.Dim, p.Beta, p.Depth, p.Horizon = []int{4}, []float64{1, 2}, 100, 1
		p.Interaction = experimenttest.Must(setting.ParseInteraction(name))
		if got := p.boundaryText("="); got != want.boundary {
			t.Errorf("%s: %s", name, got)
		}
		plot := figure.NewPlot("", "", "")
		plot.X.Range(0, 3)
		plot.Y.Range(2, 12)
		if n := len(p.boundaryIn(plot)); (n > 0) != (name == "identity") {
			t.Errorf("%s: %d points of the boundary", name, n)
		}
		rows := []Row{{Dim: 4, Beta: 1}, {Dim: 4, Beta: 2}}
		if got := p.Curves(rows, nil, &figure.Key{}).Title; got != want.title { // without lines
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The cells in which neither outcome attracts are marked, and only those.
func TestStationaryCellsAreMarked(t *testing.T) {
	plot, key := figure.NewPlot("", "", ""), &figure.Key{}
	addStationary(plot, []BlockRow{{Row: Row{Dim: 4, Beta: 1}, LimitMean: math.NaN()}}, key)
	if len(plot.Marks) != 0 {
		t.Errorf("%v", plot.Marks)
	}
	addStationary(plot, []BlockRow{{Row: Row{Dim: 4, Beta: 1}, LimitMean: math.NaN()},
		{Row: Row{Dim: 12, Beta: 0.5}, LimitMean: 0.25}}, key)
	dots, is := plot.Marks[0].(figure.Dots)
	if !is || len(plot.Marks) != 1 || len(dots.Points) != 1 ||
		dots.Points[0] != (figure.Point{X: 0.5, Y: 12}) ||
		dots.Glyph.Color != (color.NRGBA{R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff}) {
		t.Errorf("%v", plot.Marks)
	}
	figuretest.Key(t, key, []figure.Panel{{Plot: plot}}, "neither outcome attracts")
}

// The report of many cells has a line for each dimension, with its largest antipodal fraction wherever it is.
func TestListOfDimensions(t *testing.T) {
	row := func(dim int32, beta, antipodal, critical float64) Row {
		r := Row{Dim: dim, Beta: beta, Critical: critical, CriticalLow: 0.5, CriticalHigh: 0.75,
			Boundary: 0.625, BoundaryDepth: math.NaN()}
		r.PAntipodal, r.Limit = antipodal, antipodal/2
		return r
	}
	var text strings.Builder
	listDimensions(&text, []Row{row(4, 1, 0.25, 0.6), row(4, 2, 0.5, 0.6), row(4, 3, 0.375, 0.6),
		row(5, 1, 0.125, math.NaN()), row(5, 2, 0, math.NaN())})
	lines := strings.Split(text.String(), "\n")
	for k, want := range []string{
		"4\t0.6250\tnone\t0.5000 to 0.7500\t0.5000\t2\t", "5\t0.6250\tnone\tnone\t0.1250\t1\t",
	} {
		if !strings.HasPrefix(lines[k+1], want) {
			t.Errorf("%q, want %q", lines[k+1], want)
		}
	}
	if !strings.HasSuffix(lines[1], "\t0.2500\t") {
		t.Errorf("%q", lines[1])
	}
}
