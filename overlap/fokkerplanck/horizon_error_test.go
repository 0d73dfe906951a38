package fokkerplanck

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// Printed errors of laws at a horizon cover the true errors: laws with loose tolerances are compared with
// laws of a thousand times the precision, at many thresholds, for several kinds of models, masses, starts
// and times. The error of the finer law is allowed in addition.
func TestErrorOfAHorizonIsAboveTheTrueError(t *testing.T) {
	hybrid := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t)
	masses := must.Get(overlap.NewMasses(4, 1.5, overlap.Softmax, 0.7, 1, 2.5))(t)
	unnormalized := must.Get(overlap.New(5, 0.6, overlap.Unnormalized, 1.3))(t)
	for _, c := range []struct {
		name  string
		d     *overlap.Diffusion
		z0    float64 // NaN for a uniform start
		times []float64
	}{
		{"softmax", diffusion(t, 4, 1.2), math.NaN(), []float64{0.3, 4, 50}},
		{"from a point", diffusion(t, 3, 0.7), 0.35, []float64{0.02, 1, 20}},
		{"hybrid", hybrid, math.NaN(), []float64{0.5, 10, 200}},
		{"hybrid from a point", hybrid, -0.6, []float64{0.1, 3}},
		{"unequal masses", masses, -1, []float64{0.2, 5, 60}},
		{"unnormalized", unnormalized, 0.1, []float64{0.1, 2}},
	} {
		law := func(tolerance float64) (laws []Distribution, err error) {
			if math.IsNaN(c.z0) {
				return Uniform(c.d, c.times, tolerance)
			}
			return From(c.d, c.z0, c.times, tolerance)
		}
		for _, tolerance := range []float64{0.1, 1e-2} {
			loose := must.Get(law(tolerance))(t)
			fine := must.Get(law(1e-3 * tolerance))(t)
			for i, f := range loose {
				worst := 0.0
				for u := -8.0; u <= 8; u += 0.0625 {
					z := math.Tanh(u)
					worst = max(worst, math.Abs(f.Below(z).Value-fine[i].Below(z).Value))
				}
				if !(worst <= f.Error+fine[i].Error) {
					t.Errorf("%s, T = %v, tolerance %v: error %.3g, estimate %.3g, of the finer law %.3g",
						c.name, f.Time, tolerance, worst, f.Error, fine[i].Error)
				}
			}
		}
	}
}

// The error of a probability is the greatest error tabulated near its point, and beyond the table at
// least the mass that is missing there.
func TestErrorsAboutAPlace(t *testing.T) {
	f := Distribution{first: -1, width: 1, cumulative: []float64{0.25, 0.5, 0.875},
		uncertainty: []float64{0.01, 0.02, 0.03}}
	for _, c := range []struct{ u, want float64 }{
		{-3, 0.25}, {-1, 0.02}, {-0.5, 0.02}, {0, 0.03}, {0.5, 0.03}, {1, 0.03}, {3, 0.125},
	} {
		near(t, "error", f.below(c.u).Error, c.want, 0)
	}
}

// Times so far apart that the permitted work suffices for only one grid: nothing is then known of the
// error, which is 1.9e-8 at the last time.
func TestOneGridAloneIsNotTrusted(t *testing.T) {
	laws := must.Get(From(diffusion(t, 4, 1), 0.2, []float64{1e-7, 1e3}, 1e-5))(t)
	for _, law := range laws {
		if law.Error != 1 {
			t.Errorf("T = %v: error %v, want 1", law.Time, law.Error)
		}
	}
}
