package field

import (
	"image/color"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// Arrows start at their points. All arrows of a panel are scaled by the same factor, such that the longest
// has length 1 on the left and 0.6 on the right.
func TestFigure(t *testing.T) {
	f := New()
	f.Angles = []float64{90}
	drawn := figuretest.Draw(t, f, experimenttest.TableOf(t, f,
		Row{X: 1, FieldX: 0.3, FieldY: 0.4, TangentY: 0.4},
		Row{Y: 1, FieldX: -0.06, FieldY: 0.08, TangentX: 0.06}))
	for k, want := range []struct {
		title       string
		first, last figure.Point // tips
		edge        float64
	}{
		{"Attention field A(x), arrows × 2", figure.Point{X: 1.6, Y: 0.8}, figure.Point{X: -0.12, Y: 1.16},
			1.68},
		{"… projected to the tangent at x, arrows × 1.5", figure.Point{X: 1, Y: 0.6},
			figure.Point{X: 0.09, Y: 1}, 1.08},
	} {
		p := figuretest.Read(t, drawn, k, want.title, "", "")
		ink := figure.SeriesColors[k]
		p.Has(figure.Arrow{From: figure.Point{X: 1}, To: want.first, Color: ink})
		p.Has(figure.Arrow{From: figure.Point{Y: 1}, To: want.last, Color: ink})
		p.Has(figure.Dots{Points: []figure.Point{{Y: 1}},
			Glyph: figure.Glyph{Color: color.Black, Shape: figure.Circle, Radius: 5}})
		p.Has(figure.Note{At: figure.Point{Y: 0.86}, Text: "X¹"})
		p.Range(p.X, -want.edge, want.edge)
		p.Range(p.Y, -want.edge, want.edge)
		p.Count(5) // with the circle
		if !drawn.Panels[k].ToScale || !p.Bare {
			t.Errorf("panel %d has axes, or two scales", k)
		}
	}
}
