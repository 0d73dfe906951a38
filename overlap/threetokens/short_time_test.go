package threetokens

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
)

// At a short time three tokens of dimension 2 have the outcomes of their start: with tolerance τ = 1 - cos θ,
// all three angles are at most θ with probability 3(θ/2π)², and two against one have three times this
// probability, also in the basins, for which θ = π/2. The estimated errors hold.
func TestOutcomesOfTheStart(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct{ beta, time, tolerance float64 }{
		{1, 1e-9, 0.5}, {0, 1e-6, 0.5}, {0, 1e-6, 0.1}, {0, 1e-6, 1e-3}, {8, 1e-9, 0.5}, {2, 1e-9, 0.3},
	} {
		for _, accuracy := range []float64{1e-4, 1e-2} {
			laws, err := Uniform(2, c.beta, overlap.Softmax, 1, []float64{c.time}, c.tolerance, accuracy)
			if err != nil {
				t.Fatal(err)
			}
			part := math.Acos(1-c.tolerance) / (2 * math.Pi)
			for k, want := range []float64{3 * part * part, 9 * part * part, 3.0 / 16, 9.0 / 16} {
				p := laws[0].all()[k]
				off := p.Value - want
				if !(math.Abs(off) <= p.Error) {
					t.Errorf("%+v, accuracy %v: probability %d is %v, error %.3g, want %v", c, accuracy, k,
						p.Value, p.Error, want)
				}
			}
		}
	}
}
