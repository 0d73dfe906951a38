package evolve

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere/must"
)

func TestEvolveValidateNamesTheParameter(t *testing.T) {
	for _, c := range []struct {
		parameter, problem string
		change             func(e *Experiment)
	}{
		{"figure", "must be 7, 8 or 9", func(e *Experiment) { e.Figure = "10" }},
		{"model", "must be transformer, hybrid or flow, or several", func(e *Experiment) { e.Model = nil }},
		{"model", "must be", func(e *Experiment) { e.Model = []setting.Model{"flow", "flow"} }},
		{"dim", "1 is out of bounds", func(e *Experiment) { e.Dim = []int{1} }},
		{"epsilon", "must be a number from 0", func(e *Experiment) { e.Epsilon = math.NaN() }},
		{"beta", "cells",
			func(e *Experiment) { e.Beta, e.Dim = setting.Steps(0, 50_000, 100), []int{2, 3, 4} }},
		{"beta", "overflows in unnormalized attention",
			func(e *Experiment) { e.Attention, e.Beta = sde.Unnormalized, []float64{800} }},
		{"horizon", "whole number of layers", func(e *Experiment) { e.Depth, e.Horizon = 10, 0.25 }},
	} {
		e := New()
		c.change(e)
		experimenttest.CheckRefused(t, e.Validate(), c.parameter, c.problem)
		if e.Run(t.Context(), run.Options{}, nil) == nil {
			t.Errorf("%s: runs", c.problem)
		}
	}
}

// set sets parameters of an experiment from texts as flags do, in the order of the parameters.
func set(t *testing.T, e run.Experiment, texts map[string]string) {
	t.Helper()
	for _, p := range e.Parameters() {
		if text, given := texts[p.Name]; given {
			must.Do(t, p.Set(text))
			delete(texts, p.Name)
		}
	}
	if len(texts) > 0 {
		t.Fatalf("no parameters %v", texts)
	}
}

// A figure sets its parameters, also at the paper's full scale; values that are given take precedence.
func TestEvolveFigures(t *testing.T) {
	e := New()
	e.Paper()
	set(t, e, map[string]string{"figure": "9", "beta": "2"})
	want := New()
	want.Figure, want.Model, want.Beta, want.Horizon = "9", []setting.Model{"transformer",
		"flow"}, []float64{2}, 30
	want.Trajectories, want.Depth = 2000, 100
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v, want %+v", e, want)
	}
	for model, law := range map[string]sde.Law{
		"hybrid": sde.Rademacher, "flow,hybrid": sde.Rademacher,
		"hybrid,transformer": sde.Gaussian, "flow": sde.Gaussian,
	} {
		e := New()
		if set(t, e, map[string]string{"model": model}); e.Law != law {
			t.Errorf("%s: law %s, want %s", model, e.Law, law)
		}
		if set(t, e, map[string]string{"model": model, "law": "uniform"}); e.Law != sde.Uniform {
			t.Errorf("%s: law %s was not asked for", model, e.Law)
		}
	}
}

// The presets of the figures have the numbers in the captions of the paper.
func TestEvolveFiguresHaveThePapersNumbers(t *testing.T) {
	for name, want := range map[string]Experiment{
		"7": {Model: []setting.Model{"transformer"}, Tokens: 50, Dim: []int{4}, Beta: []float64{5},
			Horizon: 50},
		"8": {Model: []setting.Model{"transformer"}, Tokens: 2, Dim: []int{4, 5, 6, 7, 8, 9, 10},
			Beta: []float64{0.5, 1, 2}, Horizon: 100},
		"9": {Model: []setting.Model{"transformer", "flow"}, Tokens: 50, Dim: []int{4},
			Beta: []float64{0.5, 4.5}, Horizon: 30},
	} {
		e := New()
		set(t, e, map[string]string{"figure": name})
		got := Experiment{Model: e.Model, Tokens: e.Tokens, Dim: e.Dim, Beta: e.Beta, Horizon: e.Horizon}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("figure %s: %+v, want %+v", name, got, want)
		}
	}
}

func TestEvolveTimes(t *testing.T) {
	e := New()
	for _, horizon := range []int64{1, 2, 7, 99, 100, 101, 1234, 1e12} {
		for _, e.LogTime = range []bool{false, true} {
			times := e.times(horizon)
			first := int64(0)
			if e.LogTime {
				first = 1
			}
			if times[0] != first || times[len(times)-1] != horizon || len(times) > 1000 ||
				!slices.IsSorted(times) || len(slices.Compact(slices.Clone(times))) != len(times) {
				t.Errorf("horizon %d, logarithmic %v: times %v", horizon, e.LogTime, times)
			}
		}
	}
	e.LogTime = false
	times := e.times(40_000)
	if !slices.Contains(times, 2000) || !slices.Contains(times, 10_000) || len(times) != 101 {
		t.Errorf("times %v", times)
	}
}

// The fractions of two tokens agree with the theory for all three models, at two times, for each outcome: 12
// comparisons, some of them with probability 0 or 1, at 4.5 standard errors: one false alarm in 10^4 seeds.
func TestEvolveAgreesWithTheory(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	e := New()
	e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{"transformer", "hybrid",
		"flow"}, 2, []int{3}, []float64{1}
	e.Depth, e.Horizon, e.Trajectories, e.Law, e.Epsilon = 100, 10, 1000, sde.Uniform, 1.6
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 1})))(t)
	cells := evolutions(rows)
	if len(cells) != 3 {
		t.Fatalf("%d cells", len(cells))
	}
	for _, c := range cells {
		middle := slices.IndexFunc(c, func(r Row) bool { return r.Time == 5 })
		laws := must.Get(e.theory(c.first(), []float64{5, 10}, 1e-5))(t)
		checkOutcomes(t, c[middle], laws[0].Antipodal(e.Tolerance).Value, laws[0].Single(e.Tolerance).Value)
		checkOutcomes(t, c.last(), laws[1].Antipodal(e.Tolerance).Value, laws[1].Single(e.Tolerance).Value)
	}
}

// checkOutcomes checks that the counts of a row agree with probabilities within 4.5 standard errors.
func checkOutcomes(t *testing.T, r Row, antipodal, single float64) {
	t.Helper()
	for _, c := range []struct {
		outcome string
		count   int64
		p       float64
	}{{"antipodal", r.Antipodal, antipodal}, {"single", r.Single, single}} {
		if off := outcomes.Deviation(c.count, r.Trajectories, c.p); !(off <= 4.5) {
			t.Errorf("%s, time %g: %d %s, theory %.4f: %.1f standard errors",
				r.Model, r.Time, c.count, c.outcome, c.p, off)
		}
	}
}

// A pair with Gaussian value matrices is simulated by the chain, which ends once the tokens have coincided
// for good: here 1-Z falls like e^{-3t}, and below logCoincident by time 30. Both outcomes at time 50 agree
// with the theory within 4.5 standard errors: one false alarm in 10^5 seeds.
func TestEvolvePairEndsAsOne(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	e := New()
	e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{"transformer"}, 2, []int{4}, []float64{1}
	e.Depth, e.Horizon, e.Trajectories = 400, 50, 2000
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 1})))(t)
	cell := evolution(rows)
	laws := must.Get(e.theory(cell.first(), []float64{50}, 1e-5))(t)
	checkOutcomes(t, cell.last(), laws[0].Antipodal(e.Tolerance).Value, laws[0].Single(e.Tolerance).Value)
}

// As for any number of tokens, eight of them end in one cluster in the flow, without opposite ones, and with
// noise at large β mostly in two opposite clusters.
func TestEvolveManyTokens(t *testing.T) {
	e := New()
	e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{"transformer", "flow"}, 8, []int{4}, []float64{4}
	e.Depth, e.Horizon, e.Trajectories = 20, 20, 40
	table := experimenttest.Table(t, e, run.Options{Seed: 1})
	rows, err := data.RowsOf[Row](table)
	if err != nil {
		t.Fatal(err)
	}
	cells := evolutions(rows)
	noisy, flow := cells[0].last(), cells[1].last()
	if noisy.Antipodal < 20 {
		t.Errorf("%d of 40 antipodal with noise", noisy.Antipodal)
	}
	if flow.Antipodal != 0 {
		t.Errorf("%d antipodal in the flow", flow.Antipodal)
	}
	for _, r := range rows {
		sum := r.Antipodal + r.Single + r.Unclustered
		if sum != 40 || r.AntipodalPair < r.Antipodal {
			t.Errorf("%v, time %g: %d outcomes, %d pairs, %d antipodal", r.Model, r.Time, sum,
				r.AntipodalPair, r.Antipodal)
		}
	}
	var text strings.Builder
	err = e.Describe(&text, table)
	if err != nil || !strings.Contains(text.String(), "in the flow") ||
		strings.Contains(text.String(), "NaN") {
		t.Errorf("text %q, error %v", &text, err)
	}
}
