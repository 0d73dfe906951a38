package widthgradients

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/attention"
	"antipode/sde/matrices"
)

// The first panel has a line for each of up to six depths, and the caption counts them if there are more.
func TestManyDepths(t *testing.T) {
	for depths, lines := range map[int]int{6: 6, 7: 6} {
		g := New()
		g.Attention, g.Gap = []matrices.Attention{matrices.Markov}, []matrices.Gap{matrices.KeepGap}
		g.Tokens, g.Layers = []int{10, 20}, nil
		var rows []Row
		for k := range depths {
			g.Layers = append(g.Layers, k+1)
			for _, tokens := range []int32{10, 20} {
				of := attention.Sized{Kind: g.Kinds()[0], Tokens: tokens, Dim: tokens}
				rows = append(rows, Row{Sized: of, Layers: int32(k + 1), Layer: 1, Samples: 2, Gradient: 3,
					Expected: math.NaN(), Bound: math.NaN()})
			}
		}
		table := experimenttest.TableOf(t, g, rows...)
		drawn := figuretest.Draw(t, g, table)
		if got := len(drawn.Panels[0].Key.Entries); got != lines ||
			strings.Contains(drawn.Caption, "6 of 7 depths") != (depths > 6) {
			t.Errorf("%d depths: %d lines, %s", depths, got, drawn.Caption)
		}
		var text strings.Builder
		if err := g.Describe(&text, table); err != nil || !strings.Contains(text.String(), "it grows as") {
			t.Errorf("%s, error %v", &text, err)
		}
	}
}

// With a single number of tokens there is no rate of growth.
func TestReportOfOneWidth(t *testing.T) {
	g := New()
	g.Attention, g.Gap = []matrices.Attention{matrices.Markov}, []matrices.Gap{matrices.KeepGap}
	g.Tokens, g.Layers = []int{10}, []int{1}
	row := Row{Sized: attention.Sized{Kind: g.Kinds()[0], Tokens: 10, Dim: 10}, Layers: 1, Layer: 1,
		Samples: 2, Gradient: 3, Expected: math.NaN(), Bound: math.NaN()}
	var text strings.Builder
	err := g.Describe(&text, experimenttest.TableOf(t, g, row))
	if err != nil || strings.Contains(text.String(), "grows") {
		t.Errorf("%s, error %v", &text, err)
	}
}
