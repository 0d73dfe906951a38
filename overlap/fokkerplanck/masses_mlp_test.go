package fokkerplanck_test

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// unequal describes two clusters with fractions first and 1-first of the mass, under softmax attention
// and an erf MLP.
type unequal struct{ dim, beta, first, strength, variance float64 }

// coefficients returns the drift of z and half its variance, divided by 1-z², from the covariances of a
// layer's noise: κ_ij = <A_i, A_j> + cφ̂, with φ̂ by the arcsine law.
func (c unequal) coefficients(z float64) (drift, half float64) {
	far := math.Exp(-c.beta * (1 - z))
	p1 := c.first / (c.first + (1-c.first)*far)
	p2 := (1 - c.first) / (1 - c.first + c.first*far)
	q1, q2, s := 1-p1, 1-p2, 2*c.variance/(1+2*c.variance)
	k11 := p1*p1 + q1*q1 + 2*p1*q1*z + c.strength
	k22 := p2*p2 + q2*q2 + 2*p2*q2*z + c.strength
	k12 := p1*q2 + q1*p2 + (p1*p2+q1*q2)*z + c.strength*math.Asin(s*z)/math.Asin(s)
	return -0.5*(c.dim-1)*(k11+k22)*z + (c.dim-2+z*z)*k12, 0.5 * (k11 + k22 - 2*z*k12)
}

// mean returns E f(z) at a time, started at z0. It solves the backward equation in θ with z = cos θ, in
// which f is even at both ends, by the Crank-Nicolson scheme on n points with n/8 steps.
func (c unequal) mean(f func(z float64) float64, z0, time float64, n int) float64 {
	steps := n / 8
	h, dt := math.Pi/float64(n), time/float64(steps)
	v, low, main, high := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range v {
		sin, cos := math.Sincos((float64(k) + 0.5) * h)
		v[k] = f(cos)
		drift, half := c.coefficients(cos)
		first := -(drift + half*cos) / sin
		low[k], high[k] = half/(h*h)-first/(2*h), half/(h*h)+first/(2*h)
		main[k] = -low[k] - high[k]
	}
	main[0], main[n-1] = main[0]+low[0], main[n-1]+high[n-1]
	low[0], high[n-1] = 0, 0
	right, ratio := make([]float64, n), make([]float64, n)
	for range steps {
		for k := range v {
			right[k] = v[k] + 0.5*dt*main[k]*v[k]
			if k > 0 {
				right[k] += 0.5 * dt * low[k] * v[k-1]
			}
			if k < n-1 {
				right[k] += 0.5 * dt * high[k] * v[k+1]
			}
		}
		for k := range v { // Thomas' algorithm
			pivot := 1 - 0.5*dt*main[k]
			if k > 0 {
				pivot += 0.5 * dt * low[k] * ratio[k-1]
				right[k] += 0.5 * dt * low[k] * right[k-1]
			}
			ratio[k], right[k] = -0.5*dt*high[k]/pivot, right[k]/pivot
		}
		v[n-1] = right[n-1]
		for k := n - 2; k >= 0; k-- {
			v[k] = right[k] - ratio[k]*v[k+1]
		}
	}
	at := math.Acos(z0)/h - 0.5 // cubic interpolation
	k := min(max(int(at), 1), n-3)
	x := at - float64(k)
	return -x*(x-1)*(x-2)/6*v[k-1] + (x+1)*(x-1)*(x-2)/2*v[k] - (x+1)*x*(x-2)/2*v[k+1] +
		(x+1)*x*(x-1)/6*v[k+2]
}

// Means of laws at a horizon, for clusters of unequal mass with an MLP, agree to 2e-8 with a second
// solver that computes the coefficients from their definition. Without the MLP they differ by at least
// 0.018.
func TestUnequalMassesWithMLPAtAHorizon(t *testing.T) {
	const z0, time = -0.4, 0.6
	for _, c := range []unequal{{5, 1.3, 0.25, 0.7, 3}, {3, 2.1, 0.4, 0.3, 20}, {9, 0.4, 0.1, 1.6, 0.5}} {
		d := must.Get(overlap.NewMasses(int(c.dim), c.beta, overlap.Softmax, 1, c.first, 1-c.first))(t)
		alone := d
		mlp := overlap.MLP{Activation: activation.Erf, Strength: c.strength, Variance: c.variance}
		d = must.Get(d.WithMLP(mlp))(t)
		laws := must.Get(fokkerplanck.From(d, z0, []float64{time}, 1e-8))(t)
		others := must.Get(fokkerplanck.From(alone, z0, []float64{time}, 1e-6))(t)
		for name, f := range map[string]func(z float64) float64{
			"z": func(z float64) float64 { return z }, "z²": func(z float64) float64 { return z * z },
		} {
			got, other := laws[0].Expectation(f), others[0].Expectation(f)
			want := (4*c.mean(f, z0, time, 1600) - c.mean(f, z0, time, 800)) / 3
			t.Logf("%+v, mean of %s: %.9f, second solver %.9f, without the MLP %.4f", c, name, got, want,
				other)
			if !(math.Abs(got-want) <= 2e-8) {
				t.Errorf("%+v, mean of %s: %v, want %v", c, name, got, want)
			}
		}
	}
}
