// Package timing measures how long a call takes.
package timing

import "time"

// PerCall calls a function for a millisecond, or until it returns false, and returns the time
// of a call in seconds.
func PerCall(call func() bool) float64 {
	start := time.Now()
	for calls := 1.; ; calls++ {
		goOn := call()
		if elapsed := time.Since(start); elapsed > time.Millisecond || !goOn {
			return elapsed.Seconds() / calls
		}
	}
}
