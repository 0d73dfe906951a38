package outcomes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The coverage of the Wilson interval, computed by enumeration of all counts, is 95 % on average over the
// probability. It is never far below, except for probabilities at which about one event is expected (L.
// Brown, T. Cai, A. DasGupta, Statistical Science 16 (2001) 101: between 0.92 and 0.98 away from the ends).
func TestWilsonCoverageByEnumeration(t *testing.T) {
	for _, trials := range []int64{20, 50, 200} {
		mean, least, cells := 0.0, 1.0, 2000
		for cell := range cells {
			p, covered := (float64(cell)+0.5)/float64(cells), 0.0
			law := distuv.Binomial{N: float64(trials), P: p}
			for k := range trials + 1 {
				if low, high := Wilson(k, trials); low <= p && p <= high {
					covered += law.Prob(float64(k))
				}
			}
			mean += covered / float64(cells)
			if float64(trials)*min(p, 1-p) > 5 {
				least = min(least, covered)
			}
		}
		if !(math.Abs(mean-0.95) <= 0.005) || least < 0.92 {
			t.Errorf("%d trials: coverage %.4f on average, %.4f at least", trials, mean, least)
		}
	}
}
