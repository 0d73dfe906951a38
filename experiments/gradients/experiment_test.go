package gradients

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// The parameters of the experiment become those of the block.
func TestBlockHasTheParameters(t *testing.T) {
	g := &Experiment{Figure: byLayer, Block: "pre-norm", AlphaSA: 0.8, SigmaW2: 0.5, SigmaB2: 0.02,
		SigmaV2:  0.3,
		AlphaMLP: 1.2, Activation: "gelu", Tokens: 20}
	want := propagation.Block{
		Kind: propagation.PreNorm, Beta: 0.7, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8,
		AlphaMLP: 1.2, Activation: propagation.GELU, Tokens: 20,
	}
	if got := g.block(0.7); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Each row of gradients has the theory for its matrix, and the mean over the networks, which are simulated
// here again. All parameters differ, also T and d.
func TestRowsOfGradients(t *testing.T) {
	for _, kind := range []string{"post-norm", "pre-norm"} {
		g := &Experiment{Figure: byLayer, Size: "small", Block: kind, Beta: []float64{0.6, 2.2}, AlphaSA: 0.8,
			SigmaW2: 0.5, SigmaB2: 0.02, SigmaV2: 0.3, AlphaMLP: 1.2, Activation: "tanh", Start: 0.15,
			Layers: 3, Tokens: 7, Dim: 12, Networks: 5, Save: networks.SavedValues}
		table := experimenttest.Table(t, g, run.Options{Seed: 9})
		read, err := data.RowsOf[Row](table)
		if err != nil || len(read) != 30 {
			t.Fatal(len(read), err)
		}
		for i, beta := range g.Beta {
			b := propagation.Block{
				Kind: propagation.PostNorm, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8,
				AlphaMLP: 1.2, Tokens: 7,
			}
			b.Beta, b.Activation = beta, propagation.Tanh
			if kind == "pre-norm" {
				b.Kind = propagation.PreNorm
			}
			m := must.Get(propagation.NewMap(b))(t)
			curve := must.Get(m.Curve(propagation.State{Q: 1, P: 0.15}, 3))(t)
			e := network.Ensemble{Network: networks.Of(b, 0.15, 7, 12, 3), Networks: 5, Seed: 9,
				Gradients: true}
			runs := must.Get(e.Run(t.Context()))(t)
			for layer := range 3 {
				want := must.Get(m.Gradients(curve[layer]))(t)
				for k, x := range []float64{want.Query, want.Query, want.Value, want.Hidden, want.Output} {
					row := read[(3*i+layer)*5+k]
					part := func(g network.Gradients) float64 {
						return []float64{g.Query, g.Key, g.Value, g.Hidden, g.Output}[k] / (12 * 12 * 7)
					}
					sum, squares, all := 0.0, 0.0, 0.0
					for _, layers := range runs {
						v := part(layers[layer+1].Local)
						sum, squares, all = sum+v/5, squares+v*v, all+part(layers[layer+1].Whole)/5
					}
					deviation := math.Sqrt((squares - 5*sum*sum) / 20)
					for _, pair := range [][2]float64{{row.Theory, x}, {row.Simulated, sum},
						{row.Stderr, deviation},
						{row.Whole, all}, {row.BetaC, m.CriticalBeta(curve[layer])}} {
						if !(math.Abs(pair[0]-pair[1]) <= 1e-9*math.Abs(pair[1])) {
							t.Errorf("%s, β = %v, layer %d, %s: %v, want %v", kind, beta, layer+1,
								networks.Weights(k), pair[0], pair[1])
						}
					}
				}
			}
		}
	}
}

// Fig. 3c: each size has T/d times the squared derivatives of the loss; those of one size are computed again
// from the networks. At β = 1.8, where the theory has the same curve for all T and d, the sizes differ by a
// factor of less than 1.7; the means of three networks have standard errors of about 6 %.
func TestGradientsOfALoss(t *testing.T) {
	g := New()
	g.Figure, g.Beta, g.Networks = lossFigure, []float64{1.8}, 3
	rows, err := data.RowsOf[Row](experimenttest.Table(t, g, run.Options{Seed: 4}))
	if err != nil || len(rows) != 9*5 {
		t.Fatal(len(rows), err)
	}
	low, high := math.Inf(1), 0.
	for _, r := range rows {
		if r.Weights == networks.Query {
			low, high = min(low, r.Loss), max(high, r.Loss)
		}
		if !math.IsNaN(r.Whole) || !(r.LossStderr > 0) || r.Layer != 1 {
			t.Errorf("%+v", r)
		}
	}
	if !(high < 1.7*low) {
		t.Errorf("gradients by queries from %g to %g", low, high)
	}
	b := propagation.Block{
		Kind: propagation.PostNorm, Beta: 1.8, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4,
		AlphaSA: 1, AlphaMLP: 1, Activation: propagation.ReLU, Tokens: 256,
	}
	e := network.Ensemble{Network: networks.Of(b, 0, 256, 32, 1), Networks: 3, Seed: 4, Gradients: true,
		Classes: 1000}
	runs := must.Get(e.Run(t.Context()))(t)
	want := networks.EstimateOf(runs, 1, func(l network.Layer) float64 { return 8 * l.Whole.Value })
	for _, r := range rows {
		if r.Weights == networks.Value && r.Tokens == 256 && r.Dim == 32 &&
			math.Abs(r.Loss/want.Value-1) > 1e-12 {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
}

// The factor of Result 2 is T/(d²√log T), which is T/d divided by d√log T. The divisor is four times as large
// for d = 16 and T = e¹⁶ as for d = 8 and T = e⁴. A β without rows has no line in the report.
func TestReportOfALoss(t *testing.T) {
	g := New()
	g.Beta = []float64{1, 2}
	row := func(tokens, dim, loss float64) Row {
		return Row{Beta: 1, Weights: networks.Query, Tokens: tokens, Dim: dim, Loss: loss}
	}
	var b strings.Builder
	rows := []Row{row(math.Exp(4), 8, 0.5), row(math.Exp(16), 16, 0.75)}
	if err := g.describeLoss(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := "β = 1: T/d E‖∂L/∂W_Q‖² from 0.5 to 0.75 at 2 sizes, 1.5 times as much; with " +
		"T/(d²√log T) instead of T/d 2.67 times.\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// If all tokens coincide there is no critical scale, and the report has none.
func TestReportWithoutCriticalScale(t *testing.T) {
	g := New()
	g.Beta, g.Start, g.Layers, g.Tokens, g.Dim, g.Networks = []float64{0.6}, 1, 1, 5, 8, 2
	var text strings.Builder
	must.Do(t, g.Describe(&text, experimenttest.Table(t, g, run.Options{Seed: 9})))
	if !strings.HasPrefix(text.String(), "β = 0.6: squared gradients of layer 1, query ") ||
		strings.Contains(text.String(), "NaN") {
		t.Error(&text)
	}
}
