package tokens

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

func TestTokensValidateNamesTheParameter(t *testing.T) {
	for _, c := range []struct {
		parameter, problem string
		change             func(k *Tokens)
	}{
		{"tokens", "1 is out of bounds", func(k *Tokens) { k.Tokens = []int{2, 1} }},
		{"beta", "NaN is out of bounds", func(k *Tokens) { k.Beta = []float64{math.NaN()} }},
		{"beta", "cells", func(k *Tokens) {
			k.Beta, k.Tokens = grids.Steps(0, 10_000, 100), []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		}},
		{"dim", "must be a whole number from 2", func(k *Tokens) { k.Dim = 1 }},
		{"interaction", "no such file", func(k *Tokens) { k.Interaction = "missing.txt" }},
		{"interaction", "must be identity, gaussian", func(k *Tokens) { k.Interaction = "gaussian:x" }},
		{"beta", "overflows in unnormalized attention", func(k *Tokens) { k.Attention, k.Beta = sde.Unnormalized, []float64{1, 800} }},
		{"horizon", "whole number of layers", func(k *Tokens) { k.Depth, k.Horizon = 10, 0.25 }},
	} {
		k := New()
		c.change(k)
		err := k.Validate()
		var problem *parameter.Error
		if !errors.As(err, &problem) || problem.Parameter != c.parameter || !strings.Contains(problem.Problem, c.problem) {
			t.Errorf("error %v, want %s: %s", err, c.parameter, c.problem)
		}
		if k.Run(t.Context(), run.Options{}, nil) == nil {
			t.Errorf("%s: runs", c.problem)
		}
	}
}

// Two tokens are the pair of which the theory speaks: 4.5 standard errors are a false
// alarm in 1.5·10^5 seeds. With three tokens antipodal clusters are unequal; at β = 1.5
// these are not within the tolerance of opposite, while two tokens are in a fifth of
// the cases: at most 10 of 400 pairs, where 1 is expected.
func TestTokensAgreeWithTheory(t *testing.T) {
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{2, 3}, []float64{1.5}, 50, 40, 400
	_, c, err := readTokens(experimenttest.Table(t, k, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	diffusion, err := overlap.New(4, 1.5, overlap.Softmax, 1)
	if err != nil {
		t.Fatal(err)
	}
	law, err := fokkerplanck.Uniform(diffusion, []float64{40}, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	if off := outcomes.Deviation(c.pair[0], 400, law[0].Antipodal(1e-3).Value); off > 4.5 || c.pair[0] != c.antipodal[0] {
		t.Errorf("%d pairs and %d antipodal, theory %v: %.1f standard errors", c.pair[0], c.antipodal[0], law[0].Antipodal(1e-3), off)
	}
	if c.tokens[1] != 3 || c.pair[1] > 10 {
		t.Errorf("%d pairs among %d tokens", c.pair[1], c.tokens[1])
	}
}

// B = -1 is the same as -β: of two tokens it exchanges the weights of the own and of the
// other token, which changes a sign of X¹-X² in the increment and so, as values are
// symmetric, nothing in law.
func TestTokensWithInteraction(t *testing.T) {
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{2}, []float64{1.5}, 50, 40, 400
	k.Interaction = "rotation:180"
	table := experimenttest.Table(t, k, run.Options{Seed: 1})
	_, c, err := readTokens(table)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 0.2227152639
	if off := outcomes.Deviation(c.pair[0], 400, limit); off > 4.5 {
		t.Errorf("%d pairs: %.1f standard errors from %v", c.pair[0], off, limit)
	}
	var text strings.Builder
	if err := k.Describe(&text, table); err != nil || !strings.Contains(text.String(), "no theory to compare with") {
		t.Errorf("text %q, error %v", &text, err)
	}
}

// Four tokens end as two clusters, of equal mass or not, or as one. Trajectories that end early
// leave the fractions as they are: with 300 trajectories the counts with and without shortcuts,
// of independent numbers, differ by less than 4.5 standard errors but in 1.5·10^5 seeds. The
// same bits come from one worker and from several.
func TestTokensEndEarly(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty million layers")
	}
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{4}, []float64{3}, 10, 4000, 300
	read := func(workers int) (*tokensCells, *data.Table) {
		table := experimenttest.Table(t, k, run.Options{Seed: 1, Workers: workers})
		_, c, err := readTokens(table)
		if err != nil {
			t.Fatal(err)
		}
		return c, table
	}
	c, table := read(1)
	bounds, err := data.ValuesOf[float64](table, "stop_bound")
	if err != nil || !(bounds[0] > 0 && bounds[0] <= outcomes.LargestChance) {
		t.Errorf("bounds %v, error %v", bounds, err)
	}
	if _, other := read(2); experimenttest.Text(other) != experimenttest.Text(table) {
		t.Error("other rows from two workers")
	}
	k.NoShortcuts = true
	full, _ := read(1)
	t.Logf("antipodal %d and %d, single %d and %d", c.antipodal[0], full.antipodal[0], c.single[0], full.single[0])
	for _, n := range [][2]int64{{c.antipodal[0], full.antipodal[0]}, {c.single[0], full.single[0]}} {
		p := float64(n[0]+n[1]) / 600
		if off := math.Abs(float64(n[0]-n[1])) / math.Sqrt(600*p*(1-p)); off > 4.5 {
			t.Errorf("%d with shortcuts, %d without: %.1f standard errors", n[0], n[1], off)
		}
	}
}
