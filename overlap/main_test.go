package overlap

import (
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"
)

var everyBeta = overlaptest.Betas(MaxBeta)

// TestMain fixes the seed and the number of draws of all property tests.
func TestMain(m *testing.M) { overlaptest.Main(m, 2000) }

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

// diffusion returns the diffusion of two tokens with softmax and σ = 1.
func diffusion(t testing.TB, dim int, beta float64) *Diffusion {
	t.Helper()
	return must.Get(New(dim, beta, Softmax, 1))(t)
}

// from returns AntipodalFrom, which must not fail.
func from(t testing.TB, d *Diffusion, z0 float64) Probability {
	t.Helper()
	return must.Get(d.AntipodalFrom(z0))(t)
}
