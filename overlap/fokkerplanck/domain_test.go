package fokkerplanck

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// The domains of all arguments end where the comment of From says.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	d := diffusion(t, 3, 1)
	with := func(tolerance float64, times ...float64) error { return check(d.Line(), times, tolerance) }
	domaintest.Check(t, "tolerance", func(x float64) error { return with(x, 1) },
		[]float64{1e-9, 0.1}, []float64{below(1e-9), above(0.1), nan})
	domaintest.Check(t, "first time", func(x float64) error { return with(0.1, x, greatestTime) },
		[]float64{5e-324, below(greatestTime)}, []float64{0, -1, greatestTime, nan})
	domaintest.Check(t, "last time", func(x float64) error { return with(0.1, 1, x) },
		[]float64{above(1), greatestTime}, []float64{1, above(greatestTime), nan, inf})
	domaintest.Check(t, "times", func(times []float64) error { return with(0.1, times...) },
		[][]float64{{1}}, [][]float64{nil, {}})
	domaintest.Check(t, "start", checkStart, []float64{-1, 1}, []float64{below(-1), above(1), nan})
	for _, start := range []float64{-1, 1} {
		laws := must.Get(From(d, start, []float64{1, 3}, 0.1))(t)
		if len(laws) != 2 || laws[1].Antipodal(0.1).Value != 0.5-0.5*start {
			t.Errorf("from %v: %v", start, laws)
		}
	}
}

// Of a diffusion without noise, the velocity at +1 must be far from the end of float64; of another one, the
// variance.
func TestDomainOfTheClock(t *testing.T) {
	for _, c := range []struct {
		attention overlap.Attention
		beta      float64
		accepted  bool
	}{
		// The velocity at +1 is e^β, and 2e290 is e^668.4.
		{overlap.Unnormalized, 668, true}, {overlap.Unnormalized, 669, false}, {overlap.Softmax, 1000, true},
	} {
		d := must.Get(overlap.NewHybrid(3, c.beta, c.attention, 0))(t)
		if err := check(d.Line(), []float64{1}, 0.1); (err == nil) != c.accepted {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
