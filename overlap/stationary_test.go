package overlap

import (
	"math"
	"testing"

	"antipode/sphere/activation"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// If neither end attracts, the mean overlap is the long-time limit of the Fokker-Planck equation.
func TestStationaryMean(t *testing.T) {
	d := withMLP(t, 12, 0.5, activation.Tanh, 5, 36)
	s, ok := d.Stationary()
	if !ok || d.PlusOne() != NonAttracting || d.MinusOne() != NonAttracting {
		t.Fatalf("ends %v, %v; stationary law: %v", d.MinusOne(), d.PlusOne(), ok)
	}
	near(t, "mean", s.Mean(), 0.26873201, 5e-9)
}

// Density, distribution function and mean agree with a direct integral of exp(∫ 2
// drift/variance)/variance.
func TestStationaryAgainstIntegral(t *testing.T) {
	for _, c := range []struct {
		dim     int
		beta    float64
		a       activation.Activation
		c, w, m float64
	}{
		{12, 0.5, activation.Tanh, 5, 36, 1}, {8, 0.2, activation.Hermite3, 9, 4, 1},
		{9, 1, activation.ReLU, 30, 1, 1},
		{10, 0.5, activation.Sin, 9, 6, 3},
	} {
		masses := must.Get(NewMasses(c.dim, c.beta, Softmax, 1, 1, c.m))(t)
		d := must.Get(masses.WithMLP(MLP{c.a, c.c, c.w}))(t)
		s, ok := d.Stationary()
		if c.a == activation.ReLU {
			if ok || d.PlusOne() != Attracting {
				t.Errorf("a stationary law although +1 is %v", d.PlusOne())
			}
			continue
		}
		if !ok {
			t.Fatalf("%+v: no stationary law", c)
		}
		weight := func(z float64) float64 {
			rise := quad.Fixed(func(y float64) float64 { return 2 * d.Drift(y) / d.Variance(y) }, -0.5, z, 60,
				quad.Legendre{}, 0)
			return math.Exp(rise) / d.Variance(z)
		}
		between := quad.Fixed(weight, -0.5, 0.6, 60, quad.Legendre{}, 0)
		if want := s.Below(0.6) - s.Below(-0.5); !(math.Abs(weight(0.2)/between-s.Density(0.2)/want) <=
			1e-9) {
			t.Errorf("%+v: density %v, want %v", c, s.Density(0.2)/want, weight(0.2)/between)
		}
		part := quad.Fixed(weight, -0.5, 0.1, 60, quad.Legendre{}, 0) / between
		if got := (s.Below(0.1) - s.Below(-0.5)) / (s.Below(0.6) - s.Below(-0.5)); !(math.Abs(got-part) <=
			1e-9) {
			t.Errorf("%+v: distribution function %v, want %v", c, got, part)
		}
		near(t, "whole mass", s.Expectation(func(float64) float64 { return 1 }), 1, 1e-12)
		near(t, "P(Z ≤ -1)", s.Below(-1), 0, 0)
		near(t, "P(Z ≤ 1)", s.Below(1), 1, 0)
		// In the stationary law the generator has mean 0; applied to z it is the drift.
		near(t, "mean drift", s.Expectation(d.Drift), 0, 1e-9)
	}
}

func TestNoStationaryLaw(t *testing.T) {
	flow := must.Get(NewHybrid(4, 1, Softmax, 0))(t)
	if _, ok := flow.Stationary(); ok {
		t.Error("a flow to +1 has a stationary law")
	}
	if _, ok := diffusion(t, 4, 1).Stationary(); ok {
		t.Error("an overlap that converges has a stationary law")
	}
	threshold := must.Get(NewHybrid(4, 1, Unnormalized, math.Sqrt(2*math.Exp(-1))))(t)
	if _, ok := threshold.Stationary(); ok {
		t.Error("a diffusion at its threshold has a stationary law")
	}
}
