//go:build long

package phase

import (
	"testing"

	"antipode/sde"
)

// The same as TestIntervalsOfTheCriticalBetaHoldIt, in ten dimensions, also at a greater depth.
func TestIntervalsOfTheCriticalBetaOfManyLayers(t *testing.T) {
	checkCritical(t, sde.Softmax, 10, 20, 1.46595)
	checkCritical(t, sde.Softmax, 10, 100, 1.40216)
}
