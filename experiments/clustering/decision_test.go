package clustering

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere"
)

// decidedPhase is a phase table large enough for early decisions.
func decidedPhase() *Phase {
	p := NewPhase()
	p.Dim, p.Beta = []int{3, 5}, []float64{0.5, 1.5}
	p.Trajectories, p.Depth, p.Horizon = 300, 10, 4000
	return p
}

// Trajectories that end early leave the outcomes as they are, and say so in the table. The
// same bits come from one worker and from several, and from a cell alone.
func TestEarlyDecisionsChangeNoOutcome(t *testing.T) {
	p := decidedPhase()
	table := experimenttest.Table(t, p, run.Options{Seed: 4, Workers: 1})
	bounds, err := data.ValuesOf[float64](table, "stop_bound")
	if err != nil {
		t.Fatal(err)
	}
	for k, bound := range bounds {
		if !(bound > 0 && bound <= 1e-9) {
			t.Errorf("row %d: bound %v", k, bound)
		}
	}
	text := experimenttest.Text(table)
	for _, workers := range []int{2, 7} {
		if experimenttest.Text(experimenttest.Table(t, p, run.Options{Seed: 4, Workers: workers})) != text {
			t.Errorf("%d workers: other rows", workers)
		}
	}
	alone := *p
	alone.Dim, alone.Beta = p.Dim[1:], p.Beta[1:]
	if got, want := rowTexts(experimenttest.Table(t, &alone, run.Options{Seed: 4})), rowTexts(table); got[0] != want[3] {
		t.Errorf("alone %s, in a grid %s", got[0], want[3])
	}
	alone.NoShortcuts, alone.Trajectories = true, 60
	full := rowTexts(experimenttest.Table(t, &alone, run.Options{Seed: 4}))[0]
	if !strings.Contains(full, `"stop_bound":null`) {
		t.Errorf("without shortcuts: %s", full)
	}
}

// followed is what became of a trajectory after the bound on a return had fallen to p.
type followed struct {
	decided          bool
	outcome          sphere.Outcome // when it fell
	changed, differs bool           // at some later time, and in the end
}

// follow goes on with trajectories that could have ended early, with the largest chance
// raised to p. An outcome is within the edge of the neighbourhood that the bound is for.
func follow(t *testing.T, cell sde.Cell, p float64, trajectories, layers int64) (all []followed) {
	t.Helper()
	bounds, err := newChance(cell, neighbourhood)
	if err != nil {
		t.Fatal(err)
	}
	var times []int64
	overlap := overlapOf(cell)
	for layer := int64(1); layer <= layers; layer++ {
		times = append(times, layer)
	}
	ensemble := &sde.Ensemble[followed]{
		Cells: []sde.Cell{cell}, Trajectories: trajectories, Layers: layers, Times: times, Seed: 8, Workers: 1,
		Observer: func(int) func(*followed, int64, int64, []float64) {
			return func(row *followed, _, _ int64, x []float64) {
				x = overlap(x)
				outcome := sphere.PairOutcome(x[0], x[1], neighbourhood)
				if row.decided {
					row.differs = outcome != row.outcome
					row.changed = row.changed || row.differs
				} else if bounds.at(x) <= p {
					row.decided, row.outcome = true, outcome
				}
			}
		},
		Reduce: func(_ int, _ int64, row followed) error { all = append(all, row); return nil },
	}
	if err := ensemble.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return all
}

// The bound is honest, and sharp: with 0.01 in place of 1e-9, the fraction of trajectories
// that have another outcome at some time after they could have ended is at most 0.01, but
// not by a factor of 3; few of them have another one at a given late time. Of 3000
// trajectories 0.01 is 30 ± 5.4: more than 57 is a false alarm in 10^5 seeds if the bound
// holds with equality, and less than 10 one in 10^5 if the truth is 0.009. Twice the
// exponent would let 300 change.
func TestBoundOfAnEarlyDecisionIsHonest(t *testing.T) {
	if testing.Short() {
		t.Skip("ten million layers")
	}
	const p, trajectories = 1e-2, 3000
	for _, method := range []sde.Method{sde.Chain, sde.Tokens} {
		cell := sde.Cell{Method: method, Tokens: 2, Dim: 2, Beta: 1, Sigma: 1, Depth: 20, Start: sde.UniformStart{}}
		var antipodal, changed, differ int
		for k, row := range follow(t, cell, p, trajectories, 3000) {
			if !row.decided {
				t.Errorf("%v: trajectory %d is not decided in 3000 layers", method, k)
			}
			if row.outcome == sphere.Antipodal {
				antipodal++
			}
			if row.changed {
				changed++
			}
			if row.differs {
				differ++
			}
		}
		t.Logf("%v: of %d trajectories, %d of them antipodal, %d changed their outcome, %d for the end", method, trajectories, antipodal, changed, differ)
		if changed > 57 || changed < 10 {
			t.Errorf("%v: %d of %d changed their outcome, the bound is %g", method, changed, trajectories, p)
		}
		if differ > changed {
			t.Errorf("%v: %d differ in the end, %d at any time", method, differ, changed)
		}
	}
}

// Of two tokens by vectors, the same numbers decide with shortcuts and without: all outcomes
// are the same.
func TestEarlyDecisionsOfTokensChangeNoOutcome(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty million layers")
	}
	p := decidedPhase()
	p.Dim, p.Method = []int{3}, sde.Tokens.String()
	read := func() (bounds []float64, counts string) {
		table := experimenttest.Table(t, p, run.Options{Seed: 4, Workers: 1})
		bounds, err := data.ValuesOf[float64](table, "stop_bound")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"antipodal", "single"} {
			n, err := data.ValuesOf[int64](table, name)
			if err != nil {
				t.Fatal(err)
			}
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

// A pair that is almost antipodal falls to -1 with the Lyapunov exponent of the theory: over
// 10^6 layers ln(1+Z) goes with slope 2λ, to -14,000, far below the range of float64. 4.5
// standard errors, from the scatter over a hundred parts: a false alarm in 10^5 seeds.
func TestAntipodalPairFallsWithTheLyapunovExponent(t *testing.T) {
	const layers, parts = 1_000_000, 100
	cell := sde.Cell{Method: sde.Chain, Tokens: 2, Dim: 4, Beta: 1.5, Sigma: 1, Depth: 100, Start: sde.PairStart{Overlap: -1 + 1e-9}}
	layer, err := finitedepth.Antipodal(cell.Dim, cell.Beta, overlap.Softmax, 1, cell.Depth)
	if err != nil {
		t.Fatal(err)
	}
	var heights []float64
	ensemble := &sde.Ensemble[[]float64]{
		Cells: []sde.Cell{cell}, Trajectories: 1, Layers: layers, Times: observationTimes(layers, layers/parts), Seed: 6,
		Observer: func(int) func(*[]float64, int64, int64, []float64) {
			return func(row *[]float64, _, _ int64, x []float64) { *row = append(*row, x[0]) }
		},
		Reduce: func(_ int, _ int64, row []float64) error { heights = row; return nil },
	}
	if err := ensemble.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	total := heights[parts] - heights[0]
	squares := 0.0
	for k := range parts {
		rest := heights[k+1] - heights[k] - total/parts
		squares += rest * rest
	}
	want := 2 * layer.Lyapunov()
	slope, deviation := total/layers, math.Sqrt(squares)/layers
	t.Logf("slope %.6f ± %.6f, theory %.6f, from %.1f to %.1f", slope, deviation, want, heights[0], heights[parts])
	if !(math.Abs(slope-want) < 4.5*deviation) || !(heights[parts] < -10_000) {
		t.Errorf("slope %v ± %v, theory %v", slope, deviation, want)
	}
}
