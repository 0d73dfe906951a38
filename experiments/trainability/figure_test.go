package trainability

import (
	"image/color"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/overlap/propagation"
)

// Each tile has the colour of the verdict; adjacent tiles with the same verdict are joined. The lines are the
// smallest critical β at each α_SA, and the critical α_SA.
func TestFigure(t *testing.T) {
	e := New()
	e.AlphaSA, e.Beta, e.Depth = []float64{1, 3}, []float64{1, 2, 3}, 5
	row := func(alpha, beta, critical float64, verdict propagation.Verdict) Row {
		return Row{AlphaSA: alpha, Beta: beta, BetaC: critical, AlphaC: 1.5, Verdict: verdict}
	}
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e,
		row(1, 1, 1.25, 0), row(1, 2, 1.25, 1), row(1, 3, 1.25, 1),
		row(3, 1, 2.25, 0), row(3, 2, 2.25, 0), row(3, 3, 2.25, 2)))
	p := figuretest.Read(t, drawn, 0, "Trainability of 5 post-norm layers",
		"scale of query and key weights, β", "strength of attention's residual connection, α_SA")
	tile := func(x0, x1, y0, y1 float64, verdict int) figure.Tile {
		return figure.Tile{Low: figure.Point{X: x0, Y: y0}, High: figure.Point{X: x1, Y: y1},
			Color: []color.Color{color.RGBA{205, 226, 244, 255}, color.RGBA{236, 188, 72, 255},
				color.RGBA{158, 58, 38, 255}}[verdict]}
	}
	p.Has(tile(0.5, 1.5, 0, 2, 0))
	p.Has(tile(1.5, 3.5, 0, 2, 1))
	p.Has(tile(0.5, 2.5, 2, 4, 0))
	p.Has(tile(2.5, 3.5, 2, 4, 2))
	critical := figuretest.LineOf(figure.Stroke{Color: color.Black, Width: 1.6}, 1.25, 0, 2.25, 4)
	critical.Rim = true
	p.Has(critical)
	level := figuretest.LineOf(figure.Stroke{Color: color.Black, Width: 1.6, Dashes: []float64{6, 4}}, 0.5,
		1.5, 3.5, 1.5)
	level.Rim = true
	p.Has(level)
	p.Count(6)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels,
		append(append([]string{}, propagation.VerdictNames...), "β_c", "α_c at β = 0")...)
}
