package threetokens

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
)

// Stages reach the times that are asked for, no step is longer than a tenth of the time up to one, and at
// times of equal distances the matrix is factored once for all.
func TestStages(t *testing.T) {
	w := tokens{4, 1, overlap.Softmax, 1} // with the clock 1/7
	g := &grid{tokens: w, rows: 1, resolution: resolution{steps: 10}}
	for _, times := range [][]float64{{0.01}, {2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {0.1, 1, 1e6}} {
		passed, next := 0.0, 0
		for _, s := range g.stages(times) {
			passed += float64(s.steps) * s.step
			if s.step > times[next]/10*(1+1e-9) {
				t.Errorf("%v: step %v before time %v", times, s.step, times[next])
			}
			if s.asked {
				if !(math.Abs(passed/times[next]-1) < 1e-9) {
					t.Errorf("%v: time %v is reached at %v", times, times[next], passed)
				}
				next++
			}
		}
		if next != len(times) {
			t.Errorf("%v: %d are reached", times, next)
		}
	}
	few := []float64{1, 2, 3, 4, 5, 6}
	many := append(append([]float64(nil), few...), 7, 8, 9, 10, 11, 12)
	if a, b := g.work(few), g.work(many); a != b || a == 0 {
		t.Errorf("work %v up to time 6 and %v up to 12", a, b)
	}
}

// Steps are short enough: twice as many change little.
func TestStepsAreShort(t *testing.T) {
	longtest.Only(t)
	const level, tolerance = 0, 1e-3
	w := tokens{10, 2, overlap.Softmax, 1}
	n := resolutionOf(w.dim, w.beta, level, tolerance)
	n.across = 5
	rough := newGrid(w, n, floor(w.beta, level)).laws([]float64{2}, tolerance)
	n.steps *= 2
	fine := newGrid(w, n, floor(w.beta, level)).laws([]float64{2}, tolerance)
	if off := distance(&rough[0], &fine[0]); !(off < 6e-6) {
		t.Errorf("laws %v apart", off)
	}
}
