package main

import (
	"errors"
	"reflect"
	"testing"

	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sde"
	"antipode/sphere/must"
)

// A shard needs the share of room and time that its pieces have in the whole run.
func TestNeedsOfAShard(t *testing.T) {
	whole := run.Needs{Rows: 8, Kept: 800, Seconds: 100}
	for part, want := range map[sde.Part]run.Needs{ // of five pieces
		{Number: 0, Of: 4}: {Rows: 40, Kept: 320, Seconds: 40},
		{Number: 3, Of: 4}: {Rows: 20, Kept: 160, Seconds: 20},
		{Number: 5, Of: 7}: {},
	} {
		if got := whole.Of(part, 5); !reflect.DeepEqual(got, want) {
			t.Errorf("%v of five pieces needs %+v", part, got)
		}
	}
	if got := whole.Of(sde.Part{}, 5); !reflect.DeepEqual(got, whole) {
		t.Errorf("all of the run needs %+v", got)
	}
	for part, most := range map[sde.Part]float64{{}: 2e9, {Number: 1, Of: 10}: 2e8} {
		s := simulate.New()
		s.Trajectories = 1_000_000
		var seen run.Needs
		stop := errors.New("enough")
		err := s.Run(t.Context(), run.Options{Part: part,
			Preflight: func(n run.Needs) error { seen = n; return stop }}, nil)
		schema := run.Schema(s, 1)
		if part.Of > 0 {
			schema = run.ShardSchema(s, 1, part)
		}
		bytes := must.Get(seen.Bytes(schema))(t)
		if !errors.Is(err, stop) || !(bytes <= most && bytes >= most/50) {
			t.Errorf("%v: %+v, %g bytes, %v", part, seen, bytes, err)
		}
	}
}
