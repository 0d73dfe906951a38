package firstpassage

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func block(t *testing.T, dim int, beta, m float64, mlp overlap.MLP) *overlap.Diffusion {
	t.Helper()
	return must.Get(must.Get(overlap.NewMasses(dim, beta, overlap.Softmax, 1, 1, m))(t).WithMLP(mlp))(t)
}

// The time in which the mean overlap comes closer to its stationary value by a factor e agrees with the
// Fokker-Planck equation at two late times, with and without an eigenvalue below the continuous spectrum.
// The final law is the stationary one.
func TestRelaxationAgainstFokkerPlanck(t *testing.T) {
	for _, c := range []struct {
		dim     int
		beta, m float64
		mlp     overlap.MLP
		edge    bool
	}{
		{12, 0.5, 1, overlap.MLP{Activation: activation.Tanh, Strength: 5, Variance: 36}, false},
		{8, 0.3, 1, overlap.MLP{Activation: activation.Hermite3, Strength: 9, Variance: 1}, true},
		{10, 0.5, 3, overlap.MLP{Activation: activation.Sin, Strength: 9, Variance: 6}, false},
	} {
		d := block(t, c.dim, c.beta, c.m, c.mlp)
		s, ok := d.Stationary()
		if !ok {
			t.Fatal("no stationary law")
		}
		relaxation, ok := RelaxationTime(d)
		if !ok {
			t.Fatalf("%+v: no relaxation time", c)
		}
		times := []float64{4 * relaxation.Value, 6 * relaxation.Value, 40 * relaxation.Value}
		laws := must.Get(fokkerplanck.From(d, -0.5, times, 1e-8))(t)
		mean := s.Mean()
		var left [3]float64
		for k, law := range laws {
			left[k] = law.Expectation(func(z float64) float64 { return z }) - mean
		}
		fallen := math.Log(left[0] / left[1])
		if c.edge { // a continuum above the edge contributes a factor t^(-3/2)
			fallen -= 1.5 * math.Log(times[1]/times[0])
		}
		got := (times[1] - times[0]) / fallen
		if !(math.Abs(got/relaxation.Value-1) <= 0.02) {
			t.Errorf("%+v: %.6g, and the mean falls at %.6g", c, relaxation.Value, got)
		}
		if !(math.Abs(left[2]) <= 1e-5) {
			t.Errorf("%+v: the mean in the end is off by %.2g", c, left[2])
		}
		t.Logf("%+v: relaxation %.6g, from the law %.6g; mean %.8g, in the end off by %.1g, errors %.1g", c,
			relaxation.Value, got, mean, left[2], laws[2].Error)
	}
}

func TestNoRelaxation(t *testing.T) {
	d := block(t, 5, 2, 1, overlap.MLP{Activation: activation.ReLU, Strength: 0.3, Variance: 1})
	if _, ok := RelaxationTime(d); ok {
		t.Error("a relaxation time although +1 attracts")
	}
	third := block(t, 12, 0.5, 2, overlap.MLP{Activation: activation.Tanh, Strength: 5, Variance: 36})
	if decay, err := DecayTime(third); err != nil || !math.IsInf(decay.Value, 1) {
		t.Errorf("decay time %v, %v although +1 does not attract", decay, err)
	}
}

// The lifetime of an antipodal pair under a ReLU MLP grows as the MLP becomes weaker, and agrees with the
// double integral of scale and speed by a simple rule.
func TestLifetimeUnderReLU(t *testing.T) {
	before := 0.0
	for _, c := range []float64{0.1, 0.03, 0.01} {
		d := block(t, 5, 2, 1, overlap.MLP{Activation: activation.ReLU, Strength: c, Variance: 1})
		life := must.Get(Lifetime(d))(t)
		decay, err := DecayTime(d)
		if err != nil || decay.Value < life.Value*0.9 || life.Value < before {
			t.Errorf("c = %g: lifetime %v, decay time %v, %v", c, life, decay, err)
		}
		before = life.Value
		want := plainLifetime(d)
		if !(math.Abs(life.Value/want-1) <= 1e-4) {
			t.Errorf("c = %g: lifetime %.8g, want %.8g", c, life.Value, want)
		}
		t.Logf("c = %g: lifetime %.6g, decay time %.6g", c, life.Value, decay.Value)
	}
}

// plainLifetime integrates s ∫ 2/(variance s) in y = √(1+z) from 0 to 1 on equal cells.
func plainLifetime(d *overlap.Diffusion) float64 {
	const cells = 40000
	h, speed, life := 0.0, 0.0, 0.0 // h = ∫ 2 drift/variance dz
	for k := range cells {
		y := (float64(k) + 0.5) / cells
		z, step := y*y-1, 2*y/cells
		slope, variance := 2*d.Drift(z)/d.Variance(z), d.Variance(z)
		half := 0.5 * slope * step
		middle := math.Exp(h + half)
		speed += 0.5 * step * 2 / variance * middle
		life += step * speed / middle
		speed += 0.5 * step * 2 / variance * middle
		h += 2 * half
	}
	return life
}
