package overlap

import (
	"math"
	"testing"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/overlaptest"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

// Beyond the edge lies e^-40 of the uniform start, whose density in u is that of z times dz/du = 1-z².
func TestUniformStart(t *testing.T) {
	for _, dim := range []int{2, 3, 10, 10000} {
		start := line.Uniform(dim)
		near(t, "log density at the edge", math.Log(start.Density(line.Of(start.Edge))), -40, 1e-9)
		for _, u := range []float64{-2, -0.1, 0, 0.3, 5} {
			want := math.Pow(math.Cosh(u), float64(1-dim))
			near(t, "density of the uniform start", start.Density(line.Of(u)), want, 1e-12*want)
		}
	}
}

// With a starting density equal to the scale density, T is 1 minus the distribution function, so that its
// average over the start is one half. Here both densities are sech u.
func TestAverageOfItself(t *testing.T) {
	s := diffusion(t, 2, 0).Line().Scale()
	sum := average{tail: s.Tail(20, math.Inf(1)).Mass}
	h, f := quadrature.Panel{Start: 20, Width: -3}, [quadrature.Order]float64{}
	for h.Start > -20 {
		h.Shorten(h.Start + 20)
		sum.fit(&h, &f, &s, line.Uniform(2))
		sum.add(&h, &f)
		h.Advance()
	}
	near(t, "tail", sum.tail*2*math.Exp(-20), math.Pi, 1e-8)
	near(t, "weight", sum.weight, math.Pi, 2e-8)
	near(t, "average", sum.weighted/sum.weight/sum.tail, 0.5, 1e-8)
}

func antipodalUniform(t *rapid.T, dim int, beta float64) Probability {
	d := must.Get(New(dim, beta, Softmax, 1))(t)
	p := d.AntipodalUniform()
	checkProbability(t, p)
	return p
}

func TestUniformMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim, beta := overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta")
		p := antipodalUniform(t, dim, beta)
		notAbove(t, antipodalUniform(t, rapid.IntRange(dim, 10000).Draw(t, "greater dim"), beta), p)
		notAbove(t, p, antipodalUniform(t, dim, rapid.Float64Range(beta, MaxBeta).Draw(t, "greater beta")))
	})
}

func BenchmarkAntipodalUniform(b *testing.B) {
	benchmark(b, func(d *Diffusion) { d.AntipodalUniform() })
}
