package clustering

import (
	"math"
	"testing"

	"antipode/experiments/internal/outcomes"

	"gonum.org/v1/gonum/stat/distuv"
)

// coverage is the share of draws whose interval holds what it is for.
func coverage(draws int, interval func() (low, high float64), truth float64) float64 {
	covered := 0
	for range draws {
		if low, high := interval(); low <= truth && truth <= high {
			covered++
		}
	}
	return float64(covered) / float64(draws)
}

// checkCoverage compares a share of draws with a probability, 4.5 standard errors.
func checkCoverage(t *testing.T, what string, draws int, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 4.5*math.Sqrt(want*(1-want)/float64(draws)) {
		t.Errorf("%s: %.4f are covered, want %.4f", what, got, want)
	}
}

// The coverage of the Wilson interval by enumeration of all counts: on average over the probability
// 95 %, and never far below but for probabilities of about one event (L. Brown, T. Cai, A. DasGupta,
// Statistical Science 16 (2001) 101: between 0.92 and 0.98 away from the ends).
func TestWilsonCoverageByEnumeration(t *testing.T) {
	for _, trials := range []int64{20, 50, 200} {
		mean, least, cells := 0.0, 1.0, 2000
		for cell := range cells {
			p, covered := (float64(cell)+0.5)/float64(cells), 0.0
			law := distuv.Binomial{N: float64(trials), P: p}
			for k := range trials + 1 {
				if low, high := outcomes.Wilson(k, trials); low <= p && p <= high {
					covered += law.Prob(float64(k))
				}
			}
			mean += covered / float64(cells)
			if float64(trials)*min(p, 1-p) > 5 {
				least = min(least, covered)
			}
		}
		if math.Abs(mean-0.95) > 0.005 || least < 0.92 {
			t.Errorf("%d trials: coverage %.4f on average, %.4f at least", trials, mean, least)
		}
	}
}
