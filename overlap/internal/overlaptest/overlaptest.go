// Package overlaptest helps the tests of overlap and of the packages below it.
package overlaptest

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Main runs the tests of a package, whose property tests have one seed and draw that many cases, and keeps
// them from writing files.
func Main(m *testing.M, cases int) {
	flag.Parse()
	flag.Set("rapid.seed", "20260301")
	flag.Set("rapid.nofailfile", "true")
	flag.Set("rapid.checks", fmt.Sprint(cases))
	os.Exit(m.Run())
}

// CheckSeldom draws some cases of a property that takes milliseconds to look at.
func CheckSeldom(t *testing.T, cases int, property func(t *rapid.T)) {
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn <= cases {
			property(t)
		}
	})
}

// Dimensions draws dimensions, often small ones.
var Dimensions = rapid.OneOf(rapid.IntRange(2, 12), rapid.IntRange(2, 10000))

// Betas draws inverse temperatures of all magnitudes up to the most, and often some near the threshold.
func Betas(most float64) *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 4), rapid.Float64Range(0, 12), rapid.Float64Range(0, most))
}

// Epsilons draws noise amplitudes of the hybrid model up to the most, and its ends.
func Epsilons(most float64) *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 2), rapid.Float64Range(0, most),
		rapid.SampledFrom([]float64{0, 5e-324, most}))
}

// Overlaps draws overlaps, and often those at or next to the ends and 0.
var Overlaps = rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{
	-1, math.Nextafter(-1, 0), -0x1p-60, 0, 0x1p-60, math.Nextafter(1, 0), 1,
}))

// Near fails unless |got-want| ≤ tolerance.
func Near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}

// Refused reports whether a time or a law is not available, as where a clock is beyond float64; the test ends
// with any other error.
func Refused(t *rapid.T, err error) bool {
	if err != nil && !strings.Contains(err.Error(), "are not available") &&
		!strings.Contains(err.Error(), "is not available") {
		t.Fatal(err)
	}
	return err != nil
}

// IsFinite reports whether x is neither infinite nor NaN.
func IsFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// BigNumber is x with 200 bits.
func BigNumber(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
