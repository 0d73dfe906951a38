package fokkerplanck

import (
	"fmt"
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// Laws at a horizon under other value matrices agree with the second solver, which computes the drift and
// the variance of u = atanh z from p and q. For multiples of the identity these are those of the hybrid
// model without its drift 2q.
func TestLawsUnderCovariances(t *testing.T) {
	noise := func(a, b, c float64) *overlap.Covariance { return &overlap.Covariance{A: a, B: b, C: c} }
	for _, c := range []struct {
		pair          plainPair
		z0            float64
		horizon, edge float64
	}{
		{plainPair{dim: 5, beta: 1.2, noise: noise(0.8, 0.6, 0.3)}, math.NaN(), 3, -0.99},
		{plainPair{dim: 4, beta: 0.7, noise: noise(1, -0.5, 0.2), unnormalized: true}, 0.2, 1, 0.5},
		{plainPair{dim: 3, beta: 0.9, noise: noise(0, 0, 1)}, 0.3, 4, -0.5},
	} {
		p := c.pair
		p.m1, p.m2 = 1, 1
		attention := overlap.Softmax
		if p.unnormalized {
			attention = overlap.Unnormalized
		}
		d := must.Get(overlap.NewIsotropic(p.dim, p.beta, attention, 1, *p.noise, 1, 1))(t)
		u0 := math.Atanh(c.z0)
		laws, err := Uniform(d, []float64{c.horizon}, 1e-7)
		if c.z0 == c.z0 {
			laws, err = From(d, c.z0, []float64{c.horizon}, 1e-7)
		}
		if err != nil {
			t.Fatal(err)
		}
		// The error is of second order in both steps; extrapolated, it is about 5e-7.
		const cells, pace = 500, 0.012
		coarse, fine := p.solve(u0, math.Atanh(c.edge), c.horizon, cells, pace),
			p.solve(u0, math.Atanh(c.edge), c.horizon, 2*cells, pace/2)
		got, want := laws[0].Below(c.edge).Value, fine+(fine-coarse)/3
		near(t, fmt.Sprintf("%v, d = %d", *p.noise, p.dim), got, want, 1e-6)
	}
}

// At β = 0 scalar noise moves u by a Brownian motion with drift: du = ε dB - ½ε² dt.
func TestScalarNoiseWithoutAttention(t *testing.T) {
	const epsilon, horizon, z0 = 1.3, 2.5, 0.4
	d := must.Get(overlap.NewIsotropic(4, 0, overlap.Softmax, epsilon, overlap.Scalar, 1, 1))(t)
	laws := must.Get(From(d, z0, []float64{horizon}, 1e-9))(t)
	for _, z := range []float64{-0.999, -0.5, 0.3, 0.99} {
		x := (math.Atanh(z) - math.Atanh(z0) + epsilon*epsilon*horizon/2) / (epsilon * math.Sqrt(horizon))
		near(t, fmt.Sprintf("P(Z ≤ %v)", z), laws[0].Below(z).Value, math.Erfc(-x/math.Sqrt2)/2, 1e-8)
	}
}
