package finitedepth

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// logMean returns E log R for a sum R of squares of independent normal variables, by Frullani's integral
//
//	∫ (e^-t - E e^-tR) dt/t,
//
// in which a variable with mean m and variance v contributes a factor (1+2tv)^-½ exp(-tm²/(1+2tv)).
func logMean(means, variances []float64) float64 {
	const step = 0.01
	sum := 0.0
	for x := -40.0; x < 40; x += step { // x is log t
		t := math.Exp(x)
		exponent := 0.0
		for k, m := range means {
			spread := 1 + 2*t*variances[k]
			exponent -= t*m*m/spread + 0.5*math.Log(spread)
		}
		sum += step * (math.Exp(-t) - math.Exp(exponent))
	}
	return sum
}

// Near z = +1 attention is the same for both tokens, so V = s and U = e + hXe. Then |P_U^⊥ V|² is 1 minus
// the square of the component along s of U's direction, and the exponent is a difference of two mean
// logarithms.
func TestLyapunovOfOneClusterUnderACovariance(t *testing.T) {
	for _, c := range []struct {
		dim, depth int
		v          overlap.Covariance
	}{
		{4, 1, overlap.Covariance{A: 0.92, B: 0.27, C: 0.16}},
		{5, 2, overlap.Covariance{A: 0.7, B: -0.2, C: 0.3}},
		{7, 10, overlap.Covariance{A: 1.1, B: 0.5, C: -0.1}},
	} {
		const sigma = 0.8
		r := Isotropic{Dim: c.dim, Beta: 1.3, Sigma: sigma, Covariance: c.v, Depth: c.depth}
		g := must.Get(r.Single())(t)
		got, printed := g.Lyapunov()
		noise := sigma * sigma / float64(c.depth)
		means, variances := make([]float64, c.dim), make([]float64, c.dim)
		for k := range variances {
			variances[k] = noise * c.v.A
		}
		means[0], variances[0] = 1, noise*(c.v.A+c.v.B+c.v.C)
		last := c.dim - 1 // along s
		want := 0.5*logMean(means[:last], variances[:last]) - logMean(means, variances)
		near(t, "λ", got, want, printed)
	}
}
