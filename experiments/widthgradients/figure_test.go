package widthgradients

import (
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/attention"
	"antipode/sde/matrices"
)

// The gradient by the first layer is drawn against width for each depth, with the theory as lines, and for
// each kind of network; and against depth for the largest number of tokens.
func TestFigure(t *testing.T) {
	g := New()
	g.Attention = []matrices.Attention{matrices.Markov}
	g.Gap = []matrices.Gap{matrices.KeepGap, matrices.RemoveMeans}
	g.Tokens, g.Layers, g.Samples = []int{10, 20}, []int{1, 3}, 4
	kinds := g.Kinds()
	value := func(kind int, layers, tokens int32) float64 {
		return float64(kind+1) + float64(layers)/10 + float64(tokens)/100
	}
	var rows []Row
	for k, kind := range kinds {
		for _, layers := range []int32{1, 3} {
			for _, tokens := range []int32{10, 20} {
				x := value(k, layers, tokens)
				sized := attention.Sized{Kind: kind, Tokens: tokens, Dim: tokens}
				rows = append(rows,
					Row{Sized: sized, Layers: layers, Layer: 1, Samples: 4, Gradient: x, GradientStderr: 0.05,
						Expected: 1.5 * x},
					Row{Sized: sized, Layers: layers, Layer: 2, Samples: 4, Gradient: 100, Expected: 200})
			}
		}
	}
	drawn := figuretest.Draw(t, g, experimenttest.TableOf(t, g, rows...))
	stroke := func(k int) figure.Stroke { return figure.SeriesStroke(k, 1.3) }
	const half = 0.0979981992270027 // a 95 % interval of standard error 0.05
	dots := func(series int, a, b float64) figure.Dots {
		return figuretest.DotsOf(series, 10, a, a-half, a+half, 20, b, b-half, b+half)
	}
	const y = "‖∂X_L/∂W₁‖²"
	depths := figuretest.Read(t, drawn, 0, kinds[0].String(), "tokens T", y)
	for k, layers := range []int32{1, 3} {
		a, b := value(0, layers, 10), value(0, layers, 20)
		depths.Has(figuretest.LineOf(stroke(k), 10, 1.5*a, 20, 1.5*b))
		depths.Has(dots(k, a, b))
	}
	width := figuretest.Read(t, drawn, 1, "L = 1", "tokens T", y)
	depth := figuretest.Read(t, drawn, 2, "T = 20", "layers L", y)
	for k := range kinds {
		a, b := value(k, 1, 10), value(k, 1, 20)
		width.Has(figuretest.LineOf(stroke(k), 10, a, 20, b))
		width.Has(dots(k, a, b))
		depth.Has(figuretest.LineOf(stroke(k), 1, b, 3, value(k, 3, 20)))
	}
	for _, p := range []figuretest.Panel{depths, width, depth} {
		p.Logarithmic(p.X.Label == "tokens T", true)
		p.Count(4)
	}
	depth.Range(depth.X, 0.8, 3.2)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels[:1], "L = 1", "L = 3")
	figuretest.Key(t, drawn.Key, drawn.Panels[1:], g.Short(kinds[0]), g.Short(kinds[1]))
}
