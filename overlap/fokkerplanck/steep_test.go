package fokkerplanck

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// Probabilities at a time stay those of the deterministic flow where the noise is negligible, and the slope
// h' is steeper than a scale density can be.
func TestLawOfASteepScale(t *testing.T) {
	longtest.Only(t)
	for _, beta := range []float64{120, 150, 330} {
		d := must.Get(overlap.NewHybrid(3, beta, overlap.Unnormalized, 1))(t)
		p := must.Get(From(d, -0.99, []float64{10}, 1e-4))(t)[0].Antipodal(1e-3)
		if math.Abs(p.Value-1) > p.Error {
			t.Errorf("β = %v: P(antipodal) = %v, error %.1g, want 1", beta, p.Value, p.Error)
		}
	}
	noiseless := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 0))(t)
	flow := must.Get(Uniform(noiseless, []float64{3}, 1e-4))(t)[0]
	for _, epsilon := range []float64{1e-45, 2e-50, 1e-52, 1e-140} {
		d := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, epsilon))(t)
		law := must.Get(Uniform(d, []float64{3}, 1e-4))(t)[0]
		for _, z := range []float64{-0.999, -0.5, 0, 0.9} {
			p, want := law.Below(z), flow.Below(z)
			if !(math.Abs(p.Value-want.Value) <= p.Error+want.Error) {
				t.Errorf("ε = %v: P(Z ≤ %v) = %v, error %.1g, want %v", epsilon, z, p.Value, p.Error,
					want.Value)
			}
		}
	}
}
