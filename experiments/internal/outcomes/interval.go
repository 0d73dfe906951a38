package outcomes

import (
	"math"

	"antipode/experiments/internal/statistics"
)

// Wilson returns the Wilson interval of a probability at 95 % confidence, from the number of successes in
// independent trials: Wilson, J. Amer. Statist. Assoc. 22 (1927) 209. The interval lies in [0, 1] and is not
// empty even for 0 successes. The ends of the interval are NaN if there are no trials.
func Wilson(successes, trials int64) (low, high float64) {
	return WilsonOfMean(float64(successes), float64(trials))
}

// WilsonOfMean is Wilson for a sum of independent numbers from 0 to 1, in place of a number of successes. The
// variance of a number from 0 to 1 is at most that of a success with the same mean. The coverage of the
// interval is therefore at least as high as that of Wilson.
func WilsonOfMean(sum, trials float64) (low, high float64) {
	const quantile = statistics.Quantile95
	n, k := trials, sum
	square := quantile * quantile
	centre := (k + square/2) / (n + square)
	half := quantile * math.Sqrt(float64(k*(n-k))/n+square/4) / (n + square)
	low, high = centre-half, centre+half
	if sum == 0 { // the low end is exactly 0, not only up to rounding
		low = 0
	}
	if sum == trials {
		high = 1
	}
	return low, high
}
