package activation

import (
	"math"
	"testing"

	"antipode/sphere/must"
)

// mean returns E f(g) over a standard normal g, by the trapezoidal rule, with a node at a possible kink
// at 0.
func mean(f func(g float64) float64) float64 {
	const step, bound = 1.0 / 128, 12
	sum := f(0)
	for k := 1; k <= bound/step; k++ {
		g := step * float64(k)
		sum += math.Exp(-g*g/2) * (f(g) + f(-g))
	}
	return sum * step / math.Sqrt(2*math.Pi)
}

// onPairs returns φ̂(z) by the trapezoidal rule in two independent normal variables.
func onPairs(a Activation, w, z float64) float64 {
	step, root, across := 0.2/math.Sqrt(max(w, 1)), math.Sqrt(w), math.Sqrt((1-z)*(1+z))
	n := int(9 / step)
	sum, squares := 0.0, 0.0
	for i := -n; i <= n; i++ {
		g := step * float64(i)
		first, _ := phi(a, root*g)
		inner := 0.0
		for j := -n; j <= n; j++ {
			h := step * float64(j)
			second, _ := phi(a, root*(z*g+across*h))
			inner += math.Exp(-h*h/2) * second
		}
		sum += math.Exp(-g*g/2) * first * inner * step / math.Sqrt(2*math.Pi)
		squares += math.Exp(-g*g/2) * first * first
	}
	return sum / squares
}

// onWedge returns φ̂(z) for ReLU. In polar coordinates it is the mean of the product of two cosines over
// the angles at which both are positive, computed by Simpson's rule.
func onWedge(z float64) float64 {
	angle, sum := math.Acos(z), 0.0
	const parts = 4000
	width := (math.Pi - angle) / parts
	for k := range parts + 1 {
		a := angle - math.Pi/2 + width*float64(k)
		weight := 2 + 2*float64(k%2)
		if k == 0 || k == parts {
			weight = 1
		}
		sum += weight * math.Cos(a) * math.Cos(a-angle)
	}
	return sum * width / 3 * 2 / math.Pi
}

func correlation(t *testing.T, a Activation, w float64) *Correlation {
	t.Helper()
	c := must.Get(NewCorrelation(a, w))(t)
	return c
}

// Closed forms and the table of tanh agree with quadrature in two variables.
func TestCorrelationsAgainstQuadrature(t *testing.T) {
	for _, a := range all {
		for _, w := range []float64{0.05, 1, 6} {
			c, worst := correlation(t, a, w), 0.0
			for _, z := range []float64{-1, -0.97, -0.6, -0.1, 0, 0.25, 0.5, 0.9, 0.999, 1} {
				want := onWedge(z)
				if a != ReLU {
					want = onPairs(a, w, z)
				}
				worst = max(worst, math.Abs(c.At(z)-want))
			}
			if !(worst < 1e-12) {
				t.Errorf("%v, w = %g: off by %.2g", a, w, worst)
			}
		}
	}
}

// Moments and slopes agree with their definitions.
func TestMomentsAndSlopes(t *testing.T) {
	for _, a := range all {
		for _, w := range []float64{1e-3, 0.4, 1, 4, 36} {
			c := correlation(t, a, w)
			moment := mean(func(g float64) float64 { v, _ := phi(a, math.Sqrt(w)*g); return v * v })
			slope := w * mean(func(g float64) float64 {
				_, d := phi(a, math.Sqrt(w)*g)
				return d * d
			}) / moment
			opposite := mean(func(g float64) float64 {
				v, _ := phi(a, math.Sqrt(w)*g)
				minus, _ := phi(a, -math.Sqrt(w)*g)
				return v * (v + minus)
			}) / moment
			if math.Abs(c.Moment()/moment-1) > 1e-12 || math.Abs(c.Slope()/slope-1) > 1e-12 ||
				math.Abs(c.Opposite()-opposite) > 1e-12 {
				t.Errorf("%v, w = %g: moment %.15g, slope %.15g, opposite %.15g; want %.15g, %.15g, %.15g", a,
					w, c.Moment(), c.Slope(), c.Opposite(), moment, slope, opposite)
			}
		}
	}
}

// hermite returns the squared Hermite coefficients of φ(√w g), divided by their sum.
func hermite(a Activation, w float64) []float64 {
	const terms = 80
	squares, total := make([]float64, terms), 0.0
	products := map[float64][]float64{} // of φ and the polynomials of unit norm, at each node
	at := func(g float64) []float64 {
		if products[g] == nil {
			v, _ := phi(a, math.Sqrt(w)*g)
			before, now := 0.0, 1.0
			for j := range terms {
				products[g] = append(products[g], v*now)
				n := float64(j)
				before, now = now, (g*now-math.Sqrt(n)*before)/math.Sqrt(n+1)
			}
		}
		return products[g]
	}
	for k := range squares {
		c := mean(func(g float64) float64 { return at(g)[k] })
		squares[k] = c * c
		total += c * c
	}
	for k := range squares {
		squares[k] /= total
	}
	return squares
}

// Near the ends, where 1-φ̂ suffers cancellation, the shares agree with the series in squared Hermite
// coefficients, in which each power is divided by 1-z² before summation.
func TestSharesAgainstSeries(t *testing.T) {
	for _, a := range []Activation{Linear, Tanh, Erf, Sin, GELU, Hermite3} {
		const w = 0.25
		c, squares := correlation(t, a, w), hermite(a, w)
		for _, u := range []float64{-22, -9, -3, -1, -1e-3, 0, 0.4, 1, 3, 9, 22} {
			own, shared := 0.0, 0.0
			z, tanh := math.Tanh(u), math.Exp(-2*math.Abs(u))
			below := 4 * tanh / ((1 + tanh) * (1 + tanh)) // 1-z²
			for k, square := range squares {
				// (1-z^(k+1))/(1-z²) and (z^k-z)/(1-z²).
				whole, odd := 0.0, 0.0
				for j := 0; j+1 < k+1; j += 2 {
					whole += math.Pow(z, float64(j))
				}
				for j := 1; j+1 < k; j += 2 {
					odd += math.Pow(z, float64(j))
				}
				if k%2 == 0 {
					whole += math.Pow(z, float64(k)) * (1 - z) / below
					odd = (math.Pow(z, float64(k)) - z) / below
					if z > 0 {
						whole = geometric(z, k+1) / (1 + z)
						odd = 1 / (1 + z)
						if k > 0 {
							odd = -z * geometric(z, k-1) / (1 + z)
						}
					}
				} else {
					odd = -odd
				}
				own += square * whole
				shared += square * odd
			}
			gotOwn, gotShared := c.Shares(u)
			if !(math.Abs(gotOwn-own) <= 1e-12*own) || !(math.Abs(gotShared-shared) <= 1e-12*own) {
				t.Errorf("%v, u = %g: %.15g, %.15g; want %.15g, %.15g", a, u, gotOwn, gotShared, own, shared)
			}
		}
	}
}

// geometric returns 1 + z + … + z^(n-1).
func geometric(z float64, n int) float64 {
	sum := 0.0
	for j := range n {
		sum += math.Pow(z, float64(j))
	}
	return sum
}

// Shares and values agree, also for ReLU and for rough activations.
func TestSharesAgainstValues(t *testing.T) {
	for _, a := range all {
		for _, w := range []float64{1e-4, 1, 36, 1e4} {
			c := correlation(t, a, w)
			for _, u := range []float64{-4, -2, -0.5, 0, 0.5, 2, 4} {
				z := math.Tanh(u)
				own, shared := c.Shares(u)
				tangent := (1 - z) * (1 + z)
				if !(math.Abs(own*tangent-1+z*c.At(z)) <= 1e-13) ||
					!(math.Abs(shared*tangent-c.At(z)+z) <= 1e-13) {
					t.Errorf("%v, w = %g, u = %g: shares %g, %g and value %g", a, w, u, own, shared, c.At(z))
				}
			}
			own, shared := c.Shares(c.Reach())
			limit, pull := c.Shares(c.Reach() + 5)
			if math.Abs(own/limit-1) > 1e-14 || math.Abs(shared-pull) > 1e-14*limit ||
				math.Abs(limit-(1+c.Slope())/2) > 1e-13*limit {
				t.Errorf("%v, w = %g: the limits %g, %g are not reached: %g, %g", a, w, limit, pull, own,
					shared)
			}
		}
	}
}

// The series for small angles agrees with the closed form where they meet.
func TestSegment(t *testing.T) {
	for _, angle := range []float64{0.5, 0.49, 0.3} {
		sine, cosine := math.Sincos(angle)
		if got := segment(angle, sine, cosine); !(math.Abs(got/(sine-angle*cosine)-1) <= 1e-14) {
			t.Errorf("%g at %g", got, angle)
		}
	}
}

// Slopes that are known to four decimals from the mathematics.
func TestSlopesOfReference(t *testing.T) {
	for _, c := range []struct {
		Activation
		w, want float64
	}{{Tanh, 1, 1.1778}, {Tanh, 4, 1.6116}, {Sin, 1, 1.3130}, {Erf, 1, 1.2257}, {ReLU, 3, 1}, {Linear, 7,
		1}} {
		if got := correlation(t, c.Activation, c.w).Slope(); !(math.Abs(got-c.want) <= 5e-5) {
			t.Errorf("%v, w = %g: %.6f, want %.4f", c.Activation, c.w, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		Activation
		w    float64
		want string
	}{
		{Activation(7), 1, "Activation(7) is not allowed: it must be one of " +
			"[linear tanh erf sin relu gelu hermite3]"},
		{Tanh, 0, "variance 0 of pre-activations is not allowed: it must be from 0.0001 to 10000"},
		{Tanh, math.NaN(), "variance NaN of pre-activations is not allowed: it must be from 0.0001 to 10000"},
	} {
		if _, err := NewCorrelation(c.Activation, c.w); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
