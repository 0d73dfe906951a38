package overlap

import (
	"flag"
	"math"
	"os"
	"testing"
)

// TestMain fixes the seed and the number of draws of all property tests, and keeps them
// from writing files.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("rapid.seed", "20260301")
	flag.Set("rapid.nofailfile", "true")
	flag.Set("rapid.checks", "2000")
	os.Exit(m.Run())
}

// diffusion returns the diffusion of two tokens with softmax and σ = 1.
func diffusion(t testing.TB, dim int, beta float64) *Diffusion {
	t.Helper()
	d, err := New(dim, beta, Softmax, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// from returns AntipodalFrom without its error.
func from(t testing.TB, d *Diffusion, z0 float64) Probability {
	t.Helper()
	p, err := d.AntipodalFrom(z0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// near fails unless |got-want| ≤ tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}
