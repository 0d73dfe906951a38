package overlap

import (
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// An overlap at which no diffusion can start is an error.
func TestProbabilitiesFromNoOverlap(t *testing.T) {
	diffusion := must.Get(overlap.New(5, 1, overlap.Softmax, 1))(t)
	for z0, good := range map[float64]bool{-1.5: false, 0.5: true} {
		o := New()
		o.Z0 = &z0
		var r Row
		if err := o.fillProbabilities(&r, diffusion); (err == nil) != good || good && !(r.Single > 0.5) {
			t.Errorf("from %v: %v, single %v", z0, err, r.Single)
		}
	}
}
