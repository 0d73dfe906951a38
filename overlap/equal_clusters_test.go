package overlap

import (
	"fmt"
	"math"
	"testing"

	"antipode/sphere/must"
)

// Numerical values of the exponents, and the exponents from second moments of a layer at z = -1. A
// difference ξ of tokens at x is divided by |x + VA| and rotated, with A = (p-q)x, so that log|ξ| changes
// by -log|x+VA| - ½<ξ̂,VA>².
func TestWithin(t *testing.T) {
	for _, v := range []Covariance{Ginibre, {A: 2}, {A: 0.8, B: 0.6, C: 0.3}, {A: 1, B: -0.5, C: 0.2},
		Symmetric,
		Antisymmetric, Scalar} {
		for _, attention := range []Attention{Softmax, Unnormalized} {
			const dim, beta, sigma = 5, 0.7, 1.3
			d := must.Get(NewIsotropic(dim, beta, attention, sigma, v, 3, 3))(t)
			p, q, _, _ := weightsOf(attention, beta, -1, 1, 1)
			// Expectations of <x,Vx>², of <t,Vx>² for t orthogonal to x, and of |Vx|², from the
			// definition of the covariance.
			along, across := v.A+v.B+v.C, v.A
			square := along + (dim-1)*across
			want := sigma * sigma * (p - q) * (p - q) * (-square/2 + along - across/2)
			got, ok := d.Within()
			near(t, fmt.Sprintf("%v, %v", v, attention), got, want, 1e-13)
			if !ok {
				t.Errorf("%v: there is none", v)
			}
		}
	}
	for _, c := range []struct {
		dim               int
		beta              float64
		within, tolerance float64
	}{{4, 1.5, -1.229, 5e-4}, {6, 0.7, -0.913, 5e-4}, {4, 0, 0, 0}, {4, 1000, -1.5, 1e-15}} {
		got, _ := diffusion(t, c.dim, c.beta).Within()
		near(t, fmt.Sprint(c), got, c.within, c.tolerance)
	}
	between, _ := diffusion(t, 4, 1).Lyapunov()
	near(t, "between, d = 4, β = 1", between, -0.37004, 5e-6)
	unequal := must.Get(NewMasses(4, 1, Softmax, 1, 1, 2))(t)
	if _, ok := unequal.Within(); ok {
		t.Error("unequal clusters have an exponent")
	}
	if w, _ := diffusion(t, 4, 355).Within(); math.IsNaN(w) {
		t.Error("NaN at large β")
	}
}

// The exponent within equal clusters of the hybrid model is -L E log(1 + (1/L + εv/√L)(p-q)), evaluated
// here for large L and v = ±1.
func TestWithinHybrid(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		const beta, epsilon, depth = 0.8, 1.3, 1e8
		d := must.Get(NewHybrid(5, beta, attention, epsilon))(t)
		p, q, _, _ := weightsOf(attention, beta, -1, 1, 1)
		want := 0.0
		for _, v := range []float64{-1, 1} {
			want -= depth / 2 * math.Log1p((1/depth+epsilon*v/math.Sqrt(depth))*(p-q))
		}
		got, _ := d.Within()
		near(t, attention.String(), got, want, 1e-6)
	}
}

// A drift μ beside attention and noise of the hybrid model adds -μ(p-q) to the exponent within equal
// clusters, where p-q is tanh β with softmax and sinh β with unnormalized attention.
func TestWithinHybridWithDrift(t *testing.T) {
	const beta, epsilon, mu = 0.8, 1.3, 0.6
	for attention, contrast := range map[Attention]float64{
		Softmax: 0.6640367702678489, Unnormalized: 0.888105982187623,
	} {
		d := must.Get(must.Get(NewHybrid(5, beta, attention, epsilon))(t).WithDrift(mu))(t)
		got, ok := d.Within()
		want := 0.5*epsilon*epsilon*contrast*contrast - (1+mu)*contrast
		if near(t, attention.String(), got, want, 1e-14); !ok {
			t.Error("not known")
		}
	}
}
