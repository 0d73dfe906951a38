package hybrid

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
)

// Each tile has the colour of the more frequent outcome of its cell. The lines are the thresholds, ε² = 2 and
// ε² = 1+e^-2β for softmax and ε² = 2e^-β for unnormalised attention. The dots on the right are the antipodal
// fractions for each β.
func TestFigure(t *testing.T) {
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		h := New()
		h.Attention, h.Beta, h.Epsilon, h.Depth, h.Horizon = attention, []float64{0.5, 1},
			[]float64{0.8, 1.6}, 400, 1
		row := func(beta, epsilon float64, single, antipodal int64) Row {
			r := Row{Beta: beta, Epsilon: epsilon}
			r.Trajectories, r.Single, r.Antipodal = 100, single, antipodal
			r.PSingle, r.PAntipodal = float64(single)/100, float64(antipodal)/100
			return r
		}
		drawn := figuretest.Draw(t, h, experimenttest.TableOf(t, h,
			row(0.5, 0.8, 90, 4), row(0.5, 1.6, 10, 60), row(1, 0.8, 30, 20), row(1, 1.6, 0, 0)))
		title := "More frequent outcome; dashed: ε² = 2, dotted: ε² = 1+e^-2β"
		dashed, dotted := func(float64) float64 { return math.Sqrt2 },
			func(beta float64) float64 { return math.Sqrt(1 + math.Exp(-2*beta)) }
		if attention == sde.Unnormalized {
			title = "More frequent outcome; dashed: ε² = 2e^-β"
			dashed = func(beta float64) float64 { return math.Sqrt(2 * math.Exp(-beta)) }
		}
		p := figuretest.Read(t, drawn, 0, title, "inverse temperature β", "noise amplitude ε")
		tile := func(beta, epsilon float64, c color.Color) figure.Tile {
			return figure.Tile{Low: figure.Point{X: beta - 0.25, Y: epsilon - 0.4},
				High: figure.Point{X: beta + 0.25, Y: epsilon + 0.4}, Color: c}
		}
		stops := [][3]float64{{255, 225, 130}, {200, 188, 190}, {52, 16, 96}}
		p.Has(tile(0.5, 0.8, figure.MixStops(0.05, stops)))
		p.Has(tile(0.5, 1.6, figure.MixStops(0.8, stops)))
		p.Has(tile(1, 0.8, figure.MixStops(0.35, stops)))
		p.Has(tile(1, 1.6, figure.MixStops(0.5, stops)))
		p.Follows(figure.Stroke{Color: color.Black, Width: 1.5, Dashes: []float64{6, 4}}, 0.25, 1.25, 1e-9,
			dashed)
		if attention == sde.Softmax {
			p.Follows(figure.Stroke{Color: color.Black, Width: 1.5, Dashes: []float64{1.5, 2.5}}, 0.25,
				1.25, 1e-9, dotted)
		}
		p.Count(map[sde.Attention]int{sde.Softmax: 6, sde.Unnormalized: 5}[attention])

		curves := figuretest.Read(t, drawn, 1,
			"Dots simulated; theory at depth 400, time 1 solid, limit dotted",
			"noise amplitude ε", "P(antipodal)")
		low, high := wilson(4, 100)
		low2, high2 := wilson(60, 100)
		curves.Has(figuretest.DotsOf(0, 0.8, 0.04, low, high, 1.6, 0.6, low2, high2))
		low, high = wilson(20, 100)
		_, high2 = wilson(0, 100)
		curves.Has(figuretest.DotsOf(1, 0.8, 0.2, low, high, 1.6, 0, 0, high2))
		curves.Range(curves.X, 0.8, 1.6)
		figuretest.Key(t, drawn.Panels[1].Key, drawn.Panels, "β = 0.5", "β = 1")
	}
}

// wilson returns the 95 % Wilson interval of a probability.
func wilson(count, n float64) (low, high float64) {
	const z = 1.959963984540054
	p, scale := count/n, 1+z*z/n
	middle := (p + z*z/(2*n)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return middle - half, middle + half
}

// Without a theory the figure has no lines, and its titles and the report name none; beside an MLP the title
// of the lines is that of the limit.
func TestTitlesWithoutALawAtTheDepth(t *testing.T) {
	for _, c := range []struct {
		interaction, mlp, right string
		theory                  bool
	}{
		{"gaussian:0.5", "none", "Simulated until time 1", false},
		{"identity", "tanh:0.5:4",
			"Dots simulated; theory in the limit, at time 1 solid, in the end dotted", true},
	} {
		h := New()
		h.Attention, h.Beta, h.Epsilon, h.Depth, h.Horizon = sde.Softmax, []float64{0.5, 1},
			[]float64{0.8, 1.6}, 10, 1
		h.Interaction = experimenttest.Must(setting.ParseInteraction(c.interaction))
		if c.mlp != "none" {
			if err := parameter.ByName(h.Parameters(), "mlp").Set(c.mlp); err != nil {
				t.Fatal(err)
			}
		}
		var rows []Row
		for _, beta := range h.Beta {
			for _, epsilon := range h.Epsilon {
				r := Row{Beta: beta, Epsilon: epsilon}
				r.Trajectories, r.PSingle = 100, 0.5
				rows = append(rows, r)
			}
		}
		betas := h.Beta
		if c.theory { // whose lines take long
			betas = nil
		}
		plane, curves := h.plane(rows), h.Curves(rows, betas, &figure.Key{})
		if plane.Title != "More frequent outcome" || len(plane.Marks) != 4 {
			t.Errorf("%s: %d marks of %q", c.interaction, len(plane.Marks), plane.Title)
		}
		lines := slices.ContainsFunc(curves.Marks, func(m figure.Mark) bool {
			_, is := m.(figure.Line)
			return is
		})
		if curves.Title != c.right || lines {
			t.Errorf("%s: lines %v of %q", c.interaction, lines, curves.Title)
		}
		sentence := h.blockSentence([]BlockRow{{Row: rows[0], LimitSingle: 1}})
		if (sentence == setting.WithoutTheory) == c.theory {
			t.Errorf("%s: %s", c.interaction, sentence)
		}
	}
}
