package threetokens

import (
	"math"
	"testing"

	"antipode/overlap"
)

// A grid on which the scheme is unstable has no law, and no error estimate.
func TestUnstableGrid(t *testing.T) {
	n := resolution{closeness: 6, across: 3, width: 0.35, length: 8, top: 3, steps: 3}
	g := newGrid(tokens{30, 2, overlap.Softmax, 1}, n, height{1e-4, 0})
	laws := g.laws([]float64{1, 2}, 0.1)
	for k, l := range laws {
		if l.Time != float64(k+1) {
			t.Errorf("time %v", l.Time)
		}
		for _, p := range l.all() {
			if !math.IsNaN(p.Value) {
				t.Errorf("time %v: %v", l.Time, p.Value)
			}
		}
	}
	if got := distance(&laws[0], &Law{}); !math.IsInf(got, 1) {
		t.Errorf("distance %v from no law", got)
	}
	for _, c := range []struct {
		mass []float64
		want bool
	}{{[]float64{0.5, -1.9}, true}, {[]float64{0.5, -2}, false}, {[]float64{math.NaN(), 0}, false}} {
		if bounded(c.mass) != c.want {
			t.Errorf("masses %v: bounded is %v", c.mass, !c.want)
		}
	}
}

// However little work is allowed, two grids are used.
func TestLeastWork(t *testing.T) {
	w := tokens{2, 1, overlap.Softmax, 1}
	const tolerance, accuracy = 0.1, 1e-6
	times := []float64{1e-6}
	got := w.refine(times, tolerance, accuracy, 0)
	coarse := newGrid(w, resolutionOf(2, 1, 0, tolerance), floor(1, 0)).laws(times, tolerance)
	fine := newGrid(w, resolutionOf(2, 1, 1, tolerance), floor(1, 1)).laws(times, tolerance)
	want := estimate([]float64{distance(&fine[0], &coarse[0])})
	if got[0].Single.Value != fine[0].Single.Value || got[0].Single.Error != want {
		t.Errorf("single %+v, want %v ± %v", got[0].Single, fine[0].Single.Value, want)
	}
}
