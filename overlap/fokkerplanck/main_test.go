package fokkerplanck

import (
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

// TestMain fixes the seed and the number of draws of all property tests.
func TestMain(m *testing.M) { overlaptest.Main(m, 2000) }

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

// diffusion returns the diffusion of two tokens with softmax and σ = 1.
func diffusion(t testing.TB, dim int, beta float64) *overlap.Diffusion {
	t.Helper()
	return must.Get(overlap.New(dim, beta, overlap.Softmax, 1))(t)
}
