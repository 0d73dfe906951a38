package finitedepth

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"antipode/overlap"
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

// near fails unless |got-want| ≤ tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}

func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// everyDim and everyBeta draw with all magnitudes, and β near its threshold.
var (
	everyDim  = rapid.OneOf(rapid.IntRange(2, 12), rapid.IntRange(2, 10000))
	everyBeta = rapid.OneOf(rapid.Float64Range(0, 4), rapid.Float64Range(0, 12),
		rapid.Float64Range(0, overlap.MaxBeta))
	everyZ = rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{
		-1, math.Nextafter(-1, 0), -0x1p-60, 0, 0x1p-60, math.Nextafter(1, 0), 1,
	}))
)
