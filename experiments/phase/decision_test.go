package phase

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"
)

// decidedPhase returns an experiment with ten million layers in each cell, which are just enough for
// trajectories to end early.
func decidedPhase() *Experiment {
	p := New()
	p.Dim, p.Beta = []int{3, 5}, []float64{0.5, 1.5}
	p.Trajectories, p.Depth, p.Horizon = 250, 50, 800
	return p
}

// The table has the bound on the probability that a trajectory that ends early would change its outcome, at
// most 1e-9, or null without shortcuts. The rows are the same for one worker and several, and for a cell
// alone.
func TestEarlyDecisionsChangeNoOutcome(t *testing.T) {
	longtest.Only(t)
	p := decidedPhase()
	table := experimenttest.Table(t, p, run.Options{Seed: 4, Workers: 1})
	bounds := must.Get(data.ValuesOf[float64](table, "stop_bound"))(t)
	for k, bound := range bounds {
		if !(bound > 0 && bound <= 1e-9) {
			t.Errorf("row %d: bound %v", k, bound)
		}
	}
	text := experimenttest.Text(table)
	if experimenttest.Text(experimenttest.Table(t, p, run.Options{Seed: 4, Workers: 7})) != text {
		t.Error("7 workers: other rows")
	}
	alone := *p
	alone.Dim, alone.Beta = p.Dim[1:], p.Beta[1:]
	got, want := rowTexts(experimenttest.Table(t, &alone, run.Options{Seed: 4})), rowTexts(table)
	if got[0] != want[3] {
		t.Errorf("alone %s, in a grid %s", got[0], want[3])
	}
	alone.NoShortcuts, alone.Trajectories = true, 2
	full := rowTexts(experimenttest.Table(t, &alone, run.Options{Seed: 4}))[0]
	if !strings.Contains(full, `"stop_bound":null`) {
		t.Errorf("without shortcuts: %s", full)
	}
}

// For two tokens simulated as vectors, a run with early ends and one without use the same random numbers, and
// all outcomes are the same.
func TestEarlyDecisionsOfTokensChangeNoOutcome(t *testing.T) {
	longtest.Only(t)
	p := decidedPhase()
	p.Dim, p.Beta, p.Method = []int{3}, []float64{0.5}, sde.Tokens
	read := func() (bounds []float64, counts string) {
		table := experimenttest.Table(t, p, run.Options{Seed: 4, Workers: 1})
		bounds = must.Get(data.ValuesOf[float64](table, "stop_bound"))(t)
		for _, name := range []string{"antipodal", "single"} {
			n := must.Get(data.ValuesOf[int64](table, name))(t)
			counts += fmt.Sprint(name, n)
		}
		return bounds, counts
	}
	bounds, counts := read()
	for k, bound := range bounds {
		if !(bound > 0 && bound <= 1e-9) {
			t.Errorf("row %d: bound %v", k, bound)
		}
	}
	p.NoShortcuts = true
	full, want := read()
	if !math.IsNaN(full[0]) || counts != want {
		t.Errorf("%s; without shortcuts %s, bounds %v", counts, want, full)
	}
}
