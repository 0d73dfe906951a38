// Package timing measures how long a call takes.
package timing

import (
	"math"
	"time"
)

// PerCall measures how long a call of a function takes, in seconds. PerCall measures five periods of a fifth
// of a millisecond, or of one call if a call takes longer. PerCall returns the smallest of the five mean
// times of a call, since other work of the machine can only make a period longer. The measurement stops when
// the function returns false.
func PerCall(call func() bool) float64 {
	const periods = 5
	least := math.Inf(1)
	for range periods {
		mean, goOn := meanOfPeriod(call, time.Millisecond/periods)
		least = min(least, mean)
		if !goOn {
			break
		}
	}
	return least
}

// meanOfPeriod calls the function until the period is over or the function returns false. meanOfPeriod
// returns the mean time of a call, in seconds; goOn is false if the function returned false.
func meanOfPeriod(call func() bool, period time.Duration) (seconds float64, goOn bool) {
	start := time.Now()
	for calls := 1.; ; calls++ {
		goOn := call()
		if elapsed := time.Since(start); elapsed > period || !goOn {
			return elapsed.Seconds() / calls, goOn
		}
	}
}
