package fokkerplanck

import (
	"math"
	"slices"
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

// The error of a law is the sum of those of cells and steps, of the domain, of rounding, of interpolation,
// and half of what it falls where it should not, and is at most 1.
func TestErrorOfALaw(t *testing.T) {
	const n = 40
	s := solution{grid: grid{first: -2, width: 0.1, nodes: n, middle: n / 2}}
	add := func(law []float64, uncertainty float64) {
		s.laws = append(s.laws, law)
		s.uncertainty = append(s.uncertainty, slices.Repeat([]float64{uncertainty}, n-1))
	}
	constant := func() []float64 { return slices.Repeat([]float64{0.5}, n-1) }
	falls, bent := constant(), constant()
	falls[n/2] -= 0.25
	for j := n / 2; j < n-1; j++ {
		bent[j] = 0.75
	}
	add(constant(), 0.01)
	add(constant(), 0.7)
	add(falls, 0.02)
	add(bent, 0.04)
	add(constant(), 0.9) // of a derivative
	laws := s.distributions([]float64{1, 2, 3, 4}, []float64{0.03, 0.35, 0.125, 0.0625, 0.9})
	if len(laws) != 4 || laws[0].Time != 1 || laws[3].Time != 4 {
		t.Fatalf("%+v", laws)
	}
	near(t, "error", laws[0].Error, 0.04+1e-10, 1e-12)
	near(t, "greatest error", laws[1].Error, 1, 0)
	// A step of 0.25 is interpolated with an error of up to about half of it, of which a 32nd is left; where
	// the law falls by 0.25 it takes the middle, so that the step is half of that.
	near(t, "error of a law that falls", laws[2].Error, 0.145+0.125+0.125/2/32, 0.125/4/32)
	near(t, "error of a law with a step", laws[3].Error, 0.1025+0.25/2/32, 0.25/4/32)
	for i, want := range []float64{0.5, 0.5, 0.375, 0.5} {
		if got := laws[i].cumulative[0]; got != want || !slices.IsSorted(laws[i].cumulative) {
			t.Errorf("law %d: from %v, want %v, %v", i, got, want, laws[i].cumulative)
		}
	}
}

// Extrapolation removes errors of the second and fourth power of the cells' width. What is left between the
// edges of the coarsest grid is the error of interpolation. Its estimate is added to the uncertainty of the
// finest solution, is at least two thirds of the true error everywhere, and at most a hundred times as large.
func TestUncertaintyOfAnExtrapolation(t *testing.T) {
	exact := func(x float64) float64 { return 0.5 + 0.4*math.Tanh(x) }
	const ofSteps = 0.003
	var solutions []solution
	g := grid{first: -10, width: 0.5, nodes: 41, middle: 20}
	for k := range 3 {
		s := solution{grid: g, laws: [][]float64{nil}, uncertainty: [][]float64{nil}}
		for j := range g.nodes - 1 {
			x, square := g.node(j)+0.5*g.width, g.width*g.width
			off := square * math.Exp(-x*x/3) * (0.2*math.Sin(x) + 0.1*square*math.Cos(x))
			s.laws[0] = append(s.laws[0], exact(x)+off)
			s.uncertainty[0] = append(s.uncertainty[0], []float64{0.9, 0.7, ofSteps}[k])
		}
		solutions, g = append(solutions, s), g.divide(3)
	}
	got := extrapolate(solutions)
	greatest, estimate := 0.0, 0.0
	for j, v := range got.laws[0] {
		x := got.grid.node(j) + 0.5*got.grid.width
		off, more := math.Abs(v-exact(x)), got.uncertainty[0][j]-ofSteps
		if j%9 == 8 && off > 1e-14 {
			t.Errorf("off by %.2g at a common edge", off)
		}
		if !(1.5*more+1e-15 >= off) {
			t.Errorf("at %.3f the law is off by %.3g, estimated %.3g", x, off, more)
		}
		greatest, estimate = max(greatest, off), max(estimate, more)
	}
	if !(greatest > 1e-8 && estimate < 100*greatest) {
		t.Errorf("off by up to %.3g, estimated %.3g", greatest, estimate)
	}
	if alone := extrapolate(solutions[:1]); !slices.Equal(alone.laws[0], solutions[0].laws[0]) ||
		!slices.Equal(alone.uncertainty[0], solutions[0].uncertainty[0]) {
		t.Errorf("one solution becomes %v", alone)
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
