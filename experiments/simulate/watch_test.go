package simulate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// The watched tokens are those that a run saves, bit for bit, for every model, at a depth whose inverse has a
// short decimal form and at one whose inverse has not. Overlaps, energy and outcome are those of these
// tokens.
func TestWatchIsTheRun(t *testing.T) {
	for k, model := range sde.ModelNames {
		for _, tokens := range []int64{2, 7} {
			s := New()
			s.Model, s.Tokens, s.Dim, s.Beta, s.Epsilon = setting.Model(model), tokens, 3+int64(k%2), 1.5, 0.7
			s.Depth, s.Horizon, s.Tolerance = 7, 4, 0.3
			if k%2 == 1 {
				s.Depth, s.Attention = 50, sde.Unnormalized
			}
			if model == "hybrid" {
				s.Law = sde.Rademacher
			}
			watched, err := s.Watched()
			if err != nil {
				t.Fatal(err)
			}
			want := must.Get(data.RowsOf[StateRow](experimenttest.Table(t, watched, run.Options{Seed: 5})))(t)
			layers := s.Depth * 4
			if len(want) != int(layers)+1 {
				t.Fatalf("%d states of %d layers", len(want), layers)
			}
			seen := 0
			err = s.Watch(t.Context(), Look{Seed: 5, Wanted: every}, func(g *Frame) error {
				if state := slices.Concat(want[g.Layer].Tokens...); int(g.Layer) != seen ||
					!slices.Equal(g.Tokens, state) {
					t.Fatalf("%s: frame %d of layer %d is %v, want %v", model, seen, g.Layer, g.Tokens, state)
				}
				seen++
				checkFrame(t, s, g)
				return nil
			})
			if err != nil || seen != len(want) {
				t.Errorf("%s: %d layers seen, %v", model, seen, err)
			}
		}
	}
}

// every selects all layers.
func every(int64) bool { return true }

// checkFrame compares overlaps, energy and outcome of a frame with sums over its tokens.
func checkFrame(t *testing.T, s *Experiment, g *Frame) {
	t.Helper()
	n, d := int(s.Tokens), int(s.Dim)
	energy, least, greatest, nearest := 0.0, 1.0, -1.0, 1.0
	for i := range n {
		for j := range n {
			z := 0.0
			for k := range d {
				z += g.Tokens[i*d+k] * g.Tokens[j*d+k]
			}
			energy += math.Exp(s.Beta*z) / math.Exp(s.Beta) / float64(n*n)
			if i == 0 && !(math.Abs(z-g.Overlaps[j]) <= 1e-14) {
				t.Fatalf("overlap of token %d: %v, want %v", j, g.Overlaps[j], z)
			}
			if i != j {
				least, greatest, nearest = min(least, z), max(greatest, z), min(nearest, math.Abs(z))
			}
		}
	}
	want := sphere.Unclustered
	switch {
	case least >= 1-s.Tolerance:
		want = sphere.Single
	case nearest >= 1-s.Tolerance && least <= -1+s.Tolerance:
		want = sphere.Antipodal
	}
	if !(math.Abs(g.Energy-energy) <= 1e-13*energy) || g.Outcome != want ||
		g.Pair != (least <= -1+s.Tolerance) {
		t.Fatalf("energy %v, %v, %v; want %v, %v", g.Energy, g.Outcome, g.Pair, energy, want)
	}
}

// The energy of more than 1,000 tokens is computed where harmonics can be used, and is 0 elsewhere.
func TestWatchTheEnergyOfManyTokens(t *testing.T) {
	for _, d := range []int64{3, 5} {
		s := New()
		s.Tokens, s.Dim, s.Beta, s.Depth, s.Horizon = 1001, d, 3, 4, 0.25
		seen := 0
		err := s.Watch(t.Context(), Look{Seed: 1, Wanted: every}, func(g *Frame) error {
			if seen++; d == 3 {
				checkFrame(t, s, g)
			} else if g.Energy != 0 {
				t.Errorf("d = %d: energy %v", d, g.Energy)
			}
			return nil
		})
		if err != nil || seen != 2 {
			t.Errorf("d = %d: %d frames, %v", d, seen, err)
		}
	}
}

// Layers that are not wanted are left out, an error ends the watching at once, and a list of parameter values
// cannot be watched.
func TestWatchSomeLayers(t *testing.T) {
	s := New()
	s.Depth, s.Horizon = 10, 1e4
	var seen []int64
	enough := errors.New("enough")
	third := func(layer int64) bool { return layer%3 == 1 }
	err := s.Watch(t.Context(), Look{Seed: 1, Wanted: third}, func(g *Frame) error {
		seen = append(seen, g.Layer)
		if len(seen) == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || fmt.Sprint(seen) != "[1 4 7]" {
		t.Errorf("%v, layers %v", err, seen)
	}
	for _, p := range s.Parameters() {
		if p.Name == "beta" {
			must.Do(t, p.Set("1,2"))
		}
	}
	var problem *parameter.Error
	if _, err := s.Watched(); !errors.As(err, &problem) || problem.Parameter != "beta" {
		t.Errorf("two values of β: %v", err)
	}
}

// If there are too many tokens, or the table of states would be too large, the command saves outcomes
// instead.
func TestWatchedOfMany(t *testing.T) {
	for _, c := range []struct {
		tokens  int64
		horizon float64
		save    string
	}{{1000, 10, "states"}, {1001, 10, "outcomes"}, {500, 800, "states"}, {500, 1000, "outcomes"}} {
		s := New()
		s.Tokens, s.Horizon, s.Depth = c.tokens, c.horizon, 100
		w, err := s.Watched()
		if err != nil || w.Save != c.save {
			t.Errorf("%d tokens, horizon %g: %v, %v", c.tokens, c.horizon, w, err)
		}
	}
}
