// Package overlaptest contains test helpers for package overlap and its subpackages.
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

// Main runs the tests of a package. Property tests use a fixed seed, draw the given number of cases and
// write no files.
func Main(m *testing.M, cases int) {
	flag.Parse()
	flag.Set("rapid.seed", "20260301")
	flag.Set("rapid.nofailfile", "true")
	flag.Set("rapid.checks", fmt.Sprint(cases))
	os.Exit(m.Run())
}

// CheckSeldom checks a property on only a few cases, as each takes milliseconds.
func CheckSeldom(t *testing.T, cases int, property func(t *rapid.T)) {
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn <= cases {
			property(t)
		}
	})
}

// Dimensions generates dimensions, small ones often.
var Dimensions = rapid.OneOf(rapid.IntRange(2, 12), rapid.IntRange(2, 10000))

// Betas generates inverse temperatures up to most; small ones, among which are the thresholds, are frequent.
func Betas(most float64) *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 4), rapid.Float64Range(0, 12), rapid.Float64Range(0, most))
}

// Epsilons generates noise amplitudes of the hybrid model from 0 to most, including both limits.
func Epsilons(most float64) *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 2), rapid.Float64Range(0, most),
		rapid.SampledFrom([]float64{0, 5e-324, most}))
}

// Overlaps generates overlaps, often at or next to the ends and 0.
var Overlaps = rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{
	-1, math.Nextafter(-1, 0), -0x1p-60, 0, 0x1p-60, math.Nextafter(1, 0), 1,
}))

// Near reports a test error unless |got-want| ≤ tolerance.
func Near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}

// Refused reports whether err says that a time or a law is not available, for example because the
// variance exceeds float64. Any other error fails the test.
func Refused(t *rapid.T, err error) bool {
	if err != nil && !strings.Contains(err.Error(), "are not available") &&
		!strings.Contains(err.Error(), "is not available") {
		t.Fatal(err)
	}
	return err != nil
}

// IsFinite reports whether x is neither infinite nor NaN.
func IsFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// BigNumber returns x with a precision of 200 bits.
func BigNumber(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
