package sde

import (
	"errors"
	"math"
	"slices"
	"testing"
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
			vectors, scalar := newLanes(c, 3, width, false), newTokenLanes(c, 3, width)
			if _, ok := vectors.(*vectorTokenLanes); !ok {
				t.Fatalf("%s: lanes are %T", name(c), vectors)
			}
			one, other := make([]lane, width), make([]lane, width)
			for k := range width {
				one[k].trajectory, other[k].trajectory = int64(k), int64(k)
				for _, l := range []lanes{vectors, scalar} {
					if err := l.start(k, int64(k)); err != nil {
						t.Fatal(err)
					}
				}
			}
			vectors.advance(one, 10)
			scalar.advance(other, 10)
			for k := range width {
				want := scalar.see(k)
				for i, v := range vectors.see(k) {
					if math.Abs(v-want[i]) > 1e-11 {
						t.Fatalf("%s, lane %d: %v, stepper %v", name(c), k, vectors.see(k), want)
					}
				}
			}
		}
	}
}

// Of the lanes of a Vector those alone fail that have a token without direction: the others go on as if
// nothing had been.
func TestOneLaneFailsAlone(t *testing.T) {
	c := pairCell()
	c.Tokens, c.Dim = 3, 4
	const width, broken = 8, 5
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		l, whole := newLanes(c, 3, width, false).(*vectorTokenLanes), newLanes(c, 3, width, false)
		all, others := make([]lane, width), make([]lane, width)
		for k := range width {
			all[k].trajectory, others[k].trajectory = int64(k), int64(k)
			if err := errors.Join(l.start(k, int64(k)), whole.start(k, int64(k))); err != nil {
				t.Fatal(err)
			}
		}
		x := slices.Clone(l.see(broken))
		x[5] = bad
		l.groups[l.places[broken]/lanesOfVector].put(l.places[broken]%lanesOfVector, x, []float64{1, 1, 1})
		l.advance(all, 3)
		whole.advance(others, 3)
		for k, at := range all {
			if (at.err != nil) != (k == broken) {
				t.Errorf("a token of lane %d is %v: lane %d has error %v", broken, bad, k, at.err)
			}
			if k != broken && !slices.Equal(slices.Clone(l.see(k)), whole.see(k)) {
				t.Errorf("lane %d: %v, want %v", k, l.see(k), whole.see(k))
			}
		}
	}
}
