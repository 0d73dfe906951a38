package lanes

import (
	"slices"
	"testing"

	"antipode/sphere/must"
)

// Neither the place of a lane nor the other lanes matter to its trajectory: in a crowd whose lanes are
// rearranged during the run, each trajectory has the bits that it has alone.
func TestArrangedLanesAreTrajectoriesAlone(t *testing.T) {
	r, moved := crowd(16, 3, 5), false
	l := newVectorTokens(r, 3*PerVector, true)
	all := make([]Lane, 3*PerVector-3)
	for k := range all {
		all[k].Trajectory = int64(k)
		must.Do(t, l.Start(k, all[k].Trajectory))
	}
	for all[0].Layer < 480 {
		l.Advance(all, 32)
		moved = moved || !slices.IsSorted(l.places)
	}
	if !moved {
		t.Error("lanes were not arranged")
	}
	for k := range all {
		alone, one := newVectorTokens(r, 1, true), []Lane{{Trajectory: int64(k)}}
		must.Do(t, alone.Start(0, int64(k)))
		alone.Advance(one, 480)
		if !slices.Equal(alone.Tokens(0), l.Tokens(k)) {
			t.Errorf("trajectory %d: %v, alone %v", k, l.Tokens(k), alone.Tokens(0))
		}
	}
}
