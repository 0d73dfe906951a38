package fokkerplanck

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/must"
)

// In many dimensions drift takes the overlap far in a short time. Overlaps that it does not reach have
// probability 0, and those that it has left behind have probability 1 below them, even if the law between
// is known only roughly.
func TestOutcomesThatAreNotReached(t *testing.T) {
	d := diffusion(t, 10_000, 0)
	for _, time := range []float64{5e-4, 1e-3} { // u = 2.5 and 5, ± 0.03
		laws := must.Get(Uniform(d, []float64{time}, 1e-5))(t)
		for _, tolerance := range []float64{1e-12, 1e-6} { // u = 14.2 and 7.3
			if p := laws[0].Single(tolerance); p.Value != 0 || p.Error > 1e-9 {
				t.Errorf("T = %v: P(single) within %v is %v", time, tolerance, p)
			}
		}
		if p := laws[0].Single(0.99); math.Abs(p.Value-1) > 1e-6 || p.Error > 1e-6 { // z ≥ 0.01
			t.Errorf("T = %v: P(z ≥ 0.01) is %v", time, p)
		}
		if p := laws[0].Antipodal(1e-3); p.Value != 0 || p.Error > 1e-9 {
			t.Errorf("T = %v: P(antipodal) is %v", time, p)
		}
	}
}

// How far drift and noise may take the overlap of 10,000 dimensions in a thousandth of a unit of time: nine
// standard deviations against the drift, and 5 more along it.
func TestDisplacementBound(t *testing.T) {
	d := diffusion(t, 10_000, 0).Line()
	against, along := displacementBound(d, 0, -1, 1e-3), displacementBound(d, 0, 1, 1e-3)
	near(t, "nine standard deviations", against, 9*math.Sqrt(1e-3*d.Variance(line.Of(0))), 1e-9)
	near(t, "drift", along-against, 1e-3*0.5*9998, 0.005)
}

// Random queries and keys at a horizon, computed by another program: averages by a Gauss-Hermite product
// rule, and a simple Crank-Nicolson scheme in atanh z with steps of 0.02 and 0.01, extrapolated to
// vanishing steps with an error of 1e-7.
func TestResampledHorizonOfAnotherProgram(t *testing.T) {
	for _, c := range []struct {
		dim               int
		beta, spread      float64
		horizon           float64
		tolerance         float64
		antipodal, single float64
	}{
		{2, 0, 2.05, 9.6, 1e-3, 0.4753099, 0.4086387},
		{10, 6, 2.15, 1, 0.01, 0.0584122, 0.5547787},
		{2, 6, 2.33, 0.21, 1e-3, 0.0217789, 0.0175552},
		{2, 6, 2.33, 0.21, 0.01, 0.0677719, 0.0554702},
	} {
		d := must.Get(overlap.NewResampled(c.dim, c.beta, overlap.Softmax, 1, c.spread, overlap.Ginibre))(t)
		laws := must.Get(Uniform(d, []float64{c.horizon}, 1e-5))(t)
		antipodal, single := laws[0].Antipodal(c.tolerance), laws[0].Single(c.tolerance)
		const known = 2e-7
		if math.Abs(antipodal.Value-c.antipodal) > antipodal.Error+known ||
			math.Abs(single.Value-c.single) > single.Error+known ||
			max(antipodal.Error, single.Error) > 2e-6 {
			t.Errorf("%+v: %v and %v", c, antipodal, single)
		}
	}
}
