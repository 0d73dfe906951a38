package propagation

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

var activations = []Activation{ReLU, Tanh, Erf, GELU}

// phi returns φ and its derivative, computed with package math.
func phi(a Activation, x float64) (value, slope float64) {
	density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
	switch a {
	case ReLU:
		return max(x, 0), (1 + math.Copysign(1, x)) / 2
	case Tanh:
		c := math.Cosh(x)
		return math.Tanh(x), 1 / (c * c)
	case Erf:
		return math.Erf(x), 2 / math.Sqrt(math.Pi) * math.Exp(-x*x)
	}
	cumulative := math.Erfc(-x/math.Sqrt2) / 2
	return x * cumulative, cumulative + x*density
}

// onPairs returns E f(x)f(y) for a smooth f, by the trapezoidal rule in two independent normal variables.
// The rule converges like e^(-2π·strip/h) in its step h, which is chosen such that the error is below
// 1e-13 for the q of the tests.
func onPairs(q, p float64, f func(float64) float64) float64 {
	const bound = 8.5
	h := 0.22 / math.Sqrt(max(q, 1))
	n := int(bound / h)
	root := math.Sqrt(q)
	rho := p / q
	across := math.Sqrt((q-p)*(q+p)) / q
	total := 0.0
	for i := -n; i <= n; i++ {
		z := h * float64(i)
		inner := 0.0
		for j := -n; j <= n; j++ {
			e := h * float64(j)
			inner += math.Exp(-e*e/2) * f(root*(rho*z+across*e))
		}
		total += math.Exp(-z*z/2) * f(root*z) * inner
	}
	return total * h * h / (2 * math.Pi)
}

// onWedge returns E f(x)f(y) for f = max(x, 0)^k, which is homogeneous. In polar coordinates the integral
// over the radius is 1/π (k = 1) or 1/2π (k = 0). The angle runs over the wedge in which both are
// positive, where Gauss-Legendre quadrature is exact to rounding.
func onWedge(q, p float64, k int) float64 {
	theta := math.Acos(p / q)
	if k == 0 {
		return (math.Pi - theta) / (2 * math.Pi)
	}
	f := func(a float64) float64 { return math.Cos(a) * math.Cos(a-theta) }
	return q / math.Pi * quad.Fixed(f, theta-math.Pi/2, math.Pi/2, 40, quad.Legendre{}, 0)
}

func reference(a Activation, q, p float64) (kernel, slope float64) {
	if a == ReLU {
		return onWedge(q, p, 1), onWedge(q, p, 0)
	}
	kernel = onPairs(q, p, func(x float64) float64 { v, _ := phi(a, x); return v })
	return kernel, onPairs(q, p, func(x float64) float64 { _, d := phi(a, x); return d })
}

// Closed forms agree with quadrature.
func TestKernelsAgainstQuadrature(t *testing.T) {
	for _, a := range activations {
		worst, worstSlope := 0.0, 0.0
		for _, q := range []float64{0.01, 0.3, 1, 2.5, 6.35} {
			for _, rho := range []float64{-1, -0.9, -0.3, 0, 1e-6, 0.2, 0.5, 0.8, 0.99, 0.999999, 1} {
				kernel, slope := reference(a, q, rho*q)
				worst = max(worst, math.Abs(a.Kernel(q, rho*q)-kernel))
				worstSlope = max(worstSlope, math.Abs(a.Slope(q, rho*q)-slope))
			}
		}
		t.Logf("%v: kernel within %.1e, slope within %.1e", a, worst, worstSlope)
		if !(worst < 1e-12) {
			t.Errorf("%v: the kernel is off by %.2g", a, worst)
		}
		if !(worstSlope < 1e-9) || a != ReLU && !(worstSlope < 1e-12) { // arccos of the reference near ±1
			t.Errorf("%v: the slope is off by %.2g", a, worstSlope)
		}
	}
}

// On the complete domain, kernels are finite, bounded symmetrically, increasing in p, and odd for odd φ.
func TestKernelBounds(t *testing.T) {
	for _, a := range activations {
		for _, q := range []float64{0, 1e-300, 1e-12, 1e-3, 1, 30, 1e4, 1e8, 1e12} {
			top, before := a.Kernel(q, q), math.Inf(-1)
			for k := range 201 {
				rho := float64(k-100) / 100
				got, slope := a.Kernel(q, rho*q), a.Slope(q, rho*q)
				small := 1e-13 * (1 + q)
				if !(got <= top+small) || !(got >= -top-small) || !(slope <= a.Slope(q, q)*(1+1e-12)) ||
					math.IsNaN(slope) {
					t.Errorf("%v(%g, %g·q) = %g, slope %g; at p = q %g", a, q, rho, got, slope, top)
				}
				if a != GELU || rho > 0 {
					if !(got >= before-small) || !(slope >= 0) {
						t.Errorf("%v(%g, %g·q) = %g, after %g, slope %g", a, q, rho, got, before, slope)
					}
				}
				before = got
				if odd := a == Tanh || a == Erf; odd && !(math.Abs(got+a.Kernel(q, -rho*q)) <= 1e-15) {
					t.Errorf("%v(%g, %g·q) is not odd", a, q, rho)
				}
			}
		}
	}
}

// For large q, tanh and erf tend to the sign function, and GELU tends to ReLU.
func TestKernelLimits(t *testing.T) {
	for _, rho := range []float64{-0.7, 0, 0.4, 0.95} {
		sign := 2 / math.Pi * math.Asin(rho)
		for _, a := range []Activation{Tanh, Erf} {
			if got := a.Kernel(1e14, rho*1e14); !(math.Abs(got-sign) <= 1e-6) {
				t.Errorf("%v at ρ = %g: %g, want %g", a, rho, got, sign)
			}
		}
		if got, want := GELU.Kernel(1e8, rho*1e8), ReLU.Kernel(1e8, rho*1e8); !(math.Abs(got/want-1) <=
			1e-6) {
			t.Errorf("gelu at ρ = %g: %g, want %g", rho, got, want)
		}
	}
}

func BenchmarkKernel(b *testing.B) {
	for _, a := range activations {
		b.Run(a.String(), func(b *testing.B) {
			for b.Loop() {
				a.Kernel(1.3, 0.7)
			}
		})
	}
}
