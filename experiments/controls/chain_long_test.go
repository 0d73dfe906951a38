//go:build long

package controls

import "testing"

// The chain against the tokens with 300,000 trajectories, after 1, 10 and 200 layers, for two
// tokens under softmax and two under unnormalised attention: a false alarm in 10^6 seeds each.
func TestChainHasTheLawOfTheTokensOfManyTrajectories(t *testing.T) {
	cells := chainCells()
	for _, c := range []int{0, 3} {
		compareChain(t, cells[c], 300_000, []int64{1, 10, 200})
	}
}
