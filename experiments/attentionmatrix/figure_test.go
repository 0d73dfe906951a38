package attentionmatrix

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// For each β the entries are above, all on one scale, and the eigenvalues below, whatever the order of the
// rows. An incomplete matrix is not drawn.
func TestFigure(t *testing.T) {
	e := New()
	e.Beta, e.Tokens = []float64{0.5, 2, 3}, 2
	entries := map[float64][]float64{0.5: {0.95, 0.05, 0.3, 0.7}, 2: {0.55, 0.45, 0.2, 0.8}}
	eigenvalues := map[float64][]figure.Point{0.5: {{X: 1}, {X: 0.3, Y: 0.25}},
		2: {{X: 1}, {X: 0.7, Y: -0.1}}}
	var rows []Row
	for _, beta := range []float64{0.5, 2} {
		for k, at := range eigenvalues[beta] {
			rows = append(rows, Row{Beta: beta, Quantity: Eigenvalue, Query: int32(k + 1), Value: at.X,
				Imaginary: at.Y})
		}
		for k := 3; k >= 0; k-- {
			rows = append(rows, Row{Beta: beta, Query: int32(k/2 + 1), Key: int32(k%2 + 1),
				Value:     entries[beta][k],
				Imaginary: math.NaN()})
		}
	}
	rows = append(rows, Row{Beta: 3, Query: 1, Key: 1, Value: 5, Imaginary: math.NaN()})
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	for k, beta := range []float64{0.5, 2} {
		above := figuretest.Read(t, drawn, k, []string{"β = 0.5", "β = 2"}[k], "key", "query")
		heat := above.Marks[0].(figure.HeatMap)
		for i := range 4 {
			if got := heat.Value(i/2, i%2); got != entries[beta][i] {
				t.Errorf("β = %g: entry %d is %g, want %g", beta, i, got, entries[beta][i])
			}
		}
		if heat.Low != 0 || heat.High != 0.95 || !heat.Roots || heat.Rows != 2 || heat.Columns != 2 {
			t.Errorf("β = %g: a map of %d × %d from %g to %g", beta, heat.Rows, heat.Columns, heat.Low,
				heat.High)
		}
		below := figuretest.Read(t, drawn, 2+k, "eigenvalues", "real part", "imaginary part")
		below.Has(figure.Dots{Points: eigenvalues[beta],
			Glyph: figure.Glyph{Color: figure.SeriesColors[0], Shape: figure.Circle, Radius: 1.3}})
		for _, at := range below.Marks[0].(figure.Line).Points {
			if r := math.Hypot(at.X, at.Y); !(math.Abs(r-1) <= 1e-12) {
				t.Fatalf("the circle has radius %g", r)
			}
		}
		below.Range(below.X, -1.05, 1.05)
		below.Range(below.Y, -1.05, 1.05)
	}
	if len(drawn.Panels) != 4 {
		t.Errorf("%d panels", len(drawn.Panels))
	}
}
