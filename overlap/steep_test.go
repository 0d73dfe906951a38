package overlap

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The Lyapunov exponent of the antipodal pair is that of its formula where the slope h' is steeper than a
// scale density can be: in the hybrid model e^(-β) - ½ε² with unnormalized attention, and 2q (1 - ε²p) with
// softmax.
func TestLyapunovOfASteepScale(t *testing.T) {
	for _, beta := range []float64{110, 120, 150, 200, 330, 700, MaxBeta} {
		d := must.Get(NewHybrid(3, beta, Unnormalized, 1))(t)
		exponent, ok := d.Lyapunov()
		near(t, "unnormalized", exponent, math.Exp(-beta)-0.5, 1e-12)
		if !ok {
			t.Errorf("β = %v: no exponent", beta)
		}
	}
	q := 1 / (1 + math.Exp(2))
	for _, epsilon := range []float64{1e-45, 2e-50, 1e-52, 1e-100, 1e-160, 5e-324} {
		exponent, _ := must.Get(NewHybrid(3, 1, Softmax, epsilon))(t).Lyapunov()
		near(t, "softmax", exponent, 2*q, 1e-14)
	}
	for _, beta := range []float64{100, 150, 200, 330, 700} {
		for covariance, want := range map[Covariance]float64{Scalar: -0.5, {A: 1, B: -1, C: 0.2}: 0.9} {
			exponent, _ := must.Get(NewIsotropic(3, beta, Unnormalized, 1, covariance, 1, 1))(t).Lyapunov()
			near(t, "covariance", exponent, want, 1e-12)
		}
	}
	for _, beta := range []float64{100, 150, 330} {
		exponent, _ := must.Get(NewResampled(3, beta, Unnormalized, 1, 0.1, Scalar))(t).Lyapunov()
		near(t, "random scores", exponent, -0.5, 0.05)
	}
}

// An MLP beside the hybrid model adds its own exponent, however steep the slope h' of the hybrid model.
func TestBlockBesideASteepScale(t *testing.T) {
	mlp := MLP{activation.Tanh, 1, 4}
	for _, beta := range []float64{50, 100, 116, 118, 150, 330} {
		d := must.Get(must.Get(NewHybrid(12, beta, Unnormalized, 10))(t).WithMLP(mlp))(t)
		exponent, ok := d.Lyapunov()
		near(t, "with an MLP", exponent, -48.24769538953, 1e-9)
		if d.MinusOne() != Attracting || !ok {
			t.Errorf("β = %v: %v, %v", beta, d.MinusOne(), ok)
		}
	}
}

// The clock is refused where float64 does not hold the drift as the product of a variance and a slope, and
// drift and variance agree with the product elsewhere.
func TestClockOfASteepScale(t *testing.T) {
	for beta, runs := range map[float64]bool{100: true, 200: true, 330: true} {
		d := must.Get(NewIsotropic(3, beta, Unnormalized, 1, Scalar, 1, 1))(t).Line()
		if err := d.CheckClock(); (err == nil) != runs {
			t.Errorf("β = %v: %v", beta, err)
		}
		for _, z := range []float64{-1, -0.99, -0.5} {
			at := line.At(z)
			near(t, "γ²h'", d.Variance(at)*d.Slope(at)/d.Pull(at), 1, 1e-9)
		}
	}
	// The drift of noise across all directions does not vanish with the weight of the other token.
	strong := must.Get(NewIsotropic(5, 400, Softmax, 1e147, Symmetric, 1, 1))(t).Line()
	near(t, "γ²h' at -1", strong.Variance(line.At(-1))*strong.Slope(line.At(-1))/strong.Pull(line.At(-1)), 1,
		1e-12)
	if must.Get(NewHybrid(3, 60, Unnormalized, 1e-140))(t).Line().CheckClock() == nil {
		t.Error("a variance that underflows")
	}
	if must.Get(NewHybrid(3, 20, Unnormalized, 1))(t).Line().CheckScale(-20, 20) != nil {
		t.Error("a scale that is not steep")
	}
	steep := must.Get(NewHybrid(3, 150, Unnormalized, 1))(t).Line()
	if steep.CheckScale(0.5, 20) != nil {
		t.Error("a part of a scale that is not steep")
	}
	if steep.CheckScale(20, -20) == nil {
		t.Error("a scale that is too steep")
	}
}

// A stationary density that is too steep for its panels is refused, and does not take memory without end.
func TestSteepStationaryLaw(t *testing.T) {
	longtest.Only(t)
	hybrid := must.Get(NewHybrid(12, 50, Unnormalized, 10))(t)
	d := must.Get(hybrid.WithMLP(MLP{activation.Tanh, 1000, 40}))(t)
	if d.MinusOne() != NonAttracting || d.PlusOne() != NonAttracting {
		t.Fatalf("ends %v, %v", d.MinusOne(), d.PlusOne())
	}
	if _, ok := d.Stationary(); ok {
		t.Error("a law")
	}
}

// Where the constant term of attraction vanishes, as for B = -A and C = A(d-1), the slope h' at -1 is -A/C,
// also where the attention weight of the other token is below the least ratio that is computed with.
func TestSlopeWithoutAttraction(t *testing.T) {
	for _, beta := range []float64{1, 100, 200, 400, 800} {
		d := must.Get(NewIsotropic(3, beta, Softmax, 1, Covariance{A: 1, B: -1, C: 2}, 1, 1))(t)
		near(t, "h'", d.Line().Slope(line.At(-1)), -0.5, 1e-12)
	}
}
