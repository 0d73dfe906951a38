package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/lanes"
)

// Tokens in vectors follow the Stepper on the same draws, lane by lane, to rounding. Draws
// are not the same where a matrix is drawn on the span of the tokens alone.
func TestVectorsFollowTheStepper(t *testing.T) {
	const width = 11 // lanes, of two Vectors
	for _, size := range [][2]int{{2, 3}, {5, 3}, {4, 9}} {
		for _, c := range models(size[0], size[1]) {
			if !c.inVectors() || c.Model.recursion().rank(c.Tokens, c.Dim) < c.Dim {
				continue
			}
			vectors, scalar := newLanes(c, 3, width, KeepApart, 1), newSteppedLanes(c, 3, width, false)
			one, other := make([]lanes.Lane, width), make([]lanes.Lane, width)
			for k := range width {
				one[k].Trajectory, other[k].Trajectory = int64(k), int64(k)
				for _, l := range []lanes.Lanes{vectors, scalar} {
					if err := l.Start(k, int64(k)); err != nil {
						t.Fatal(err)
					}
				}
			}
			vectors.Advance(one, 10)
			scalar.Advance(other, 10)
			for k := range width {
				want := scalar.Tokens(k)
				for i, v := range vectors.Tokens(k) {
					if math.Abs(v-want[i]) > 1e-11 {
						t.Fatalf("%s, lane %d: %v, stepper %v", name(c), k, vectors.Tokens(k), want)
					}
				}
			}
		}
	}
}
