package sde

import (
	"math"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere/must"
)

// seenPairs returns what an observer sees of trajectories of 6 tokens: nothing while they are tokens, then
// pairs of atoms. Trajectories whose tokens coincide end, and others begin in their lanes.
func seenPairs(t *testing.T, c Cell, workers int) (rows [][]float64) {
	t.Helper()
	e := &Ensemble[[]float64]{
		Cells: []Cell{c}, Trajectories: 70, Layers: 600, Seed: 8, Workers: workers, Merge: MergeLaws,
		Times: []int64{50, 150, 170, 310, 400, 411, 500, 600},
		Observer: func(int) func(*[]float64, *View) {
			return func(row *[]float64, v *View) {
				if p, ok := v.Pair(); ok {
					*row = append(*row, float64(v.Layer), p.Masses[0], p.Masses[1], p.Above, p.Below)
				}
			}
		},
		Stop: func(int) func(*View) bool {
			return func(v *View) bool {
				_, ok := v.Pair()
				return ok && v.Together()
			}
		},
		Reduce: func(_ int, _ int64, row []float64) error { rows = append(rows, row); return nil },
	}
	must.Do(t, e.Run(t.Context()))
	return rows
}

// A trajectory with only two atoms left depends neither on the instruction set nor on the number of workers,
// and so not on its lane. Pairs of equal and of unequal masses occur.
func TestPairsHaveTheSameBitsEverywhere(t *testing.T) {
	active := instructionset.Active()
	defer func() {
		must.Do(t, instructionset.Select(active))
	}()
	for _, attention := range []Attention{Softmax, Unnormalized} {
		c := crowd(6, 3)
		c.Attention, c.Beta = attention, 2.5
		want := seenPairs(t, c, 1)
		differences := map[float64]int{}
		for _, row := range want {
			if len(row) > 0 {
				differences[math.Abs(row[1]-row[2])]++
			}
		}
		if differences[0] < 5 || differences[2] < 5 {
			t.Errorf("%v: trajectories by the difference of the masses: %v", attention, differences)
		}
		for k, name := range instructionset.Available() {
			must.Do(t, instructionset.Select(name))
			workers := []int{1 + k%3}
			if name == active {
				workers = []int{2, 7}
			}
			for _, workers := range workers {
				if !slices.EqualFunc(seenPairs(t, c, workers), want, slices.Equal) {
					t.Errorf("%v, %s, %d workers: other rows", attention, name, workers)
				}
			}
		}
	}
}
