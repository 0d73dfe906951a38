package splitting

import (
	"context"
	"errors"
	"testing"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
)

// There may be up to a million trajectories, and a thousand million in all repetitions; the error names the
// parameter that is too large.
func TestCheckCounts(t *testing.T) {
	for _, test := range []struct {
		trajectories, repetitions int64
		bad                       string
	}{{2, 2, ""}, {1, 2, "trajectories"}, {1_000_000, 1000, ""}, {1_000_001, 2, "trajectories"},
		{1_000_000, 1001, "repetitions"}, {10_000, 100_000, ""}, {10_001, 100_000, "repetitions"}} {
		err := CheckCounts(test.trajectories, test.repetitions)
		var problem *parameter.Error
		if (err != nil) != (test.bad != "") ||
			err != nil && (!errors.As(err, &problem) || problem.Parameter != test.bad) {
			t.Errorf("%d trajectories, %d repetitions: %v", test.trajectories, test.repetitions, err)
		}
	}
	const want = "repetitions 100000: must be at most 99990 for so many trajectories"
	if err := CheckCounts(10_001, 100_000); err.Error() != want {
		t.Errorf("%v", err)
	}
}

// Every event is read from its name, and no other name is one.
func TestNamesOfEvents(t *testing.T) {
	for event, name := range map[Event]string{None: "none", Antipodal: "antipodal", Single: "single",
		Lifetime: "lifetime"} {
		var read Event
		text, err := event.MarshalText()
		if err != nil || string(text) != name || read.UnmarshalText(text) != nil || read != event {
			t.Errorf("%s: %q, read as %v", name, text, read)
		}
	}
	for event, name := range map[Event]string{-1: "Event(-1)", 4: "Event(4)"} {
		if event.String() != name {
			t.Errorf("%s", event)
		}
	}
	if new(Event).UnmarshalText([]byte("Single")) == nil {
		t.Error("an event that does not exist")
	}
}

// An error of the configuration of a cell ends the run, in which no later cell is configured.
func TestCellsThatCannotBeSplit(t *testing.T) {
	broken := errors.New("broken")
	configured := 0
	cells := Cells[Row]{Count: 3, Repetitions: 2, Split: func(int) (*sde.Splitting, uint64, error) {
		configured++
		return nil, 0, broken
	}}
	if err := cells.Run(context.Background(), run.Options{}); !errors.Is(err, broken) || configured != 1 {
		t.Errorf("%v after %d cells", err, configured)
	}
}
