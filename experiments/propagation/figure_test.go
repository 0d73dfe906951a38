package propagation

import (
	"image/color"
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/overlap/propagation"
	"antipode/sphere/must"
)

// curveRows returns rows for three layers at one β: theory without a mask, and networks with cosines of all,
// of the first and of the last tokens.
func curveRows(beta float64) (rows []Row) {
	for layer := range int32(3) {
		x := (beta + float64(layer)) / 10
		rows = append(rows, Row{Setting: Setting{Block: propagation.PostNorm, Beta: beta, AlphaSA: 1,
			SigmaW2: 0.2},
			Layer: layer, Cosine: x, CosineSimulated: x + 0.01, CosineStderr: 0.002, CosineFirst: x + 0.02,
			FirstStderr: 0.003, CosineLast: x + 0.03, LastStderr: math.NaN(), Causal: math.NaN()})
	}
	return rows
}

// stderrDots returns the dots of values at layers 0, 1 and 2 with bars of two standard errors.
func stderrDots(series int, beta, more, stderr float64) figure.Dots {
	var values []float64
	for layer := range 3 {
		y := (beta+float64(layer))/10 + more
		values = append(values, float64(layer), y, y-2*stderr, y+2*stderr)
	}
	return figuretest.DotsOf(series, values...)
}

// The figure has a line of the cosines by layer for each curve, and dots for networks. A second panel shows
// how one block maps a cosine. For causal networks there are panels of the first and the last tokens.
func TestFigure(t *testing.T) {
	p := New()
	simulate, tokens := int64(3), int64(8)
	p.Beta, p.Layers, p.Simulate, p.Tokens = []float64{0.5, 2}, 2, &simulate, &tokens
	line := func(series int, beta float64) figure.Line {
		return figuretest.LineOf(figure.SeriesStroke(series, 1.6), 0, beta/10, 1, (beta+1)/10, 2, (beta+2)/10)
	}
	rows := append(curveRows(0.5), curveRows(2)...)
	drawn := figuretest.Draw(t, p, experimenttest.TableOf(t, p, rows...))
	depth := figuretest.Read(t, drawn, 0, "Cosine of two tokens against depth", "layer", "cosine similarity")
	single := figuretest.Read(t, drawn, 1, "Cosine after one block, for q = 1 and T → ∞",
		"cosine before the block",
		"cosine after it")
	for k, beta := range p.Beta {
		depth.Has(line(k, beta))
		depth.Has(stderrDots(k, beta, 0.01, 0.002))
		block := p.block(Setting{Block: propagation.PostNorm, Beta: beta, AlphaSA: 1, SigmaW2: 0.2})
		block.Tokens = math.Inf(1)
		m := must.Get(propagation.NewMap(block))(t)
		single.Follows(figure.SeriesStroke(k, 1.6), 0, 1, 1e-12, func(rho float64) float64 {
			next := must.Get(m.Step(propagation.State{Q: 1, P: rho}))(t)
			return next.Cosine()
		})
	}
	single.Has(figuretest.LineOf(figure.Stroke{Color: color.Gray{150}, Width: 1}, 0, 0, 1, 1))
	depth.Count(4)
	single.Count(3)
	depth.Range(depth.X, 0, 2)
	depth.Range(depth.Y, 0, 1.02)
	single.Range(single.X, 0, 1)
	single.Range(single.Y, 0, 1.02)
	figuretest.Key(t, drawn.Key, drawn.Panels, "β = 0.5", "β = 2")

	// A table written by a version without the theory of causal attention has the theory without a mask only.
	p.Causal = true
	drawn = figuretest.Draw(t, p, experimenttest.TableOf(t, p, rows...))
	panel := figuretest.Read(t, drawn, 1, "all tokens", "layer", "cosine similarity")
	panel.Has(line(1, 2))
	panel.Count(4)
	figuretest.Key(t, drawn.Key, drawn.Panels, "β = 0.5", "β = 2")

	for k := range rows {
		r := &rows[k]
		r.Causal, r.CausalFirst, r.CausalLast = r.Cosine+0.04, r.Cosine+0.05, r.Cosine+0.06
	}
	drawn = figuretest.Draw(t, p, experimenttest.TableOf(t, p, rows...))
	for k, c := range []struct {
		title                string
		causal, more, stderr float64
	}{{"the first 2 tokens", 0.05, 0.02, 0.003}, {"all tokens", 0.04, 0.01, 0.002},
		{"the last 2 tokens", 0.06, 0.03, 0}} {
		panel := figuretest.Read(t, drawn, k, c.title, "layer", "cosine similarity")
		panel.Has(figuretest.LineOf(figure.SeriesStroke(1, 0.6), 0, 0.2, 1, 0.3, 2, 0.4))
		panel.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.6), 0, 0.2+c.causal, 1, 0.3+c.causal,
			2, 0.4+c.causal))
		panel.Has(stderrDots(1, 2, c.more, c.stderr))
		panel.Count(6)
		panel.Range(panel.Y, 0, 1.02)
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "β = 0.5", "β = 2", "without a mask")
}

// For many β and σ_w² the figure is a map: each tile has the colour of the cosine after the last layer. Rows
// of earlier layers are not shown.
func TestFigureOfAMap(t *testing.T) {
	p := New()
	p.Beta, p.SigmaW2 = []float64{1, 2, 3, 4, 5, 6, 7}, []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}
	p.Layers = 1
	var rows []Row
	for k, beta := range p.Beta {
		setting := Setting{Block: propagation.PostNorm, Beta: beta, AlphaSA: 1, SigmaW2: p.SigmaW2[k]}
		rows = append(rows, Row{Setting: setting, Cosine: 0.9})
		if k < 6 {
			rows = append(rows, Row{Setting: setting, Layer: 1, Cosine: beta / 10})
		}
	}
	drawn := figuretest.Draw(t, p, experimenttest.TableOf(t, p, rows...))
	plane := figuretest.Read(t, drawn, 0, "Cosine after 1 layer", "scale of query and key weights, β", "σ_w²")
	for k, beta := range p.Beta[:6] {
		w := p.SigmaW2[k]
		plane.Has(figure.Tile{Low: figure.Point{X: beta - 0.5, Y: w - 0.05},
			High: figure.Point{X: beta + 0.5, Y: w + 0.05}, Color: figure.ProbabilityColor(beta / 10)})
	}
	plane.Count(6)
}
