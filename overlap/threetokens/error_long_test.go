//go:build long

package threetokens

import (
	"math"
	"testing"

	"antipode/overlap"
)

// Estimated errors cover all further changes, down to the finest grid.
func TestErrorsAreNoLess(t *testing.T) {
	for _, c := range []struct {
		dim        int
		beta, time float64
	}{{2, 1.5, 5}, {5, 3, 6}} {
		const tolerance = 0.01
		rough, err := Uniform(c.dim, c.beta, overlap.Softmax, 1, []float64{c.time}, tolerance, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		fine, err := Uniform(c.dim, c.beta, overlap.Softmax, 1, []float64{c.time}, tolerance, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range rough[0].all() {
			best := *fine[0].all()[k]
			if off := math.Abs(p.Value - best.Value); !(off <= p.Error+best.Error && best.Error < 1e-4) {
				t.Errorf("%+v: %d is %+v, on a finer grid %+v", c, k, *p, best)
			}
			t.Logf("%+v: %d is %+v, on a finer grid %+v", c, k, *p, best)
		}
	}
}
