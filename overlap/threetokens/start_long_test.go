//go:build long

package threetokens

import (
	"math"
	"testing"

	"antipode/overlap"
)

// At a short time the estimated errors cover the difference from the law of the start in all dimensions.
func TestErrorsAtTheStart(t *testing.T) {
	for _, c := range []struct {
		dim       int
		attention overlap.Attention
		beta      float64
	}{
		{2, overlap.Softmax, 4}, {3, overlap.Unnormalized, 1}, {5, overlap.Softmax, 4},
		{10, overlap.Unnormalized, 1}, {20, overlap.Softmax, 4}, {50, overlap.Unnormalized, 1},
		{100, overlap.Unnormalized, 1}, {200, overlap.Softmax, 4},
	} {
		const tolerance = 0.1
		basin, near := startWithin(c.dim, 0), startWithin(c.dim, 1-tolerance)
		laws, err := Uniform(c.dim, c.beta, c.attention, 1, []float64{1e-9}, tolerance, 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for k, want := range []float64{near, 3 * near, basin, 3 * basin} {
			worst = max(worst, math.Abs(laws[0].all()[k].Value-want))
		}
		failure := laws[0].Single.Error
		t.Logf("%+v: error %.2g, estimated %.2g", c, worst, failure)
		if !(worst <= failure && failure <= 4e-3) {
			t.Errorf("%+v: error %v, estimated %v", c, worst, failure)
		}
	}
}
