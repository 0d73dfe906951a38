package overlap

import (
	"testing"

	"antipode/overlap/internal/overlaptest"
)

var everyBeta = overlaptest.Betas(MaxBeta)

// TestMain fixes the seed and the number of draws of all property tests.
func TestMain(m *testing.M) { overlaptest.Main(m, 2000) }

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

func must(t testing.TB) func(*Diffusion, error) *Diffusion { return overlaptest.Must[*Diffusion](t) }

// diffusion returns the diffusion of two tokens with softmax and σ = 1.
func diffusion(t testing.TB, dim int, beta float64) *Diffusion {
	t.Helper()
	return must(t)(New(dim, beta, Softmax, 1))
}

// from returns AntipodalFrom without its error.
func from(t testing.TB, d *Diffusion, z0 float64) Probability {
	t.Helper()
	return overlaptest.Must[Probability](t)(d.AntipodalFrom(z0))
}
