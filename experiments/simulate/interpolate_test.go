package simulate

import (
	"math"
	"testing"

	"antipode/sphere"
)

// At a time between two layers, the interpolated tokens are on the line between the tokens of these layers in
// a run that saves every layer, in proportion to the time; this is tried with intervals shorter and longer
// than a layer, and with some that hit a layer now and then. Overlaps are those of the interpolated tokens.
// At a layer the tokens are the same bits.
func TestInterpolatedTokensAreOnLines(t *testing.T) {
	const depth = 10
	whole := smallSimulation(saveStates)
	whole.Every = 0.1
	layers := rowsOf[StateRow](t, whole)
	perTrajectory := len(layers) / int(whole.Trajectories)
	for _, c := range []struct {
		every float64
		rows  int
	}{{0.025, 101}, {0.03, 85}, {0.37, 8}, {0.1, 26}, {5, 2}, {0.26, 11}} {
		s := smallSimulation(saveStates)
		s.Every, s.Interpolate = c.every, true
		states := rowsOf[StateRow](t, s)
		if len(states) != c.rows*int(s.Trajectories) {
			t.Fatalf("every %v: %d rows, want %d a trajectory", c.every, len(states), c.rows)
		}
		s.Save = saveOverlaps
		overlaps := rowsOf[OverlapRow](t, s)
		met := 0
		for row, state := range states {
			k := row % c.rows
			want := math.Min(float64(k)*c.every, 2.5)
			if !(math.Abs(state.Time-want) <= 1e-14) || state.Trajectory != int64(row/c.rows) {
				t.Fatalf("every %v, row %d: %+v, want time %v", c.every, row, state.Moment, want)
			}
			n := int(math.Floor(want*depth + 1e-9))
			share := want*depth - float64(n)
			at := layers[int(state.Trajectory)*perTrajectory+n].Tokens
			if share < 1e-9 {
				met++
			}
			for i, x := range state.Tokens {
				for l, got := range x {
					want := at[i][l]
					if share >= 1e-9 {
						next := layers[int(state.Trajectory)*perTrajectory+n+1].Tokens
						want = (1-share)*at[i][l] + share*next[i][l]
					} else if got != want {
						t.Fatalf("every %v, time %v, token %d: %v, at the layer %v", c.every, state.Time, i,
							got, want)
					}
					if !(math.Abs(got-want) <= 1e-12) {
						t.Fatalf("every %v, time %v, token %d: %v, want %v", c.every, state.Time, i, got,
							want)
					}
				}
			}
			for l, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
				got, want := overlaps[3*row+l], sphere.Dot(state.Tokens[pair[0]], state.Tokens[pair[1]])
				if got.Moment != state.Moment || !(math.Abs(got.Overlap-want) <= 1e-15) {
					t.Fatalf("every %v, time %v: %+v, want %v", c.every, state.Time, got, want)
				}
			}
		}
		if met < 2*int(s.Trajectories) {
			t.Errorf("every %v: %d rows are at layers, want the first and the last of a trajectory", c.every,
				met)
		}
	}
}

// A time at a layer may be off by 2⁻⁴⁵ of a layer, or of the number of layers if it is above 1.
func TestTimesNearLayers(t *testing.T) {
	const unit = 0x1p-45
	for _, c := range []struct {
		every float64
		layer int64
		met   bool
	}{
		{1, 1, true}, {1 + 0.75*unit, 1, true}, {1 - 0.75*unit, 1, true}, {1 + 1.5*unit, 1, false},
		{1 - 1.5*unit, 0, false}, {3 + 2*unit, 3, true}, {3 + 4*unit, 3, false}, {3 - 4*unit, 2, false},
		{0.5, 0, false},
	} {
		m := momentsOf(10, c.every)[1]
		if m.layer != c.layer || (m.theta == 0) != c.met {
			t.Errorf("every %v layers: layer %d and %v", c.every, m.layer, m.theta)
		}
	}
}
