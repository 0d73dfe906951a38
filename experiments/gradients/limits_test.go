package gradients

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// Runs, reports and figures of every form of the table fail if they cannot go on.
func TestFailures(t *testing.T) {
	for name, save := range map[string]networks.Saved{"values": networks.SavedValues,
		"attention": networks.SavedAttention, "states": networks.SavedStates} {
		g := New()
		g.Beta, g.Layers, g.Tokens, g.Dim, g.Networks, g.Save = []float64{0.5}, 1, 4, 6, 1, save
		experimenttest.CheckStops(t, name, g)
		table := experimenttest.Table(t, g, run.Options{Seed: 1})
		experimenttest.CheckNoRoom(t, name, g, table)
		experimenttest.CheckColumns(t, name, g, table)
	}
	g := New()
	g.Figure, g.Beta = lossFigure, []float64{1}
	table := experimenttest.TableOf(t, g, lossRow(128, 32, 2, 1), lossRow(256, 64, 3, 1))
	experimenttest.CheckNoRoom(t, "loss", g, table)
	experimenttest.CheckColumns(t, "loss", g, table)
}

// lossRow returns a row of Fig. 3c at β = 1.
func lossRow(tokens, dim, loss, theory float64) Row {
	return Row{Tokens: tokens, Dim: dim, Beta: 1, Layer: 1, Weights: networks.Query, Theory: theory,
		Simulated: 1, Loss: loss, Stderr: math.NaN(), LossStderr: math.NaN()}
}

// The theory ends with its context, and is not computed for a block out of its domain.
func TestFailuresOfTheory(t *testing.T) {
	g := New()
	ended, end := context.WithCancel(t.Context())
	end()
	if numbers, err := g.theory(ended, g.block(1)); !errors.Is(err, context.Canceled) || numbers != nil {
		t.Errorf("%v, error %v", numbers, err)
	}
	b := g.block(1)
	b.SigmaV2 = -1
	if numbers, err := g.theory(t.Context(), b); err == nil || numbers != nil {
		t.Errorf("variance -1: %v", numbers)
	}
}

// The gradients of a loss are compared over the sizes of networks, as they are and with T/(d²√log T).
func TestTextOfALoss(t *testing.T) {
	g := New()
	g.Figure, g.Beta = lossFigure, []float64{1, 2}
	other := lossRow(256, 64, 9, 1)
	other.Weights = networks.Key
	var text strings.Builder
	rows := []Row{lossRow(128, 32, 2, 1), lossRow(256, 64, 3, 1), other}
	// 2/(32√log 128) is 1.4252 times 3/(64√log 256)
	const want = "β = 1: T/d E‖∂L/∂W_Q‖² from 2 to 3 at 2 sizes, 1.5 times as much; with T/(d²√log T) " +
		"instead of T/d 1.43 times.\n"
	if err := g.describeLoss(&text, rows); err != nil || text.String() != want {
		t.Errorf("%s, error %v", &text, err)
	}
}

// A row without a positive loss, gradient or theory is not drawn, and without any the axes have a range.
func TestLossesThatAreNotDrawn(t *testing.T) {
	for _, c := range []struct {
		loss, simulated, theory float64
		marks                   int
	}{{2, 1, 1, 2}, {0, 1, 1, 0}, {2, 0, 1, 0}, {2, 1, 0, 0}} {
		g := New()
		g.Figure, g.Beta = lossFigure, []float64{1}
		r := lossRow(128, 32, c.loss, c.theory)
		r.Simulated = c.simulated
		drawn := figuretest.Draw(t, g, experimenttest.TableOf(t, g, r))
		must.Do(t, drawn.WriteSVG(io.Discard))
		for _, panel := range drawn.Panels {
			p := panel.Plot
			if len(p.Marks) != c.marks || c.marks == 0 &&
				(p.Y.Low != 1e-3 || p.Y.High != 1 || p.X.Low != 0 || p.X.High != 1) {
				t.Errorf("%+v: %d marks, axes %+v and %+v", c, len(p.Marks), p.X, p.Y)
			}
		}
	}
}

// A network of which matrices are saved is named by its β, and by its size where sizes vary.
func TestNamesOfNetworks(t *testing.T) {
	for figure, want := range map[string]string{
		lossFigure: "β = 0.5, T = 4, d = 8", New().Figure: "β = 0.5",
	} {
		g := New()
		g.Figure = figure
		if name, _ := g.named(MatrixRow{Tokens: 4, Dim: 8, Beta: 0.5}); name != want {
			t.Errorf("figure %s: %q, want %q", figure, name, want)
		}
	}
}
