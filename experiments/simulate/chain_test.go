package simulate

import (
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/setting"
	"antipode/sde"
)

// A chain has no tokens that could be interpolated between layers. It is refused before a run, whatever is
// saved, and no message recommends --interpolate for it.
func TestChainIsNotInterpolated(t *testing.T) {
	s := New()
	s.Method, s.Horizon, s.Every, s.Trajectories, s.Interpolate = sde.Chain, 1, 0.005, 1, true
	for save, problem := range map[string]string{
		saveOverlaps: "no tokens to interpolate", saveStates: "no tokens for --save states",
	} {
		s.Save = save
		experimenttest.CheckRefused(t, s.Validate(), "method", problem)
	}
	s.Save, s.Interpolate = saveOverlaps, false
	err := s.Validate()
	experimenttest.CheckRefused(t, err, "every", "must be a whole number of layers")
	if strings.Contains(err.Error(), "--interpolate") {
		t.Error(err)
	}
}

// The frames of a trajectory show tokens, which a chain does not have, also where so many tokens are watched
// that the command saves outcomes.
func TestChainIsNotWatched(t *testing.T) {
	for _, start := range []string{"opposite:1,1", "opposite:600,600"} {
		s := New()
		s.Method, s.Depth, s.Horizon = sde.Chain, 4, 0.5
		s.Start = experimenttest.Must(setting.ParseStart(start))
		if start == "opposite:600,600" {
			s.Tokens = 1200
		}
		err := s.Watch(t.Context(), Look{Seed: 1, Wanted: every}, func(*Frame) error { return nil })
		experimenttest.CheckRefused(t, err, "method", "no tokens to watch")
	}
}
