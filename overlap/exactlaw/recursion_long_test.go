//go:build long

package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/fokkerplanck"
	"antipode/sphere/must"
)

// As the depth grows, the law tends to that of the diffusion with an error of order 1/L: L times the
// difference tends to a constant. Checked for equal and unequal masses, from a uniform start and from a
// given overlap.
func TestLawTendsToThatOfTheDiffusion(t *testing.T) {
	const horizon, tolerance, z0 = 3.0, 1e-2, -0.4
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m2        float64
	}{{4, 1.1, overlap.Softmax, 1}, {3, 0.3, overlap.Unnormalized, 1}, {3, 1.2, overlap.Softmax, 2}} {
		d := must.Get(overlap.NewMasses(c.dim, c.beta, c.attention, 1, 1, c.m2))(t)
		for _, given := range []bool{false, true}[:3-int(c.m2)] {
			laws, err := fokkerplanck.Uniform(d, []float64{horizon}, 1e-7)
			if given {
				laws, err = fokkerplanck.From(d, z0, []float64{horizon}, 1e-7)
			}
			if err != nil {
				t.Fatal(err)
			}
			limit := laws[0].Single(tolerance).Value
			var scaled []float64
			for _, depth := range []int{50, 100, 200} {
				r := recursion(t, c.dim, c.beta, c.attention, 1, 1, c.m2, depth)
				law := func() (Outcomes, error) { return r.Uniform(int(horizon)*depth, tolerance, 1e-6) }
				if given {
					law = func() (Outcomes, error) { return r.From(z0, int(horizon)*depth, tolerance, 1e-6) }
				}
				o := must.Get(law())(t)
				scaled = append(scaled, float64(depth)*(o.Single.Value-limit))
			}
			first, second := scaled[1]-scaled[0], scaled[2]-scaled[1]
			if !(math.Abs(scaled[2]) > 0.05 && math.Abs(second) < 0.05*math.Abs(scaled[2]) &&
				math.Abs(second) < 0.7*math.Abs(first)+0.02) {
				t.Errorf("%+v, given overlap %v: L times the difference to the limit %v is %v", c, given,
					limit, scaled)
			}
		}
	}
}

// Masses may be exchanged and have any unit. An overlap of 1 does not change; -1 does not change for
// equal masses only. For unequal masses β = 0 agrees with a β close to 0.
func TestLawOfSpecialCases(t *testing.T) {
	law := func(beta, m1, m2 float64) Outcomes {
		return uniform(t, recursion(t, 3, beta, overlap.Softmax, 1, m1, m2, 20), 60, 1e-5)
	}
	x, y := law(1, 3, 1), law(1, 0.5, 1.5)
	near(t, "P(single) of exchanged masses", x.Single.Value, y.Single.Value, 1e-11)
	a, b := law(0, 1, 2), law(1e-9, 1, 2)
	near(t, "P(single) at β = 0", a.Single.Value, b.Single.Value, 1e-7)
	equal, unequal := recursion(t, 3, 1, overlap.Softmax, 1, 2, 2, 20), recursion(t, 3, 1, overlap.Softmax, 1,
		1, 2, 20)
	for _, c := range []struct {
		r                 *Recursion
		z0                float64
		antipodal, single float64
	}{{equal, -1, 1, 0}, {equal, 1, 0, 1}, {unequal, 1, 0, 1}} {
		o, err := c.r.From(c.z0, 60, 1e-3, 1e-6)
		if err != nil || o.Antipodal.Value != c.antipodal || o.Single.Value != c.single {
			t.Errorf("from %v: %v, %v", c.z0, o, err)
		}
	}
	left := must.Get(unequal.From(-1, 60, 1e-3, 1e-5))(t)
	beside, err := unequal.From(-1+1e-13, 60, 1e-3, 1e-5)
	if err != nil || !(math.Abs(left.Single.Value-beside.Single.Value) <= 1e-7) ||
		!(left.Antipodal.Value < 0.9) {
		t.Errorf("from -1 %v, from beside it %v, %v", left, beside, err)
	}
	if o, err := equal.From(0.9995, 0, 1e-3, 1e-6); err != nil || o.Single.Value != 1 ||
		o.Antipodal.Value != 0 {
		t.Errorf("no layers: %v, %v", o, err)
	}
}

// Estimated errors cover the true errors, judged by the greatest effort, in all regimes: small and large
// depth, few and many layers, softmax and unnormalized attention, several masses, and the hybrid model.
func TestErrorsOfTheLaw(t *testing.T) {
	unnormalized, softmax := overlap.Unnormalized, overlap.Softmax
	for name, c := range map[string]struct {
		r      *Recursion
		layers int
	}{
		"shallow":      {recursion(t, 4, 1.1, softmax, 1, 1, 1, 5), 100},
		"plane":        {recursion(t, 2, 0.4, softmax, 1, 1, 1, 12), 60},
		"deep":         {recursion(t, 6, 1.5, softmax, 1, 1, 1, 200), 4000},
		"unnormalized": {recursion(t, 4, 1.5, unnormalized, 1, 1, 1, 20), 40},
		"masses":       {recursion(t, 4, 1, softmax, 1, 1, 2, 20), 100},
		"hybrid":       {hybridOf(t, 3, 1, softmax, 1.2, finitedepth.Rademacher, 30), 300},
	} {
		best := c.r.solver.lastEffort() - 2
		want := must.Get(c.r.solver.outcomes(problem{nil, c.layers, 1e-3}, best))(t)
		for _, accuracy := range []float64{1e-3, 1e-6} {
			o := uniform(t, c.r, c.layers, accuracy)
			for _, p := range []struct {
				got  overlap.Probability
				want float64
			}{{o.Antipodal, want.antipodal.Value}, {o.Single, want.single.Value}} {
				if off := math.Abs(p.got.Value - p.want); off > p.got.Error || p.got.Error > accuracy {
					t.Errorf("%s, accuracy %v: %v off by %.2g, estimated %.2g", name, accuracy, p.got.Value,
						off,
						p.got.Error)
				}
			}
		}
	}
}
