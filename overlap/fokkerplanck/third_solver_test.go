package fokkerplanck

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// A thirdWay computes P(Z_T ≥ 1-τ) of the hybrid model with softmax attention in the plane, from a
// uniform start. It solves the backward equation in x with dx = du/γ, in which the noise is Brownian
// motion and nothing is steep, even where attention hardly acts and times are long. The equation is
// v_t = ½v_xx + bv_x with b = m/γ - ½dγ/du, where du = m dt + γ dB. The edge of the outcome is x = 0,
// midway between two points. Errors of the Crank-Nicolson scheme after four implicit half steps, and of
// central differences, are even powers of the steps.
type thirdWay struct{ beta, epsilon, horizon, tau float64 }

// thirdReach is the extent of x on either side: e^(-reach²/2T) is negligible at the horizon of the test.
const thirdReach = 80

// single extrapolates from two steps.
func (w thirdWay) single(step float64) float64 {
	coarse, fine := w.on(step), w.on(step/2)
	return fine + (fine-coarse)/3
}

// at returns z, 1-z and the weights p and q at u = atanh z.
func (w thirdWay) at(u float64) (z, far, p, q float64) {
	far = 2 / (1 + math.Exp(2*u))
	e := math.Exp(-w.beta * far)
	return 1 - far, far, 1 / (1 + e), e / (1 + e)
}

func (w thirdWay) gamma(u float64) float64 {
	_, _, _, q := w.at(u)
	return 2 * w.epsilon * q
}

// walk returns u after a length of x, by the Runge-Kutta method.
func (w thirdWay) walk(u, length float64) float64 {
	const parts = 8
	h := length / parts
	for range parts {
		k1 := w.gamma(u)
		k2 := w.gamma(u + h/2*k1)
		k3 := w.gamma(u + h/2*k2)
		u += h / 6 * (k1 + 2*k2 + 2*k3 + w.gamma(u+h*k3))
	}
	return u
}

// points returns the u of the lattice of x.
func (w thirdWay) points(step float64) []float64 {
	n := int(math.Round(thirdReach / step))
	u := make([]float64, 2*n)
	edge := math.Atanh(1 - w.tau)
	u[n-1], u[n] = w.walk(edge, -step/2), w.walk(edge, step/2)
	for i := 1; i < n; i++ {
		u[n-1-i], u[n+i] = w.walk(u[n-i], -step), w.walk(u[n+i-1], step)
	}
	return u
}

func (w thirdWay) on(step float64) float64 {
	points := w.points(step)
	n := len(points)
	v, down, up := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, u := range points {
		z, far, p, q := w.at(u)
		gradient := w.beta * p * q * far * (1 + z) // dq/du
		drift := (2*q-2*w.epsilon*w.epsilon*p*q)/(2*w.epsilon*q) - w.epsilon*gradient
		if i > 0 && i < n-1 { // the values at the ends are constant
			down[i], up[i] = 0.5/step/step-drift/(2*step), 0.5/step/step+drift/(2*step)
		}
		if i >= n/2 {
			v[i] = 1
		}
	}
	steps := int(math.Round(w.horizon / (0.5 * step)))
	t := w.horizon / float64(steps)
	for range 4 {
		advance(v, down, up, t/2, 1)
	}
	for range steps - 2 {
		advance(v, down, up, t, 0.5)
	}
	sum := 2 / math.Pi * math.Atan(math.Exp(-points[n-1])) // starts further out
	for i, u := range points {
		sum += step * w.gamma(u) * v[i] / (math.Pi * math.Cosh(u))
	}
	return sum
}

// advance replaces v by the solution v' of v' - v = t(implicit Lv' + (1-implicit) Lv).
func advance(v, down, up []float64, t, implicit float64) {
	n := len(v)
	pivot, right := make([]float64, n), make([]float64, n)
	for i := range v {
		pivot[i], right[i] = 1+t*implicit*(down[i]+up[i]), v[i]
		if i > 0 && i < n-1 {
			right[i] += t * (1 - implicit) * (down[i]*(v[i-1]-v[i]) + up[i]*(v[i+1]-v[i]))
		}
		if i > 0 {
			factor := -t * implicit * down[i] / pivot[i-1]
			pivot[i] += factor * t * implicit * up[i-1]
			right[i] -= factor * right[i-1]
		}
	}
	v[n-1] = right[n-1] / pivot[n-1]
	for i := n - 2; i >= 0; i-- {
		v[i] = (right[i] + t*implicit*up[i]*v[i+1]) / pivot[i]
	}
}

// With strong attention the noise of opposite tokens is slower than that of equal ones by a factor
// e^(2β). A second method differed from the law by 3.7e-9 here. With steps down to 0.00625, extrapolated
// three times, the third method gives 0.114534941474.
func TestHybridOfStrongAttentionByAThirdWay(t *testing.T) {
	d := must.Get(overlap.NewHybrid(2, 20, overlap.Softmax, 1))(t)
	laws := must.Get(Uniform(d, []float64{64}, 1e-7))(t)
	got := laws[0].Single(1e-3)
	if off := math.Abs(got.Value - 0.114534941474); off > got.Error || got.Error > 2e-10 {
		t.Errorf("P(single) = %v ± %.2g is off by %.2g", got.Value, got.Error, off)
	}
	want := thirdWay{20, 1, 64, 1e-3}.single(0.1)
	if off := math.Abs(got.Value - want); off > 1e-9 {
		t.Errorf("P(single) = %v, and by a third way %v: off by %.2g", got.Value, want, off)
	}
}
