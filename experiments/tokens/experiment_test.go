package tokens

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere/must"
)

func TestTokensValidateNamesTheParameter(t *testing.T) {
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"tokens", "1 is out of bounds", func(k *Experiment) { k.Tokens = []int{2, 1} }},
		{"beta", "NaN is out of bounds", func(k *Experiment) { k.Beta = []float64{math.NaN()} }},
		{"beta", "cells", func(k *Experiment) {
			k.Beta, k.Tokens = setting.Steps(0, 10_000, 100), []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		}},
		{"dim", "must be a whole number from 2", func(k *Experiment) { k.Dim = 1 }},
		{"beta", "overflows in unnormalized attention",
			func(k *Experiment) { k.Attention, k.Beta = sde.Unnormalized, []float64{1, 800} }},
		{"horizon", "whole number of layers", func(k *Experiment) { k.Depth, k.Horizon = 10, 0.25 }},
	})
}

// For two tokens the fraction of antipodal pairs agrees with the theory of the overlap: 4.5 standard errors
// are one false alarm in 1.5·10^5 seeds. With three tokens opposite clusters are unequal, and at β = 1.5
// their overlap is hardly ever within the tolerance of -1: at most 10 of 400 trajectories have an antipodal
// pair, where 1 is expected. For two tokens it is a fifth of the trajectories.
func TestTokensAgreeWithTheory(t *testing.T) {
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{2, 3}, []float64{1.5}, 50, 40, 400
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, k, run.Options{Seed: 1})))(t)
	diffusion := must.Get(overlap.New(4, 1.5, overlap.Softmax, 1))(t)
	law := must.Get(fokkerplanck.Uniform(diffusion, []float64{40}, 1e-5))(t)
	two, three := rows[0], rows[1]
	off := outcomes.Deviation(two.AntipodalPair, 400, law[0].Antipodal(1e-3).Value)
	if off > 4.5 || two.AntipodalPair != two.Antipodal {
		t.Errorf("%d pairs and %d antipodal, theory %v: %.1f standard errors", two.AntipodalPair,
			two.Antipodal, law[0].Antipodal(1e-3), off)
	}
	if three.Tokens != 3 || three.AntipodalPair > 10 {
		t.Errorf("%d pairs among %d tokens", three.AntipodalPair, three.Tokens)
	}
}

// B = -Id is equivalent to -β. For two tokens it exchanges the weights of a token for itself and for the
// other one. This changes the sign of the term with X¹-X² in the increment, which does not change the law, as
// the law of the value matrices is symmetric.
func TestTokensWithInteraction(t *testing.T) {
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{2}, []float64{1.5}, 50, 40, 400
	k.Interaction = experimenttest.Must(setting.ParseInteraction("rotation:180"))
	table := experimenttest.Table(t, k, run.Options{Seed: 1})
	rows, err := data.RowsOf[Row](table)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 0.2227152639
	if off := outcomes.Deviation(rows[0].AntipodalPair, 400, limit); off > 4.5 {
		t.Errorf("%d pairs: %.1f standard errors from %v", rows[0].AntipodalPair, off, limit)
	}
	var text strings.Builder
	err = k.Describe(&text, table)
	if err != nil || !strings.Contains(text.String(), "no theory to compare with") {
		t.Errorf("text %q, error %v", &text, err)
	}
}

// Four tokens end as one cluster, or as two of equal or unequal masses. Early ends do not change the
// fractions: the counts of 300 trajectories with and without shortcuts, which use independent random numbers,
// differ by less than 4.5 standard errors, except in one of 1.5·10^5 seeds. The rows are the same for one
// worker and for two.
func TestTokensEndEarly(t *testing.T) {
	longtest.Only(t)
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{4}, []float64{3}, 10, 4000, 300
	read := func(workers int) (Row, *data.Table) {
		table := experimenttest.Table(t, k, run.Options{Seed: 1, Workers: workers})
		rows, err := data.RowsOf[Row](table)
		if err != nil || len(rows) != 1 {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
		return rows[0], table
	}
	early, table := read(1)
	if !(early.StopBound > 0 && early.StopBound <= outcomes.LargestErrorBound) {
		t.Errorf("bound %v", early.StopBound)
	}
	if _, other := read(2); experimenttest.Text(other) != experimenttest.Text(table) {
		t.Error("other rows from two workers")
	}
	k.NoShortcuts = true
	full, _ := read(1)
	t.Logf("antipodal %d and %d, single %d and %d",
		early.Antipodal, full.Antipodal, early.Single, full.Single)
	for _, n := range [][2]int64{{early.Antipodal, full.Antipodal}, {early.Single, full.Single}} {
		p := float64(n[0]+n[1]) / 600
		if off := math.Abs(float64(n[0]-n[1])) / math.Sqrt(600*p*(1-p)); off > 4.5 {
			t.Errorf("%d with shortcuts, %d without: %.1f standard errors", n[0], n[1], off)
		}
	}
}
