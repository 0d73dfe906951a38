package propagation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/must"
)

func cross(t testing.TB, tokens, deviation, rho float64) float64 {
	t.Helper()
	y := must.Get(CrossParticipation(tokens, deviation, rho))(t)
	return y
}

// Two tokens: an integral over two correlated differences of scores.
func TestCrossOfTwoTokens(t *testing.T) {
	for _, s := range []float64{0.05, 0.7, 2, 5} {
		for _, rho := range []float64{0, 1e-3, 0.3, 0.9, 0.999} {
			h := 0.2 / max(1, s)
			share := func(z float64) float64 { return 1 / (1 + math.Exp(-math.Sqrt2*s*z)) }
			want := overNormal(h, func(z float64) float64 {
				return overNormal(h, func(e float64) float64 {
					a, b := share(z), share(rho*z+math.Sqrt(1-rho*rho)*e)
					return a*b + (1-a)*(1-b)
				})
			})
			near(t, "cross participation", cross(t, 2, s, rho), want, 1e-10)
		}
	}
}

// 4.5 standard errors in 4 comparisons: a false alarm in 1e5.
func TestCrossAgainstSampling(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct{ tokens, s, rho float64 }{{20, 1.5, 0.6}, {20, 4, 0.95}, {300, 3, 0.05},
		{300, 5, 0.7}} {
		want := cross(t, c.tokens, c.s, c.rho)
		sum, square := 0.0, 0.0
		const n = 4000
		for range n {
			var first, second, both float64
			for range int(c.tokens) {
				g, e := r.NormFloat64(), r.NormFloat64()
				a, b := math.Exp(c.s*g), math.Exp(c.s*(c.rho*g+math.Sqrt(1-c.rho*c.rho)*e))
				first, second, both = first+a, second+b, both+a*b
			}
			y := both / (first * second)
			sum, square = sum+y, square+y*y
		}
		mean := sum / n
		near(t, "cross participation", want, mean, 4.5*math.Sqrt((square/n-mean*mean)/n))
	}
}

// The result increases from 1/T to Y2 and is convex in ρ, as it is a power series with positive
// coefficients. For ρ < 1 it vanishes as T grows.
func TestCrossBounds(t *testing.T) {
	for _, tokens := range []float64{2, 200, 1e5} {
		for _, s := range []float64{0, 1e-6, 0.3, 0.5, 2} {
			top := finiteRow(t, tokens, s).Y2
			var y []float64
			for _, rho := range []float64{0, 0.25, 0.5, 0.75, 1} {
				y = append(y, cross(t, tokens, s, rho))
			}
			near(t, "at ρ = 0", y[0], 1/tokens, 1e-15)
			near(t, "at ρ = 1", y[4], top, 1e-12)
			for k := 1; k < 4; k++ {
				if y[k] < y[k-1]-1e-10 || y[k+1]-2*y[k]+y[k-1] < -1e-10 {
					t.Errorf("T = %g, s = %g: %v", tokens, s, y)
				}
			}
			near(t, "near ρ = 1", cross(t, tokens, s, 1-1e-13), top, 1e-10)
			near(t, "near ρ = 0", cross(t, tokens, s, 1e-13), 1/tokens, 1e-10)
		}
	}
	before := 1.0
	for _, tokens := range []float64{1e2, 1e4, 1e6} {
		y := cross(t, tokens, ScoreDeviation(2, tokens, 1, 0.3), 0.3)
		if y > before/2 {
			t.Errorf("T = %g: %g, before %g", tokens, y, before)
		}
		before = y
	}
}

func TestCrossErrors(t *testing.T) {
	for _, c := range [][3]float64{{1, 1, 0.5}, {1e10, 1, 0.5}, {10, 31, 0.5}, {10, -1, 0.5}, {10, 1, -0.1},
		{10, 1, 1.1}, {10, 1, math.NaN()}} {
		if _, err := CrossParticipation(c[0], c[1], c[2]); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}

func BenchmarkCrossParticipation(b *testing.B) {
	for _, rho := range []float64{0.001, 0.5} {
		b.Run(fmt.Sprint(rho), func(b *testing.B) {
			for b.Loop() {
				CrossParticipation(512, 5, rho)
			}
		})
	}
}
