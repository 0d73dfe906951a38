//go:build long

package phase

import "testing"

// The same as TestIntervalsOfTheCriticalBetaHoldIt, in ten dimensions and at greater depths.
func TestIntervalsOfTheCriticalBetaOfManyLayers(t *testing.T) {
	checkCritical(t, 10, 20, 1.46595)
	checkCritical(t, 4, 100, 0.66241)
	checkCritical(t, 10, 100, 1.40216)
}
