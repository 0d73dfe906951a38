//go:build long

package threetokens

import (
	"math"
	"testing"

	"antipode/overlap"
)

// At a short time the estimated errors cover the difference from the law of the start in all dimensions.
func TestErrorsAtTheStart(t *testing.T) {
	for _, dim := range []int{2, 3, 5, 10, 20, 30, 50, 80, 100, 120, 150, 180, 200} {
		for _, c := range []struct {
			attention overlap.Attention
			beta      float64
		}{{overlap.Softmax, 4}, {overlap.Unnormalized, 1}} {
			const tolerance = 0.1
			basin, near := startWithin(dim, 0), startWithin(dim, 1-tolerance)
			laws, err := Uniform(dim, c.beta, c.attention, 1, []float64{1e-9}, tolerance, 1e-4)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for k, want := range []float64{near, 3 * near, basin, 3 * basin} {
				worst = max(worst, math.Abs(laws[0].all()[k].Value-want))
			}
			failure := laws[0].Single.Error
			t.Logf("%d %+v: error %.2g, estimated %.2g", dim, c, worst, failure)
			if !(worst <= failure && failure <= 2e-3) {
				t.Errorf("dimension %d, %+v: error %v, estimated %v", dim, c, worst, failure)
			}
		}
	}
}
