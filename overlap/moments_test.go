package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// momentsOf returns κ₁₁ and κ₁₂ for softmax attention with σ = 1 and an MLP, as a user would write them.
func momentsOf(t *testing.T, beta, c, w float64, a activation.Activation) Moments {
	t.Helper()
	phi := must.Get(activation.NewCorrelation(a, w))(t)
	return func(z float64) (own, shared float64) {
		r := math.Exp(-beta * (1 - z))
		p, q := 1/(1+r), r/(1+r)
		return p*p + q*q + 2*p*q*z + c, (p*p+q*q)*z + 2*p*q + c*phi.At(z)
	}
}

// The built-in block agrees with the same block given by its moments: ends, probabilities, coefficients,
// and the stationary law when neither end attracts. The sums near the ends reach the points where the
// moments cancel, at 1-|z| = 1e-12.
func TestMomentsAreTheBuiltInBlock(t *testing.T) {
	for _, c := range []struct {
		dim            int
		beta, c, w     float64
		a              activation.Activation
		sigma, allowed float64
	}{
		{4, 1.5, 0.5, 1, activation.Linear, 1, 1e-10}, {5, 1.2, 0.7, 3, activation.Erf, 1.3, 1e-10},
		{4, 1.5, 0.5, 4, activation.Tanh, 0.8, 1e-10}, {12, 0.5, 5, 36, activation.Tanh, 1, 1e-9},
		{2, 0.4, 0.3, 2, activation.Sin, 1.1, 1e-10}, {6, 2, 0.2, 1, activation.ReLU, 0.9, 1e-8},
		{7, 2.2, 0.4, 2.5, activation.GELU, 1, 1e-9},
	} {
		want := must.Get(must.Get(New(c.dim, c.beta, Softmax, c.sigma))(t).WithMLP(
			MLP{c.a, c.sigma * c.sigma * c.c, c.w}))(t)
		got := must.Get(NewKernel(c.dim, momentsOf(t, c.beta, c.c, c.w, c.a), c.sigma))(t)
		if got.MinusOne() != want.MinusOne() || got.PlusOne() != want.PlusOne() {
			t.Errorf("%+v: ends %v, %v", c, got.MinusOne(), got.PlusOne())
		}
		near(t, "P(antipodal)", got.AntipodalUniform().Value, want.AntipodalUniform().Value, c.allowed)
		near(t, "drift at -1", got.Drift(-1), want.Drift(-1), 1e-12)
		for _, z := range []float64{-1 + 1e-12, -0.999, -0.7, 0.1, 0.95, 1 - 1e-6, 1 - 1e-12} {
			near(t, "variance", got.Variance(z)/want.Variance(z), 1, c.allowed)
			near(t, "scale", got.LogScaleDensity(z), want.LogScaleDensity(z), 100*c.allowed)
		}
		if law, exists := want.Stationary(); exists {
			same, _ := got.Stationary()
			near(t, "mean", same.Mean(), law.Mean(), c.allowed)
		}
		exponent, ok := got.Lyapunov()
		expected, invariant := want.Lyapunov()
		if near(t, "exponent", exponent, expected, 100*c.allowed); ok != invariant {
			t.Errorf("%+v: exponent of an end: %v", c, ok)
		}
	}
}

// An MLP adds to custom moments as it adds to attention.
func TestMomentsBesideAnMLP(t *testing.T) {
	both := must.Get(NewKernel(5, momentsOf(t, 1.1, 0.9, 2, activation.Sin), 1))(t)
	attention := must.Get(NewKernel(5, momentsOf(t, 1.1, 0, 1, activation.Linear), 1))(t)
	sum := must.Get(attention.WithMLP(MLP{activation.Sin, 0.9, 2}))(t)
	near(t, "P(antipodal)", sum.AntipodalUniform().Value, both.AntipodalUniform().Value, 1e-10)
	if _, err := attention.WithDrift(0.3); err != errNoAttention {
		t.Error(err)
	}
}

func TestMomentsAreRefused(t *testing.T) {
	of := func(f func(z float64) float64) Moments { // κ₁₂, with κ₁₁ = 1
		return func(z float64) (own, shared float64) { return 1, f(z) }
	}
	for want, f := range map[string]Moments{
		"κ₁₂ = 0.5 at overlap 1 are not allowed: they must be equal": of(func(z float64) float64 {
			return 0.5 * z
		}),
		"κ₁₂ = -1.5 at overlap -1 are": of(func(z float64) float64 { return min(1, 1.5*z) }),

		"κ₁₁ = NaN": func(float64) (a, b float64) { return math.NaN(), 1 },
		"κ₁₁ = 0, ": func(float64) (a, b float64) { return 0, 0 },

		"κ₁₂ = 1 at overlap -0.96875": of(func(float64) float64 { return 1 }),
		"near overlap -1 are not allowed: they must be smooth": of(func(z float64) float64 {
			return math.Copysign(1-math.Pow(1-math.Abs(z), 1.26), z)
		}),
	} {
		if _, err := NewKernel(4, f, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Moments with κ₁₂'(±1) = (d-1)/(d-3) have the slope 0 at both ends, which therefore do not attract. A
// derivative that is smaller by 3e-8 makes them attract. The derivative of sinh(bz)/sinh(b) at ±1 is b coth
// b.
func TestMomentsAtTheThreshold(t *testing.T) {
	for _, c := range []struct {
		less float64
		want Boundary
	}{{0, NonAttracting}, {3e-8, Attracting}, {-3e-8, NonAttracting}} {
		const b = 1.9150080481545375 // b coth b = 2
		d := must.Get(NewKernel(5, Moments(func(z float64) (own, shared float64) {
			shared = math.Sinh(b*z) / math.Sinh(b)
			return 1, shared + 0.5*c.less*z*(1-z*z)
		}), 1))(t)
		if d.MinusOne() != c.want || d.PlusOne() != c.want {
			t.Errorf("%v: ends %v and %v, want %v", c.less, d.MinusOne(), d.PlusOne(), c.want)
		}
		for _, end := range []line.End{d.Line().Minus, d.Line().Plus} {
			if (end.Slope == 0) != (c.less == 0) {
				t.Errorf("%v: slope %v", c.less, end.Slope)
			}
		}
	}
}
