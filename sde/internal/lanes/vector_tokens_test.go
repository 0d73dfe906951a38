package lanes

import (
	"errors"
	"math"
	"slices"
	"testing"

	"antipode/sphere/must"
)

// Only those lanes of a Vector fail that have a token without direction; the others continue as if nothing
// had happened.
func TestOneLaneFailsAlone(t *testing.T) {
	r := gaussian(3, 4, 1.5, 1, 100, 3)
	const width, broken = 8, 5
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		l, whole := newVectorTokens(r, width, false), newVectorTokens(r, width, false)
		all, others := make([]Lane, width), make([]Lane, width)
		for k := range width {
			all[k].Trajectory, others[k].Trajectory = int64(k), int64(k)
			must.Do(t, errors.Join(l.Start(k, int64(k)), whole.Start(k, int64(k))))
		}
		x := slices.Clone(l.Tokens(broken))
		x[5] = bad
		l.groups[l.places[broken]/PerVector].put(l.places[broken]%PerVector, x, []float64{1, 1, 1})
		l.Advance(all, 3)
		whole.Advance(others, 3)
		for k, at := range all {
			if (at.Err != nil) != (k == broken) {
				t.Errorf("a token of lane %d is %v: lane %d has error %v", broken, bad, k, at.Err)
			}
			if k != broken && !slices.Equal(slices.Clone(l.Tokens(k)), whole.Tokens(k)) {
				t.Errorf("lane %d: %v, want %v", k, l.Tokens(k), whole.Tokens(k))
			}
		}
	}
}
