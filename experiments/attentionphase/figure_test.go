package attentionphase

import (
	"image/color"
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// Each tile has the colour of the cosine; there is none where the tokens become 0. Curves are the moments at
// the smallest ρ, and the entropy at each ρ. Dots are simulated, with bars of two standard errors.
func TestFigure(t *testing.T) {
	a := New()
	tokens, samples := int64(20), int64(3)
	a.Beta, a.Rho, a.Tokens, a.Simulate = []float64{1, 3}, []float64{0.2, 0.6}, &tokens, &samples
	nan := math.NaN()
	drawn := figuretest.Draw(t, a, experimenttest.TableOf(t, a,
		Row{Beta: 1, Rho: 0.2, Y2: 0.1, Y3: 0.02, Y2Squared: 0.01, Entropy: 2, Cosine: 0.3,
			CosineSimulated: 0.35,
			Y2Simulated:     0.12, Y2Stderr: 0.01},
		Row{Beta: 3, Rho: 0.2, Y2: 0.4, Y3: 0.3, Y2Squared: 0.2, Entropy: 1, Cosine: 0.5,
			CosineSimulated: nan,
			Y2Simulated:     0.43, Y2Stderr: nan},
		Row{Beta: 1, Rho: 0.6, Entropy: 2.5, Cosine: 0.7, CosineSimulated: 0.75},
		Row{Beta: 3, Rho: 0.6, Entropy: 1.5, Cosine: nan, CosineSimulated: 0.95}))
	const beta, rho = "scale of query and key weights, β", "cosine ρ before the layer"
	tile := func(x0, x1, y0, y1, cosine float64) figure.Tile {
		return figure.Tile{Low: figure.Point{X: x0, Y: y0}, High: figure.Point{X: x1, Y: y1},
			Color: figure.ProbabilityColor(cosine)}
	}
	theory := figuretest.Read(t, drawn, 0, "Cosine after attention, T = 20; dashed: β_c", beta, rho)
	theory.Has(tile(0, 2, 0, 0.4, 0.3))
	theory.Has(tile(2, 4, 0, 0.4, 0.5))
	theory.Has(tile(0, 2, 0.4, 0.8, 0.7))
	theory.Count(4) // three tiles and the line of β_c
	networks := figuretest.Read(t, drawn, 1, "Simulated, T = 20; dashed: β_c", beta, rho)
	networks.Has(tile(2, 4, 0.4, 0.8, 0.95))
	networks.Count(4)

	moments := figuretest.Read(t, drawn, 2, "Moments of a row, ρ = 0.2, T = 20 and T → ∞ (dotted)", beta,
		"moment")
	for k, y := range [][2]float64{{0.1, 0.4}, {0.02, 0.3}, {0.01, 0.2},
		{0.1 - 0.04 + 0.01, 0.4 - 0.6 + 0.2}} {
		stroke := figure.Stroke{Color: figure.SeriesColors[k], Width: 1.6,
			Dashes: figure.SeriesDashes[[]int{0, 1, 3, 4}[k]]}
		moments.Has(figuretest.LineOf(stroke, 1, y[0], 3, y[1]))
	}
	moments.Has(figuretest.DotsOf(0, 1, 0.12, 0.1, 0.14, 3, 0.43, 0.43, 0.43))
	critical := math.Sqrt(2 / 0.8)
	m := critical / 3
	for k, limit := range []float64{1 - m, (1 - m) * (2 - m) / 2, (1 - m) * (3 - 2*m) / 3,
		(1-m)*(m-1) + (1-m)*(3-2*m)/3} {
		moments.Has(figuretest.LineOf(dotted(k), 1, 0, 3, limit))
	}
	moments.Has(figuretest.LineOf(figure.Stroke{Color: color.Gray{140}, Width: 0.8}, critical, 0, critical,
		moments.Y.High))
	moments.Count(10)
	figuretest.Key(t, drawn.Panels[2].Key, drawn.Panels, "Y₂", "Y₃", "E(Y₂)²", "Y₂ - 2Y₃ + E(Y₂)²",
		"Y₂, simulated")

	entropies := figuretest.Read(t, drawn, 3, "Entropy of a row, T = 20 and T → ∞ (dotted)", beta,
		"entropy / log T")
	entropies.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.6), 1, 2/math.Log(20), 3, 1/math.Log(20)))
	entropies.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.6), 1, 2.5/math.Log(20), 3, 1.5/math.Log(20)))
	entropies.Has(figuretest.LineOf(dotted(0), 1, 1-1/(critical*critical), 3, 0))
	entropies.Has(figuretest.LineOf(dotted(1), 1, 1-0.4/2, 3, 0))
	entropies.Count(4)
	entropies.Range(entropies.Y, 0, 1.03)
	figuretest.Key(t, drawn.Panels[3].Key, drawn.Panels, "ρ = 0.2", "ρ = 0.6")
}

// dotted returns the style of the limit T → ∞ of a curve.
func dotted(series int) figure.Stroke {
	return figure.Stroke{Color: figure.SeriesColors[series], Width: 1, Dashes: figure.Dotted}
}

// With one β there are dots and no curves, also none of the limit. With one ρ there is no map.
func TestFigureOfOnePoint(t *testing.T) {
	a := New()
	tokens := int64(20)
	a.Beta, a.Rho, a.Tokens = []float64{1}, []float64{0.2}, &tokens
	drawn := figuretest.Draw(t, a, experimenttest.TableOf(t, a, Row{Beta: 1, Rho: 0.2, Y2: 0.1,
		Y2Simulated: math.NaN()}))
	if len(drawn.Panels) != 2 {
		t.Fatalf("%d panels", len(drawn.Panels))
	}
	moments := drawn.Panels[0].Plot
	for _, m := range moments.Marks {
		if _, is := m.(figure.Dots); !is {
			t.Errorf("%+v", m)
		}
	}
	if len(moments.Marks) != 4 {
		t.Errorf("%d moments", len(moments.Marks))
	}
}
