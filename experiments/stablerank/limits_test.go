package stablerank

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde/matrices"
)

// The interval of a mean has no bar if its error is unknown, or if the bar reaches 0 on a logarithmic axis.
func TestIntervals(t *testing.T) {
	const half = 1.959963984540054
	for _, c := range []struct {
		number     modelNumber
		mean       statistics.Estimate
		low, large float64
	}{
		{stableRank, statistics.Estimate{Value: 3, Stderr: 1}, 3 - half, 3 + half},
		{stableRank, statistics.Estimate{Value: half, Stderr: 1}, half, half},
		{cosine, statistics.Estimate{Value: half, Stderr: 1}, 0, 2 * half},
		{cosine, statistics.Estimate{Value: 1, Stderr: 0}, 1, 1},
		{cosine, statistics.Estimate{Value: 1, Stderr: math.NaN()}, 1, 1},
	} {
		low, high := c.number.interval(c.mean)
		if !(math.Abs(low-c.low) <= 1e-12) || !(math.Abs(high-c.large) <= 1e-12) {
			t.Errorf("%+v: from %v to %v", c.mean, low, high)
		}
	}
}

// The first panel has up to six layers. Up to as many kinds of networks as have colours are in three panels,
// and more are in a grid.
func TestPanels(t *testing.T) {
	for layers, lines := range map[int]int{6: 6, 7: 6} {
		s := New()
		s.Attention, s.Gap = []matrices.Attention{matrices.Markov}, []matrices.Gap{matrices.KeepGap}
		s.Tokens, s.Layers = []int{10, 20}, int64(layers)
		var rows []Row
		for layer := range int32(layers) {
			for _, tokens := range []int32{10, 20} {
				rows = append(rows, rowOf(s.Kinds()[0], layer+1, tokens, 0.5, math.NaN()))
			}
		}
		drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
		if got := len(drawn.Panels[0].Key.Entries); got != lines || len(drawn.Panels) != 3 {
			t.Errorf("%d layers: %d lines, %d panels", layers, got, len(drawn.Panels))
		}
	}
	for _, more := range []bool{false, true} {
		s := New()
		s.Attention, s.Gap = []matrices.Attention{matrices.Markov}, []matrices.Gap{matrices.KeepGap}
		s.Architecture, s.Values = attention.Architectures(), []matrices.Values{matrices.GaussianValues}
		s.Tokens, s.Layers = []int{10}, 1
		for len(s.Kinds()) < attention.MostKinds || more && len(s.Kinds()) == attention.MostKinds {
			s.Attention = append(s.Attention, matrices.Attention(len(s.Attention)))
		}
		var rows []Row
		for _, kind := range s.Kinds() {
			rows = append(rows, rowOf(kind, 1, 10, 0.5, math.NaN()))
		}
		drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
		if want := len(s.Kinds()) > attention.MostKinds; (len(drawn.Panels) != 3) != want {
			t.Errorf("%d kinds: %d panels", len(s.Kinds()), len(drawn.Panels))
		}
	}
}

// Runs, reports and figures of Transformers fail if they cannot go on.
func TestFailures(t *testing.T) {
	longtest.Only(t)
	s := modelsExperiment(t, "gpt2")
	s.Samples, s.Tokens = 1, []int{2}
	experimenttest.CheckStops(t, "gpt2", s)
	table := experimenttest.Table(t, s, run.Options{Seed: 1})
	experimenttest.CheckNoRoom(t, "gpt2", s, table)
	experimenttest.CheckColumns(t, "gpt2", s, table)
}
