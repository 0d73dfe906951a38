package experimenttest

import (
	"math"
	"testing"
)

// Coverage returns the fraction of draws in which a random interval contains the true value.
func Coverage(draws int, interval func() (low, high float64), truth float64) float64 {
	covered := 0
	for range draws {
		if low, high := interval(); low <= truth && truth <= high {
			covered++
		}
	}
	return float64(covered) / float64(draws)
}

// CheckCoverage checks that the fraction got of draws is the probability want, within 4.5 standard errors.
// The argument what names the fraction in the error.
func CheckCoverage(t *testing.T, what string, draws int, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 4.5*math.Sqrt(want*(1-want)/float64(draws))) {
		t.Errorf("%s: %.4f are covered, want %.4f", what, got, want)
	}
}
