package fokkerplanck

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// backward computes P(Z_T ≤ -1+τ) from the uniform start by a second method that shares only drift and
// variance with the package. It solves the backward equation in u = atanh z, g_t = b g_u + γ²/2 g_uu, by
// central differences and Crank-Nicolson after four implicit half steps, with package math, and
// extrapolates from two grids.
func backward(d *overlap.Diffusion, dim int, horizon, tau, extent float64) float64 {
	solve := func(cells, steps int) float64 {
		threshold := 0.5 * math.Log(tau/(2-tau))
		width := -threshold / float64(cells) // so that 0 and the threshold are nodes
		n := int(extent / width)
		g, lower := make([]float64, 2*n+1), make([]float64, 2*n+1)
		diagonal, upper := make([]float64, 2*n+1), make([]float64, 2*n+1)
		for i := range g {
			switch j := i - n; {
			case j < -cells:
				g[i] = 1
			case j == -cells:
				g[i] = 0.5
			}
			u := float64(i-n) * width
			z := math.Tanh(u)
			tangent := 1 / (math.Cosh(u) * math.Cosh(u))
			if math.Abs(u) > 12 {
				z = math.Copysign(math.Tanh(12), u)
				tangent = 1 / (math.Cosh(12) * math.Cosh(12))
			}
			variance := d.Variance(z) / (tangent * tangent)
			b := d.Drift(z)/tangent + z*variance
			lower[i], upper[i] = variance/2/width/width-b/2/width, variance/2/width/width+b/2/width
			diagonal[i] = -lower[i] - upper[i]
		}
		step := func(t, implicit float64) {
			right := make([]float64, len(g))
			for i := range g {
				right[i] = g[i]
				if i > 0 && i < 2*n {
					right[i] += t * (1 - implicit) * (lower[i]*g[i-1] + diagonal[i]*g[i] + upper[i]*g[i+1])
				}
			}
			c := make([]float64, len(g))
			for i := 1; i < 2*n; i++ { // the values at the ends are constant
				a, e, f := -t*implicit*lower[i], 1-t*implicit*diagonal[i], -t*implicit*upper[i]
				if i == 1 {
					right[1] -= a * right[0]
					a = 0
				}
				e -= a * c[i-1]
				c[i], right[i] = f/e, (right[i]-a*right[i-1])/e
			}
			for i := 2*n - 1; i > 0; i-- {
				right[i] -= c[i] * right[i+1]
			}
			copy(g, right)
		}
		t := horizon / float64(steps)
		for range 4 {
			step(t/2, 1)
		}
		for range steps - 2 {
			step(t, 0.5)
		}
		sum, mass := 0.0, 0.0
		for i, v := range g {
			f := math.Pow(math.Cosh(float64(i-n)*width), float64(1-dim))
			sum, mass = sum+f*v, mass+f
		}
		return sum / mass
	}
	coarse, fine := solve(100, int(20*horizon)), solve(200, int(40*horizon))
	return fine + (fine-coarse)/3
}

func TestFiniteHorizonAgainstTheBackwardEquation(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name    string
		d       *overlap.Diffusion
		dim     int
		horizon float64
		extent  float64
	}{
		{"d=4, β=1, T=10", diffusion(t, 4, 1), 4, 10, 50},
		{"ε=1.2, T=50", must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t), 3, 50, 70},
	} {
		laws := must.Get(Uniform(c.d, []float64{c.horizon}, 1e-5))(t)
		want := backward(c.d, c.dim, c.horizon, 1e-3, c.extent)
		t.Logf("%s: %.8f, backward %.8f, error %.1g", c.name, laws[0].Antipodal(1e-3).Value, want,
			laws[0].Error)
		near(t, c.name, laws[0].Antipodal(1e-3).Value, want, 1e-5)
	}
}
