package finitedepth

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// Reference values with 32 digits (mpmath) from a different formula. U is split into its component along
// s, a normal variable, and the norm of the rest, a noncentral χ, in polar coordinates. The trapezoidal
// rule is applied to both. E log χ² is computed from its Laplace transform, and powers of χ² from the
// confluent hypergeometric function.
//
// A Lundberg exponent of 0 means that there is none, or that it is too close to dim/2 for that rule. The
// errors that Lyapunov and Lundberg state were measured here; the largest for λ was 2e-11.
func TestFiniteDepthAgainstTheReference(t *testing.T) {
	for _, c := range []struct {
		single        bool
		dim           int
		beta          float64
		attention     overlap.Attention
		depth         int
		lambda, kappa float64
	}{
		{false, 2, 1, overlap.Softmax, 1, -0.4823881315113751396, 0.384405716351181112},
		{false, 2, 0.3, overlap.Softmax, 1_000_000, -5.4243231692214555705e-7, 0.5},
		{false, 3, 1, overlap.Softmax, 10, -0.058965906213323418982, 0.355755649332269545},
		{false, 4, 0.66, overlap.Softmax, 1000, -1.3103864093211900857e-6, 0.000982257627507826126},
		{false, 4, 1.5, overlap.Softmax, 100, -0.0072050749612512170499, 0.399669453321459042},
		{false, 10, 3, overlap.Unnormalized, 100, -0.053723176216418653093, 0.461318671866356768},
		{false, 30, 0, overlap.Softmax, 1, 1.6831772455806826333, 0},
		{false, 100, 3, overlap.Softmax, 1, -0.00016734183758840716895, 0.016484924106885873},
		{false, 1000, 5, overlap.Softmax, 100, -0.00041407611812413215907, 0.416894824836042457},
		{false, 10_000, 8, overlap.Softmax, 10, -0.000049782605601049798848, 0.497751879981152902},
		{true, 2, 0, overlap.Softmax, 1, -0.768269413211, 0},
		{true, 4, 0, overlap.Softmax, 100, -0.014974480112846855363, 1.48972976988275732},
		{true, 100, 3, overlap.Unnormalized, 10, -4.151474562807150442, 0},
	} {
		layer := Antipodal
		if c.single {
			layer = Single
		}
		l := must.Get(layer(c.dim, c.beta, c.attention, 1, c.depth))(t)
		lambda := l.Lyapunov()
		t.Logf("%+v: λ off by %.1e", c, lambda-c.lambda)
		near(t, "lyapunov", lambda, c.lambda, max(1e-12, min(3e-11, 1e-11*float64(c.dim)/float64(c.depth))))
		if c.kappa > 0 {
			kappa, _ := l.Lundberg()
			t.Logf("κ off by %.1e of it", kappa/c.kappa-1)
			near(t, "Lundberg exponent", kappa, c.kappa, 1e-9*c.kappa+1e-14*float64(c.dim)/math.Abs(lambda))
		}
	}
}
