package main

import (
	"errors"
	"testing"

	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sde"
)

// A shard needs the share of room and time that its pieces have in the whole run.
func TestNeedsOfAShard(t *testing.T) {
	whole := run.Needs{Rows: 8, Bytes: 1000, Kept: 800, Seconds: 100}
	for part, want := range map[sde.Part]run.Needs{ // of five pieces
		{Number: 0, Of: 4}: {Rows: 40, Bytes: 400, Kept: 320, Seconds: 40},
		{Number: 3, Of: 4}: {Rows: 20, Bytes: 200, Kept: 160, Seconds: 20},
		{Number: 5, Of: 7}: {},
	} {
		if got := whole.Of(part, 5); got != want {
			t.Errorf("%v of five pieces needs %+v", part, got)
		}
	}
	if got := whole.Of(sde.Part{}, 5); got != whole {
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
