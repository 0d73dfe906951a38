package main

import (
	"errors"
	"testing"

	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sde"
)

// A shard needs its share of the room and the time.
func TestNeedsOfAShard(t *testing.T) {
	whole := run.Needs{Rows: 8, Bytes: 80, Seconds: 800}
	if got := whole.Of(sde.Part{Number: 3, Of: 4}); got != (run.Needs{Rows: 2, Bytes: 20, Seconds: 200}) {
		t.Errorf("a quarter of the run needs %+v", got)
	}
	if got := whole.Of(sde.Part{}); got != whole {
		t.Errorf("all of the run needs %+v", got)
	}
	for part, most := range map[sde.Part]float64{{}: 2e9, {Number: 1, Of: 10}: 2e8} {
		s := simulate.New()
		s.Trajectories = 1_000_000
		var seen run.Needs
		stop := errors.New("enough")
		err := s.Run(t.Context(), run.Options{Part: part,
			Preflight: func(n run.Needs) error { seen = n; return stop }}, nil)
		if !errors.Is(err, stop) || seen.Bytes > most || seen.Bytes < most/50 {
			t.Errorf("%v: %+v, %v", part, seen, err)
		}
	}
}
