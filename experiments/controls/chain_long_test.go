//go:build long

package controls

import "testing"

// The overlap chain has the law of the overlap of simulated tokens: 300,000 trajectories, after 1, 10 and 200
// layers, of two tokens under softmax and two under unnormalised attention. Each comparison has one false
// alarm in 10^6 seeds.
func TestChainHasTheLawOfTheTokensOfManyTrajectories(t *testing.T) {
	cells := chainCells()
	for _, c := range []int{0, 3} {
		compareChain(t, cells[c], 300_000, []int64{1, 10, 200})
	}
}
