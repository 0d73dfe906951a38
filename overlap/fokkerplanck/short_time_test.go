package fokkerplanck

import (
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// At times so short that the overlap moves by hardly more than its rounding errors, laws and their errors are
// numbers. The overlap is below its start with probability 1/2, up to the drift.
func TestVeryShortTimes(t *testing.T) {
	d := diffusion(t, 3, 1)
	for _, time := range []float64{1e-26, 1e-30, 1e-300, 1e-320, 5e-324} {
		times := []float64{time}
		law := must.Get(From(d, -0.5, times, 1e-6))(t)[0]
		if p := law.Below(-0.5); !(p.Value > 0.5-p.Error && p.Value < 0.5+p.Error && law.Error < 0.1) {
			t.Errorf("time %v: %v, error %v", time, p, law.Error)
		}
		by, ok, err := FromDerivative(d, -0.5, overlap.ByBeta, times, 1e-6)
		if err != nil || !ok || !(by[0].Error >= 0) {
			t.Errorf("time %v: derivatives %v %v, error %v", time, by[0].Error, ok, err)
		}
		near(t, "uniform tokens", must.Get(Uniform(d, times, 1e-6))(t)[0].Below(-0.5).Value, 0.25, 1e-6)
	}
}
