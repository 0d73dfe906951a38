package sde

import (
	"math"
	"strings"
	"testing"

	"antipode/sphere"
	"antipode/sphere/must"
)

// All ways to sum attention give the same trajectory of a cell, to rounding, for recursions and for schemes.
// FastestSum has the bits of one of the other two.
func TestWaysToSumGiveTheSameTrajectory(t *testing.T) {
	for _, c := range []Cell{
		{Model: Transformer{Sigma: 1}, Tokens: 1100, Dim: 2, Beta: 30},
		{Model: Hybrid{Epsilon: 1}, Tokens: 700, Dim: 3, Beta: 2},
		{Model: TransformerSDE{Sigma: 1, Scheme: Geodesic}, Tokens: 20, Dim: 4, Beta: 1},
		{Model: Flow{}, Attention: Unnormalized, Tokens: 20, Dim: 3, Beta: 1},
	} {
		c.Depth, c.Start = 10, UniformStart{}
		var states [3][]float64
		for way := range states {
			c.AttentionSum = AttentionSum(way)
			states[way] = stateAfter(t, c, 5)
			if by := c.SumsByHarmonics(); c.AttentionSum != FastestSum &&
				by != (c.AttentionSum == HarmonicsSum) {
				t.Errorf("%s: %v: by harmonics: %v", name(c), c.AttentionSum, by)
			}
		}
		equal := func(x, y []float64, most float64) bool {
			for k := range x {
				if !(math.Abs(x[k]-y[k]) <= most) {
					return false
				}
			}
			return true
		}
		if !equal(states[DirectSum], states[HarmonicsSum], 1e-11) {
			t.Errorf("%s: %v and %v", name(c), states[DirectSum][:4], states[HarmonicsSum][:4])
		}
		if !equal(states[FastestSum], states[DirectSum], 0) &&
			!equal(states[FastestSum], states[HarmonicsSum], 0) {
			t.Errorf("%s: the fastest is neither", name(c))
		}
	}
}

// stateAfter returns the tokens of trajectory 0 after some layers.
func stateAfter(t *testing.T, c Cell, layers int64) (x []float64) {
	t.Helper()
	e := Ensemble[[]float64]{
		Cells: []Cell{c}, Trajectories: 1, Layers: layers, Seed: 1, Workers: 1,
		Observer: func(int) func(*[]float64, *View) {
			return func(row *[]float64, v *View) { *row = append([]float64(nil), v.Tokens()...) }
		},
		Reduce: func(_ int, _ int64, row []float64) error { x = row; return nil },
	}
	if err := e.Run(t.Context()); err != nil {
		t.Fatalf("%s: %v", name(c), err)
	}
	return x
}

// Sums by harmonics are refused if β and d are such that their error has no bound, and if the scores are not
// those of B = I.
func TestHarmonicsAreRefused(t *testing.T) {
	good := Cell{Model: Transformer{Sigma: 1}, Tokens: 5, Dim: 3, Beta: 50, Depth: 10, Start: UniformStart{},
		AttentionSum: HarmonicsSum}
	must.Do(t, good.Validate())
	for problem, change := range map[string]func(c *Cell){
		"β = 50.5, d = 3": func(c *Cell) { c.Beta = 50.5 },
		"β = 50, d = 5":   func(c *Cell) { c.Dim = 5 },
		"identity":        func(c *Cell) { c.Interaction = GaussianInteraction(3, 1) },
		"random scores":   func(c *Cell) { c.Resampling.Spread = 1 },
		"chain":           func(c *Cell) { c.Tokens, c.Method = 2, Chain },
		"AttentionSum(3)": func(c *Cell) { c.AttentionSum = 3 },
	} {
		c := good
		change(&c)
		err := c.Validate()
		if err == nil || !strings.Contains(err.Error(), "attention sum") ||
			strings.Contains(problem, "β") && !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: error %v", problem, err)
		}
	}
}

// The memory for a million tokens is proportional to their number, whatever the dimension: on two goroutines
// it is less than 1000 numbers for each token.
func TestMemoryOfAMillionTokens(t *testing.T) {
	for _, model := range []Model{Transformer{Sigma: 1}, TransformerSDE{Sigma: 1}, Hybrid{Epsilon: 1},
		Flow{}} {
		for _, d := range []int{3, 8, 30} {
			c := Cell{Model: model, Tokens: 1_000_000, Dim: d, Beta: 1, Depth: 10, Start: UniformStart{}}
			if bytes := c.bytes(1, 2); bytes > 8*1000*1e6 {
				t.Errorf("%s: %.3g bytes", name(c), bytes)
			}
		}
	}
}

// If there are too many tokens to keep the overlaps of all pairs, the outcomes are still those of the
// classifier.
func TestOutcomesOfManyTokensInMoreDimensions(t *testing.T) {
	c := Cell{Model: Transformer{Sigma: 1}, Tokens: 4100, Dim: 5, Beta: 0, Depth: 4, Start: UniformStart{}}
	e := Ensemble[sphere.Outcome]{
		Cells: []Cell{c}, Trajectories: 1, Layers: 1, Seed: 1, Workers: 1,
		Observer: func(int) func(*sphere.Outcome, *View) {
			return func(row *sphere.Outcome, v *View) {
				if v.overlapping() {
					t.Error("the overlaps of all pairs are kept")
				}
				outcome, pair := v.Outcome(1e-3)
				want, wantPair := sphere.NewClassifier(c.Tokens, 1e-3).Classify(v.Tokens(), c.Dim)
				if outcome != want || pair != wantPair {
					t.Errorf("%v, %v; want %v, %v", outcome, pair, want, wantPair)
				}
			}
		},
		Reduce: func(int, int64, sphere.Outcome) error { return nil },
	}
	must.Do(t, e.Run(t.Context()))
}
