package fokkerplanck

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"antipode/overlap"
	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"
)

var (
	everyAttention = rapid.SampledFrom([]overlap.Attention{overlap.Softmax, overlap.Unnormalized})
	everyEpsilon   = rapid.OneOf(rapid.Float64Range(0, 2), rapid.Float64Range(0, overlap.MaxEpsilon),
		rapid.SampledFrom([]float64{0, 5e-324, overlap.MaxEpsilon}))
	everyDepth = rapid.Custom(func(t *rapid.T) int {
		return int(math.Exp(rapid.Float64Range(0, math.Log(1e6)).Draw(t, "log depth")))
	})
)

// checkSeldom draws some cases of a property that takes milliseconds to look at.
func checkSeldom(t *testing.T, cases int, property func(t *rapid.T)) {
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn <= cases {
			property(t)
		}
	})
}

// known fails unless an error is that of a clock beyond float64.
func known(t *rapid.T, err error) (refused bool) {
	if err != nil && !strings.Contains(err.Error(), "are not available") &&
		!strings.Contains(err.Error(), "is not available") {
		t.Fatal(err)
	}
	return err != nil
}

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
func diffusion(t testing.TB, dim int, beta float64) *overlap.Diffusion {
	t.Helper()
	d, err := overlap.New(dim, beta, overlap.Softmax, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// near fails unless |got-want| ≤ tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}

func must(t testing.TB) func(d *overlap.Diffusion, err error) *overlap.Diffusion {
	return func(d *overlap.Diffusion, err error) *overlap.Diffusion {
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
		rapid.Float64Range(0, overlap.MaxBeta))
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
