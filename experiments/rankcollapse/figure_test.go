package rankcollapse

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// A panel of a quantity by layer has a line of the theory for each kind of residuals, and dots for networks
// with bars of two standard errors, which stay above 0 on a logarithmic axis. Such an axis ends at powers of
// ten.
func TestFigureByLayer(t *testing.T) {
	c := New()
	row := func(quantity Quantity, residual Residual, layer int32, theory, simulated, stderr float64) Row {
		return Row{Quantity: quantity, Residual: residual, Tokens: 4, Dim: 8, Layers: 2, Layer: layer,
			Sigma:  1,
			Theory: theory, Simulated: simulated, Stderr: stderr}
	}
	drawn := figuretest.Draw(t, c, experimenttest.TableOf(t, c,
		row(SquaredNorm, Constant, 2, 40, 50, 30), row(SquaredNorm, Constant, 1, 3, 2, 0.25),
		row(SquaredNorm, Scaled, 1, 5, 6, 0.5), row(SquaredNorm, Scaled, 2, 7, 8, 1),
		row(Correlation, Constant, 1, 0.1, 0.2, 0.01), row(Correlation, Constant, 2, 0.3, 0.4, 0.02)))
	norm := figuretest.Read(t, drawn, 0, "Squared norm of the sequence", "layer", "‖X‖²")
	norm.Logarithmic(false, true)
	norm.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.6), 1, 3, 2, 40))
	norm.Has(figuretest.DotsOf(0, 1, 2, 1.5, 2.5, 2, 50, 0.05, 110))
	norm.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.6), 1, 5, 2, 7))
	norm.Has(figuretest.DotsOf(1, 1, 6, 5, 7, 2, 8, 6, 10))
	norm.Range(norm.Y, 0.01, 1000)
	norm.Count(4)
	correlation := figuretest.Read(t, drawn, 1, "Correlation of tokens", "layer", "mean <x, y> / mean |x|²")
	correlation.Logarithmic(false, false)
	correlation.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.6), 1, 0.1, 2, 0.3))
	correlation.Has(figuretest.DotsOf(0, 1, 0.2, 0.18, 0.22, 2, 0.4, 0.36, 0.44))
	correlation.Count(2)
	figuretest.Key(t, drawn.Key, drawn.Panels, "constant residuals", "residuals 1/√L")
}

// In Fig. 12 a panel has the points for which only the parameter of its axis changes.
func TestFigureByParameter(t *testing.T) {
	c := New()
	c.Figure = "12"
	tokens, dim, _ := gradientSizes(false)
	row := func(quantity Quantity, tokens, dim int, rho, sigma, theory float64) Row {
		return Row{Quantity: quantity, Tokens: int32(tokens), Dim: int32(dim), KeyDim: int32(dim),
			Layers: 1, Layer: 1,
			Rho: rho, Sigma: sigma, Temperature: 1, Theory: theory, Simulated: 2 * theory, Stderr: 0.1}
	}
	var rows []Row
	for k, quantity := range []Quantity{QueryGradient, InputGradient} {
		x := float64(10 * (k + 1))
		rows = append(rows, row(quantity, tokens, dim, 0.2, 0.5, x),
			row(quantity, tokens, 2*dim, 0.2, 0.5, x+1),
			row(quantity, 2*tokens, dim, 0.2, 0.5, x+2), row(quantity, tokens, dim, 0.4, 0.5, x+3),
			row(quantity, tokens, dim, 0.2, 1, x+4))
	}
	drawn := figuretest.Draw(t, c, experimenttest.TableOf(t, c, rows...))
	d, n := float64(dim), float64(tokens)
	for k, of := range []string{"Queries", "Input"} {
		for j, panel := range []struct {
			x           string
			logarithmic bool
			from, to    float64
		}{{"dimension d", true, d, 2 * d}, {"tokens n", true, n, 2 * n}, {"correlation ρ", false, 0.2, 0.4},
			{"deviation σ_x", true, 0.5, 1}} {
			p := figuretest.Read(t, drawn, 4*k+j, of+", against "+panel.x, panel.x,
				[]string{"E‖∂S/∂W_Q‖²", "E‖∂S/∂X‖²"}[k])
			a, b := float64(10*(k+1)), float64(10*(k+1)+j+1)
			p.Logarithmic(panel.logarithmic, true)
			p.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.6), panel.from, a, panel.to, b))
			p.Has(figuretest.DotsOf(0, panel.from, 2*a, 2*a-0.2, 2*a+0.2, panel.to, 2*b, 2*b-0.2, 2*b+0.2))
			p.Count(2)
		}
	}
}

// Figs. 13 and 14 have one map over tokens and dimensions for each correlation, from left to right, and each
// σ_x, from bottom to top. Fig. 13 shows networks, Fig. 14 the theory.
func TestFigureOfRatios(t *testing.T) {
	for _, name := range []string{"13", "14"} {
		c := New()
		c.Figure = name
		row := func(rho, sigma, x float64, tokens int32) Row {
			r := Row{Quantity: LogRatio, Tokens: tokens, Dim: 8, Rho: rho, Sigma: sigma, Theory: x,
				Simulated: x,
				Stderr:    math.NaN()}
			if name == "13" {
				r.Theory = 7
			} else {
				r.Simulated = 7
			}
			return r
		}
		drawn := figuretest.Draw(t, c, experimenttest.TableOf(t, c,
			row(0.1, 0.5, 1, 4), row(0.1, 0.5, 2, 8), row(0.1, 1, 3, 4), row(0.6, 0.5, 4, 4),
			row(0.6, 1, 5, 4)))
		for k, want := range []struct {
			title string
			share float64 // position of the first tile's value between the least and the greatest
		}{{"ρ = 0.1, σ_x = 1", 0.5}, {"ρ = 0.6, σ_x = 1", 1}, {"ρ = 0.1, σ_x = 0.5", 0},
			{"ρ = 0.6, σ_x = 0.5", 0.75}} {
			p := figuretest.Read(t, drawn, k, want.title, "tokens n", "dimension d")
			p.Has(figure.Tile{Low: figure.Point{X: 1.5, Y: 2.5}, High: figure.Point{X: 2.5, Y: 3.5},
				Color: figure.ProbabilityColor(want.share)})
			if p.X.Ticks[0] != (figure.Tick{Value: 2, Label: "4"}) {
				t.Errorf("%s: ticks %v", want.title, p.X.Ticks)
			}
		}
	}
}

// Densities are lines without dots, one for each number of layers.
func TestFigureOfDensities(t *testing.T) {
	c := New()
	c.Figure = "11"
	n := densityParts(false)[0].network
	attention := Softmax
	if n.Uniform {
		attention = Uniform
	}
	row := func(layer int32, position, density float64) Row {
		return Row{Quantity: Density, Attention: attention, Tokens: 4, Dim: 8, Layers: 4, Layer: layer,
			Sigma: math.Sqrt(n.Q), Position: position, Theory: math.NaN(), Simulated: density,
			Stderr: math.NaN()}
	}
	drawn := figuretest.Draw(t, c, experimenttest.TableOf(t, c, row(2, 0.5, 0.1), row(2, 1.5, 0.4),
		row(4, 0.5, 0.3),
		row(4, 1.5, 0.2)))
	p := drawn.Panels[0].Plot
	for k, y := range [][2]float64{{0.1, 0.4}, {0.3, 0.2}} {
		line, is := p.Marks[k].(figure.Line)
		want := figuretest.LineOf(figure.SeriesStroke(k, 1.6), 0.5, y[0], 1.5, y[1])
		if !is || line.Points[0] != want.Points[0] || line.Points[1] != want.Points[1] {
			t.Errorf("line %d is %+v", k, p.Marks[k])
		}
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "L = 2", "L = 4")
}
