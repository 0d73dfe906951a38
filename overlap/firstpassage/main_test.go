package firstpassage

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

var (
	everyAttention = rapid.SampledFrom([]overlap.Attention{overlap.Softmax, overlap.Unnormalized})
	everyBeta      = overlaptest.Betas(overlap.MaxBeta)
	everyEpsilon   = overlaptest.Epsilons(overlap.MaxEpsilon)
)

// everyMass generates masses other than 1.
func everyMass(t *rapid.T, name string) float64 {
	return math.Exp(rapid.Float64Range(1e-12, math.Log(overlap.MaxMass)).Draw(t, name))
}

// TestMain fixes the seed and the number of draws of all property tests.
func TestMain(m *testing.M) { overlaptest.Main(m, 2000) }

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

// diffusion returns the diffusion of two tokens with softmax and σ = 1.
func diffusion(t testing.TB, dim int, beta float64) *overlap.Diffusion {
	t.Helper()
	return must.Get(overlap.New(dim, beta, overlap.Softmax, 1))(t)
}

// value returns the value of a time; its logarithm must agree with it.
func value(t testing.TB) func(Time, error) float64 {
	return func(v Time, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if v.Value > 0 && v.Log < 700 {
			near(t, "logarithm of a time", v.Log, math.Log(v.Value), 1e-12*(1+math.Abs(v.Log)))
		}
		return v.Value
	}
}
