package firstpassage

import (
	"math"
	"testing"
	"time"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

// Every time is finite and computed quickly, for any dimension, masses and temperature.
func TestEveryTimeIsFinite(t *testing.T) {
	masses := rapid.Custom(func(t *rapid.T) float64 {
		return math.Exp(rapid.Float64Range(0.01, math.Log(overlap.MaxMass)).Draw(t, "log mass"))
	})
	slowest := time.Duration(0)
	draws := 0
	rapid.Check(t, func(t *rapid.T) {
		dim, beta := overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta")
		m := masses.Draw(t, "mass")
		if draws++; draws > 25 {
			return
		}
		d := must.Get(overlap.NewMasses(dim, beta, overlap.Softmax, 1, 1, m))(t)
		begin := time.Now()
		life, err := Lifetime(d)
		if err != nil || !overlaptest.IsFinite(life.Log) {
			t.Fatalf("lifetime %v, %v", life, err)
		}
		decay, err := DecayTime(d)
		slowest = max(slowest, time.Since(begin))
		if err != nil || !overlaptest.IsFinite(decay.Log) {
			t.Fatalf("decay time %v, %v", decay, err)
		}
	})
	t.Logf("the slowest took %v", slowest)
}

// A case with a steep scale: K' = 2/γ² - h'K with (22) and (23) as printed, by exponential steps from
// u = -14 in plain Python. It used 200,000 steps and extrapolation from half as many, which changes the
// 11th digit.
func TestLifetimeWhereTheScaleIsSteep(t *testing.T) {
	for _, c := range []struct {
		dim      int
		beta, m2 float64
		want     float64
	}{{100, 1, 1000, 0.007051572571470452}, {200, 3, 2, 2.995969594439396},
		{2000, 2, 30, 0.0008635807947219024}} {
		life := value(t)(Lifetime(must.Get(overlap.NewMasses(c.dim, c.beta, overlap.Softmax, 1, 1, c.m2))(t)))
		near(t, "lifetime", life, c.want, 1e-8*c.want)
	}
}

// If the barrier is high, the decay time is computed as an integral rather than an eigenvalue. There is
// no jump at the transition.
func TestDecayTimeHasNoJump(t *testing.T) {
	before := 0.0
	for beta := 10.0; beta < 16; beta += 0.25 {
		decay := must.Get(DecayTime(must.Get(overlap.NewMasses(4, beta, overlap.Softmax, 1, 1, 2))(t)))(t)
		// The growth of the logarithm tends slowly to 2 per unit of β.
		if before != 0 {
			near(t, "growth", decay.Log-before, 0.5, 0.02)
		}
		before = decay.Log
	}
}
