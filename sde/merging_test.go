package sde

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"antipode/sde/internal/lanes"
	"antipode/sphere"
	"antipode/sphere/must"
)

// Atoms of several tokens move as the tokens do, to rounding, in vectors and with the Stepper. An atom is one
// token where the tokens themselves are 10^-10 apart.
func TestAtomsMoveAsTheirTokens(t *testing.T) {
	start := must.Get(NewStatesStart([]float64{
		0.6, 0.8, 0, 0.6, 0.8, 1e-10, -0.6, -0.8, 0, -0.6, -0.8, 1e-10, -0.6, -0.8, -1e-10,
	}, 5, 3))(t)
	for _, c := range models(5, 3) {
		if c.Model.recursion() == nil { // whose tokens do not merge
			continue
		}
		if m, is := c.Model.(Transformer); is && m.Law == Gaussian { // two atoms would continue as a chain
			c.Model = withLaw(c.Model, Uniform)
		}
		c.Start = start
		for _, c.Interaction = range [][]float64{nil, {1, 0, 0, 0, 1, 0, 0, 0, 1}} {
			merged, plain := after(t, c, 32, MergeLaws), after(t, c, 32, KeepApart)
			if !slices.Equal(merged[:3], merged[3:6]) || slices.Equal(plain[:3], plain[3:6]) {
				t.Errorf("%s: tokens %v, of atoms %v", name(c), plain, merged)
			}
			merged, plain = after(t, c, 48, MergeLaws), after(t, c, 48, KeepApart)
			for k, v := range plain {
				if !(math.Abs(v-merged[k]) <= 1e-8) {
					t.Fatalf("%s: tokens %v, of atoms %v", name(c), plain, merged)
				}
			}
		}
	}
}

// Atoms also move as their tokens in cells with several heads, a drift and an MLP: by loops if scores are
// random, and by matrix products otherwise.
func TestAtomsMoveAsTheirTokensBesideSublayers(t *testing.T) {
	const tokens, dim = 9, 3
	start := must.Get(NewStatesStart([]float64{
		0.6, 0.8, 0, 0.6, 0.8, 1e-11, -0.6, -0.8, 0, -0.6, -0.8, 1e-11, -0.6, -0.8, -1e-11, 0, 0.28, 0.96,
		0, 0.28, 0.96, 1e-11, 0.28, 0.96, -1e-11, 0.28, 0.96,
	}, tokens, dim))(t)
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, resampling := range []Resampling{{}, {Spread: 0.8}} {
			c := blockCell(tokens, dim, 5)
			c.Attention, c.Resampling, c.Start, c.Depth = attention, resampling, start, 200
			if byLoops := resampling.Spread > 0; byLoops == c.newAttention().ByProducts() {
				t.Fatal("not by loops with random scores alone")
			}
			merged, plain := after(t, c, 80, MergeLaws), after(t, c, 80, KeepApart)
			if !slices.Equal(merged[:3], merged[3:6]) || slices.Equal(plain[:3], plain[3:6]) {
				t.Errorf("%v, %v: tokens %v, of atoms %v", attention, resampling, plain, merged)
			}
			for k, v := range plain {
				if !(math.Abs(v-merged[k]) <= 1e-8) {
					t.Fatalf("%v, %v: tokens %v, of atoms %v", attention, resampling, plain, merged)
				}
			}
		}
	}
}

// after returns the tokens of trajectory 0 of a cell after some layers.
func after(t *testing.T, c Cell, layers int64, merging Merging) []float64 {
	t.Helper()
	l, all := newLanes(c, 2, 1, merging, 1), make([]lanes.Lane, 1)
	must.Do(t, l.Start(0, 0))
	l.Advance(all, layers)
	if all[0].Err != nil {
		t.Fatal(all[0].Err)
	}
	return slices.Clone(l.Tokens(0))
}

// crowd returns a cell whose tokens come together in groups.
func crowd(n, d int) Cell {
	return Cell{Model: Transformer{Sigma: 1}, Tokens: n, Dim: d, Beta: 4, Depth: 10, Start: UniformStart{}}
}

// Merging changes no outcome, nor antipodal pairs, of any trajectory if the random numbers are the same. This
// is so under a law for which two atoms are not replaced by a chain, and if merging keeps the paths; also for
// tokens that are advanced by matrices.
func TestMergingChangesNoOutcome(t *testing.T) {
	const trajectories = 60
	uniform := func(c Cell) Cell {
		c.Model = withLaw(c.Model, Uniform)
		return c
	}
	own := crowd(14, 5)
	own.PairKernel = softmaxOfPairs(4)
	gaussian := []Cell{crowd(16, 3), crowd(12, 4), crowd(70, 12), own}
	run := func(merging Merging, cells ...Cell) (seen []string) {
		e := &Ensemble[string]{
			Cells:        cells,
			Trajectories: trajectories, Layers: 600, Seed: 3,
			Times: []int64{100, 200, 300, 400, 500, 600}, Merge: merging,
			Observer: func(cell int) func(*string, *View) {
				c := sphere.NewClassifier(cells[cell].Tokens, 1e-3)
				return func(row *string, v *View) {
					outcome, pair := c.Classify(v.Tokens(), cells[cell].Dim)
					*row += fmt.Sprint(outcome, pair, " ")
				}
			},
			Reduce: func(_ int, _ int64, row string) error { seen = append(seen, row); return nil },
		}
		must.Do(t, e.Run(t.Context()))
		return seen
	}
	compare := func(merging Merging, cells ...Cell) {
		merged := run(merging, cells...)
		for k, row := range run(KeepApart, cells...) {
			if merged[k] != row {
				t.Errorf("cell %d, trajectory %d: %s, merged %s", k/trajectories, k%trajectories, row,
					merged[k])
			}
		}
	}
	compare(MergeLaws, uniform(crowd(16, 3)), uniform(crowd(12, 4)))
	compare(MergePaths, gaussian...)
}
