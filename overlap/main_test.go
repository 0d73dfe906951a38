package overlap

import (
	"flag"
	"math"
	"math/big"
	"os"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"
)

func bigNumber(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

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

func must(t testing.TB) func(d *Diffusion, err error) *Diffusion {
	return func(d *Diffusion, err error) *Diffusion {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
}

// everyDim and everyBeta draw with all magnitudes, and β near its threshold.
var (
	everyDim  = rapid.OneOf(rapid.IntRange(2, 12), rapid.IntRange(2, 10000))
	everyBeta = rapid.OneOf(rapid.Float64Range(0, 4), rapid.Float64Range(0, 12),
		rapid.Float64Range(0, MaxBeta))
	everyZ = rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{
		-1, math.Nextafter(-1, 0), -0x1p-60, 0, 0x1p-60, math.Nextafter(1, 0), 1,
	}))
)

func legendreRule(f func(float64) float64, from, to float64) float64 {
	if from > to {
		return -legendreRule(f, to, from)
	}
	return quad.Fixed(f, from, to, 16, nil, 0)
}

func composite(f func(float64) float64, from, to float64) float64 {
	const parts = 60
	sum := 0.0
	for i := range parts {
		sum += legendreRule(f, from+(to-from)*float64(i)/parts, from+(to-from)*float64(i+1)/parts)
	}
	return sum
}
