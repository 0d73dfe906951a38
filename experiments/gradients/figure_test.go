package gradients

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/networks"
)

// Each kind of weights has a panel, and each β a colour. Lines are the theory, and dots networks with bars of
// two standard errors.
func TestFigure(t *testing.T) {
	g := New()
	g.Beta, g.Layers, g.Networks = []float64{0.5, 2}, 2, 3
	value := func(w networks.Weights, layer int32, beta float64) float64 {
		return float64(w+1) + float64(layer)/10 + beta/100
	}
	var rows []Row
	for _, beta := range g.Beta {
		for layer := range int32(2) {
			for w := range networks.Weights(4) {
				x := value(w, layer+1, beta)
				rows = append(rows, Row{Tokens: 8, Dim: 4, Beta: beta, Layer: layer + 1, Weights: w,
					Theory:    2 * x,
					Simulated: x, Stderr: 0.25})
			}
		}
	}
	drawn := figuretest.Draw(t, g, experimenttest.TableOf(t, g, rows...))
	for w, name := range []string{"query weights", "key weights", "value weights",
		"the MLP's first weights"} {
		p := figuretest.Read(t, drawn, w, "E‖∂/∂W‖²/(d²T), "+name, "layer", "")
		for k, beta := range g.Beta {
			a, b := value(networks.Weights(w), 1, beta), value(networks.Weights(w), 2, beta)
			p.Has(figuretest.LineOf(figure.SeriesStroke(k, 1.6), 1, 2*a, 2, 2*b))
			p.Has(figuretest.DotsOf(k, 1, a, a-0.5, a+0.5, 2, b, b-0.5, b+0.5))
		}
		p.Count(4)
		p.Range(p.Y, 0, 1.05*2*value(networks.Weights(w), 2, 2))
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "β = 0.5", "β = 2")

	g.Layers = 1
	drawn = figuretest.Draw(t, g, experimenttest.TableOf(t, g,
		Row{Tokens: 8, Dim: 4, Beta: 0.5, Layer: 1, Weights: networks.Query, Theory: 3, Simulated: 1,
			Stderr: 0.1},
		Row{Tokens: 8, Dim: 4, Beta: 2, Layer: 1, Weights: networks.Query, Theory: 4, Simulated: 2,
			Stderr: math.NaN()}))
	p := figuretest.Read(t, drawn, 0, "E‖∂/∂W‖²/(d²T), query weights", "β", "")
	p.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.6), 0.5, 3, 2, 4))
	p.Has(figuretest.DotsOf(0, 0.5, 1, 0.8, 1.2, 2, 2, 2, 2))
}

// In Fig. 3c lines connect the gradients of the loss, and are the theory for the gradients of the layer's own
// attention. Each dimension has its colour, and each number of tokens its dashes.
func TestFigureOfALoss(t *testing.T) {
	g := New()
	g.Figure, g.Beta, g.Networks = lossFigure, []float64{1, 2}, 4
	sizes := g.sizes()
	var rows []Row
	for k, size := range sizes {
		for _, beta := range []float64{1, 2} {
			x := float64(k+1) + beta/10
			rows = append(rows, Row{Tokens: float64(size.Tokens), Dim: float64(size.Dim), Beta: beta,
				Layer:   1,
				Weights: networks.Query, Theory: 3 * x, Simulated: 2 * x, Stderr: 0.1, Loss: x,
				LossStderr: 10 * x})
		}
	}
	drawn := figuretest.Draw(t, g, experimenttest.TableOf(t, g, rows...))
	loss := figuretest.Read(t, drawn, 0, "Of a loss: T/d E‖∂L/∂W_Q‖²", "β", "")
	own := figuretest.Read(t, drawn, 1, "Of the layer's own attention: E‖∂/∂W_Q‖²/(d²T)", "β", "")
	loss.Logarithmic(false, true)
	own.Logarithmic(false, true)
	for k := range sizes {
		a, b := float64(k+1)+0.1, float64(k+1)+0.2
		color := k % len(lossSizes)
		stroke := figure.Stroke{Color: figure.SeriesColors[color], Width: 1,
			Dashes: figure.SeriesDashes[k/len(lossSizes)]}
		loss.Has(figuretest.LineOf(stroke, 1, a, 2, b))
		own.Has(figuretest.LineOf(stroke, 1, 3*a, 2, 3*b))
		loss.Has(figuretest.DotsOf(color, 1, a, a/100, 21*a, 2, b, b/100, 21*b))
		own.Has(figuretest.DotsOf(color, 1, 2*a, 2*a-0.2, 2*a+0.2, 2, 2*b, 2*b-0.2, 2*b+0.2))
	}
	loss.Count(2 * len(sizes))
	own.Count(2 * len(sizes))
}
