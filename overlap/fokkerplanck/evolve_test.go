package fokkerplanck

import (
	"math"
	"strings"
	"testing"
	"time"

	"antipode/overlap"
	"antipode/sphere/must"
)

func TestFiniteHorizon(t *testing.T) {
	hybrid := func(epsilon float64) *overlap.Diffusion {
		return must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, epsilon))(t)
	}
	none := math.NaN()
	for _, c := range []struct {
		name              string
		d                 *overlap.Diffusion
		time              float64
		antipodal, single float64
		accuracy          float64
	}{
		{"d=4, β=1.5, T=50", diffusion(t, 4, 1.5), 50, 0.22271, none, 0.6e-5},
		{"d=4, β=1, T=10", diffusion(t, 4, 1), 10, 0.11047, 0.85556, 0.6e-5},
		{"d=8, β=2, T=50", diffusion(t, 8, 2), 50, 0.12093, none, 0.6e-5},
		{"d=5, β=0.9, T=500", diffusion(t, 5, 0.9), 500, 0.0081722, none, 0.6e-7},
		{"ε=1.2, T=50", hybrid(1.2), 50, 0.43648, 0.27317, 0.6e-5},
		{"ε=1.2, T=500", hybrid(1.2), 500, 0.71702, none, 0.6e-5},
		{"ε=1.3, T=50", hybrid(1.3), 50, 0.78013, 0.12382, 0.6e-5},
	} {
		begin := time.Now()
		laws := must.Get(Uniform(c.d, []float64{c.time}, 1e-5))(t)
		f := laws[0]
		a, s := f.Antipodal(1e-3), f.Single(1e-3)
		t.Logf("%s: %.9f %.9f, error %.1g, %d points, %v", c.name, a.Value, s.Value, f.Error,
			len(f.cumulative), time.Since(begin))
		near(t, c.name+": antipodal", a.Value, c.antipodal, max(c.accuracy, f.Error))
		if c.single == c.single {
			near(t, c.name+": single", s.Value, c.single, c.accuracy)
		}
	}
}

// A tolerance that cannot be reached, here for a stiff law, does not reduce the accuracy.
func TestEvolutionWithAToleranceOutOfReach(t *testing.T) {
	d := must.Get(overlap.NewHybrid(3, 1.75, overlap.Unnormalized, 0.8))(t)
	laws, err := Uniform(d, []float64{50}, 1e-5)
	if err != nil || laws[0].Error > 1e-3 {
		t.Errorf("error %v of the law, %v", laws[0].Error, err)
	}
}

func TestEvolutionIsRefused(t *testing.T) {
	d := diffusion(t, 3, 1)
	one := []float64{1}
	great := must.Get(overlap.New(3, 400, overlap.Unnormalized, 1))(t)
	for name, err := range map[string]error{
		"z0 = 2 ":                  fails(From(d, 2, one, 1e-5)),
		"no time":                  fails(From(d, 0, nil, 1e-5)),
		"time -1 ":                 fails(Uniform(d, []float64{-1}, 1e-5)),
		"time 1e+16 ":              fails(Uniform(d, []float64{1e16}, 1e-5)),
		"time 1 ":                  fails(Uniform(d, []float64{1, 1}, 1e-5)),
		"time NaN ":                fails(Uniform(d, []float64{math.NaN()}, 1e-5)),
		"tolerance 0 ":             fails(Uniform(d, one, 0)),
		"tolerance 0.11 ":          fails(Uniform(d, one, 0.11)),
		"unnormalized attention: ": fails(From(great, 0, one, 1e-5)),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %q", err, name)
		}
	}
}

func fails(_ []Distribution, err error) error { return err }

// Three tokens, a cluster of two and a single one, do not stay antipodal. The simulation of the recursion
// at depth 100 agrees within its standard errors and the effect of that depth.
func TestUnequalMassesDecay(t *testing.T) {
	d := must.Get(overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2))(t)
	begin := time.Now()
	laws := must.Get(From(d, -1, []float64{100, 400, 500}, 1e-5))(t)
	a, b, c := laws[0].Below(0).Value, laws[1].Below(0).Value, laws[2].Below(0).Value
	decay := 100 / math.Log(b/c)
	t.Logf("P(Z < 0) = %.8f, %.8f, %.8f: decay time %.4f, error %.1g, %v", a, b, c, decay, laws[2].Error,
		time.Since(begin))
	near(t, "decay time", decay, 101.3, 0.2)
}

// Distribution functions increase from 0 to 1. Without attention in two dimensions the law from 0 is
// symmetric. An overlap that starts at an end stays there.
func TestEvolutionConserves(t *testing.T) {
	for _, d := range []*overlap.Diffusion{diffusion(t, 2, 0), diffusion(t, 3, 2),
		must.Get(overlap.NewMasses(2, 3, overlap.Unnormalized, 1, 1, 5))(t),
		must.Get(overlap.NewHybrid(9, 2, overlap.Unnormalized, 0.5))(t)} {
		laws := must.Get(From(d, 0, []float64{0.5, 2}, 1e-3))(t)
		for _, f := range laws {
			before := 0.0
			for i, p := range f.cumulative {
				if !(p >= before && p <= 1) {
					t.Fatalf("distribution function %v after %v at u = %v", p, before, f.edge(i))
				}
				before = p
			}
			if all := f.Below(1).Value; all != 1 {
				t.Errorf("mass %v", all)
			}
		}
	}
	laws, _ := From(diffusion(t, 2, 0), 0, []float64{3}, 1e-5)
	near(t, "P(Z ≤ 0)", laws[0].Below(0).Value, 0.5, 1e-5)
	for z0, antipodal := range map[float64]float64{-1: 1, 1: 0} {
		laws, _ = From(diffusion(t, 3, 1), z0, []float64{3}, 1e-5)
		if a, s := laws[0].Antipodal(1e-9).Value, laws[0].Single(1e-9).Value; a != antipodal ||
			s != 1-antipodal {
			t.Errorf("from %v: %v, %v", z0, a, s)
		}
	}
}

// One implicit step conserves mass to 1e-13, apart from weights of up to 900, and keeps it positive, for
// rates from 1 to 1e40: the smallest terms must not be lost in the largest.
func TestStepConserves(t *testing.T) {
	d := must.Get(overlap.NewMasses(3, 12, overlap.Softmax, 1, 1, 2))(t)
	c := newChain(d.Line(), grid{first: inverseSinhMap(-d.Line().Minus.Reach), width: 0.02, nodes: 900},
		scharfetterGummel)
	mass := make([]float64, 900)
	mass[0], mass[500] = 0.5, 0.5
	for range 100 {
		c.step(mass, 3)
	}
	sum := 0.0
	for i, m := range mass {
		if !(m > 0) {
			t.Fatalf("mass %v at node %d", m, i)
		}
		sum += m
	}
	near(t, "mass", sum, 1, 1e-11)
	near(t, "x/(e^x-1) at 0", bernoulli(0), 1, 0)
}

// The law at long times is that of the scale function.
func TestEvolutionEndsAtTheScale(t *testing.T) {
	d := diffusion(t, 4, 1.5)
	laws := must.Get(Uniform(d, []float64{400}, 1e-6))(t)
	near(t, "P(antipodal)", laws[0].Antipodal(1e-3).Value, d.AntipodalUniform().Value, 2e-6)
}

// On the circle the probability to become antipodal from z is ½ - (arcsin z)/π: ⅔ from -½, and ⅓ from ½. A
// law with too much mass at one side violates the mean ½ by what is too much.
func TestMartingaleViolation(t *testing.T) {
	e := martingaleConstraint{diffusion(t, 2, 1), 0.5}
	low, high := math.Atanh(-0.5), math.Atanh(0.5)
	for _, c := range []struct{ antipodal, single, want float64 }{
		{0.9, 0, 0.1}, {0, 0.9, 0.1}, {0.75, 0, 0}, {0, 0.75, 0}, {0.7, 0.1, 0}, {0.8, 0.2, 0.1 / 3},
	} {
		near(t, "violation", e.violation(low, high, c.antipodal, c.single), c.want, 1e-12)
	}
}
