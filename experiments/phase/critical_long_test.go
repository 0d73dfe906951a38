//go:build long

package phase

import "testing"

// As the short test does, at a depth where layers are many: 0.66241 for d = 4 and 1.40216 for d = 10.
func TestIntervalsOfTheCriticalBetaOfManyLayers(t *testing.T) {
	checkCritical(t, 4, 100, 0.66241)
	checkCritical(t, 10, 100, 1.40216)
}
