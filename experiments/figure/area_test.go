package figure

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// A value that is read off the position of a point in the SVG is the one that was drawn, on a linear and on a
// logarithmic axis.
func TestAreas(t *testing.T) {
	p := NewPlot("Title", "x label", "y label")
	p.Line([]float64{2, 8, 14}, []float64{10, 1000, 20}, Stroke{Color: SeriesColors[1], Width: 1.25})
	p.Y.Logarithmic = true
	p.X.Range(0, 16)
	p.Y.Range(1, 10_000)
	f := must.Get(Pairs([]Panel{{Plot: NewPlot("", "", "")}, {Plot: p}}, &Key{}, "caption"))(t)
	var svg bytes.Buffer
	areas, err := f.WriteSVGAreas(&svg)
	if err != nil || len(areas) != 2 {
		t.Fatal(len(areas), err)
	}
	if !strings.Contains(svg.String(), "font-family:Liberation Sans,Arial,Helvetica,sans-serif") ||
		!strings.Contains(svg.String(), ">caption</text>") {
		t.Error("letters are no text, or only in a font that is not everywhere")
	}
	a := areas[1]
	if a.Title != "Title" || a.X.Label != "x label" || !a.Y.Logarithmic || a.X.Logarithmic ||
		len(a.Points) != 3 ||
		a.Points[1].X != 8 ||
		a.Points[1].Y != 1000 {
		t.Errorf("%+v", a)
	}
	// The line is the only one of its width and colour.
	const point = `([-\d.]+),([-\d.]+)`
	path := regexp.MustCompile(`<path d="M` + point + `L` + point + `L` + point +
		`" style="[^"]*stroke:#D55E00;stroke-width:1.25`)
	found := path.FindSubmatch(svg.Bytes())
	if found == nil {
		t.Fatal("no line")
	}
	number := func(k int) float64 { x, _ := strconv.ParseFloat(string(found[k]), 64); return x }
	for k, want := range [][2]float64{{2, 10}, {8, 1000}, {14, 20}} {
		across := number(1+2*k) / float64(f.Width)
		up := number(2+2*k) / float64(f.Height)
		x := a.X.Low + (a.X.High-a.X.Low)*(across-a.Left)/(a.Right-a.Left)
		y := math.Exp(math.Log(a.Y.Low) + math.Log(a.Y.High/a.Y.Low)*(up-(1-a.Bottom))/(a.Bottom-a.Top))
		if !(math.Abs(x-want[0]) <= 0.01) || !(math.Abs(y/want[1]-1) <= 0.01) {
			t.Errorf("read off: %v, %v; want %v", x, y, want)
		}
	}
}
