package activation

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/must"
)

// squaresOf returns 2(1+z) and 2(1-z) for overlaps at all distances from both ends.
func squaresOf(r *rand.Rand) (s, d float64) {
	small := 2 * math.Exp(-60*math.Pow(r.Float64(), 3))
	if r.IntN(2) == 0 {
		return small, 4 - small
	}
	return 4 - small, small
}

// The table agrees with Shares: own + shared and own - shared. Where the latter is a difference of large
// numbers, it agrees with At. The errors for tanh are those of its own table.
func TestTableHasTheShares(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 1))
	for a := range Names {
		for _, w := range []float64{0.7, 4, 36} {
			c := correlationOf(t, Activation(a), w)
			table, worst := c.Table(), 0.0
			for range 20_000 {
				s, d := squaresOf(r)
				own, shared := c.Shares(0.5 * math.Log(s/d))
				wantPlus, wantMinus := own+shared, own-shared
				if at := 0.25 * (s - d); at < 0 && !c.Odd() {
					wantPlus, wantMinus = (1+c.At(at))/(0.5*s), (1-c.At(at))/(1-at)
				}
				plus, minus := table.at(s, d)
				worst = max(worst, math.Abs(plus/wantPlus-1), math.Abs(minus/wantMinus-1))
			}
			if !(worst < 2e-14) {
				t.Errorf("%v, w = %v: relative error %v", Activation(a), w, worst)
			}
		}
	}
}

// Polynomials agree with the function that they interpolate, even for variances that make it steep.
// Errors above 5e-15 are due to the interpolated function, for tanh and for GELU at the largest variance.
func TestTableInterpolates(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 2))
	for a := range Names {
		for _, w := range []float64{LeastVariance, 0.7, 300, LargestVariance} {
			c := correlationOf(t, Activation(a), w)
			table, worst := c.Table(), 0.0
			for range 20_000 {
				s, d := squaresOf(r)
				plus, minus := table.at(s, d)
				got, want := minus, c.nearOne(min(s, d))
				switch {
				case s < d && c.Odd():
					got = plus
				case s < d:
					got, want = plus, c.nearMinusOne(s)/s
				}
				worst = max(worst, math.Abs(got/want-1))
			}
			if !(worst < 4e-14) {
				t.Errorf("%v, w = %v: relative error %v", Activation(a), w, worst)
			}
		}
	}
}

// At the ends the table has the limits 1 and the slope of φ̂, and at z = 0, from either side, 1 ± φ̂(0).
func TestTableAtTheEnds(t *testing.T) {
	for a := range Names {
		c := correlationOf(t, Activation(a), 4)
		near := func(got, want float64) bool { return math.Abs(got-want) < 1e-13*want || got == want }
		for _, d := range []float64{0, 0x1p-300, 0x1p-120} {
			if plus, minus := c.Table().at(4, d); !near(plus, 1) || !near(minus, c.Slope()) {
				t.Errorf("%v, d = %v: %v, %v", Activation(a), d, plus, minus)
			}
			wantPlus, wantMinus := 2*c.Opposite()/d, 0.5*(2-c.Opposite())
			if c.Odd() {
				wantPlus, wantMinus = c.Slope(), 1
			}
			if plus, minus := c.Table().at(d, 4); !near(plus, wantPlus) || !near(minus, wantMinus) {
				t.Errorf("%v, s = %v: %v, %v, want %v, %v", Activation(a), d, plus, minus, wantPlus,
					wantMinus)
			}
		}
		for _, s := range []float64{2, 2 - 0x1p-52, 2 + 0x1p-51} {
			plus, minus := c.Table().at(s, 2)
			other, _ := c.Table().at(2, s)
			if !near(plus, 1+c.At(0)) || !near(minus, 1-c.At(0)) || !near(other, 1+c.At(0)) {
				t.Errorf("%v, s = %v: %v, %v, %v", Activation(a), s, plus, minus, other)
			}
		}
	}
}

func correlationOf(t *testing.T, a Activation, w float64) *Correlation {
	t.Helper()
	c := must.Get(NewCorrelation(a, w))(t)
	return c
}
