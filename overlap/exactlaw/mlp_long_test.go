//go:build long

package exactlaw

import "testing"

// The law agrees with trajectories of all cells both in parallel and in sequence, which fails by chance for
// one seed in 500.
func TestLawWithMLPInBothArrangements(t *testing.T) {
	compareMLPWithSimulation(t, func(int) []bool { return []bool{false, true} })
}
