// Package timing measures how long a call takes.
package timing

import (
	"math"
	"time"
)

// PerCall returns the time of a call of a function in seconds: the least of the means over five
// spells of a fifth of a millisecond, or one call each where that takes longer, since whatever else
// the machine does can only add to a spell. It stops where the function returns false.
func PerCall(call func() bool) float64 {
	const spells = 5
	least := math.Inf(1)
	for range spells {
		mean, goOn := meanOfSpell(call, time.Millisecond/spells)
		least = min(least, mean)
		if !goOn {
			break
		}
	}
	return least
}

// meanOfSpell calls the function until the time has passed, or it returns false, which is then told.
func meanOfSpell(call func() bool, spell time.Duration) (seconds float64, goOn bool) {
	start := time.Now()
	for calls := 1.; ; calls++ {
		goOn := call()
		if elapsed := time.Since(start); elapsed > spell || !goOn {
			return elapsed.Seconds() / calls, goOn
		}
	}
}
