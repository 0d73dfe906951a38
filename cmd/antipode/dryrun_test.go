package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/field"
	"antipode/experiments/run"
)

// ending is an experiment whose run writes no rows and returns err.
type ending struct {
	*field.Experiment
	err error
}

func (e ending) Run(context.Context, run.Options, data.Sink) error { return e.err }

// If the run of a dry run ends in time, the prediction is of a whole run, also if the run reports a finding;
// if the run fails, the prediction fails with its error.
func TestDryRunOfARunThatEnds(t *testing.T) {
	broken := errors.New("a broken disk")
	for _, c := range []struct {
		of, want error
		whole    bool
	}{{nil, nil, true}, {run.ErrFinding, nil, true}, {broken, broken, false}} {
		r := experimentRunner(ending{field.New(), c.of}, nil, nil)
		p, err := r.predict(t.Context())
		if !errors.Is(err, c.want) || p.Whole != c.whole {
			t.Errorf("%v: %+v, %v", c.of, p, err)
		}
	}
}

// The cells of a run that prints its report on the way are the parts of its work.
func TestDryRunOfClaims(t *testing.T) {
	said := succeed(t, "verify", "--only", "eq5,lemma5-integral", "--dry-run", "--progress", "json")
	if !strings.HasPrefix(said, `{"command":"verify","cells":2,"layers":null,"rows":2,`) {
		t.Error(said)
	}
}

// A dry run is of one table: several names of --save are refused by name, and a name that does not exist too.
func TestDryRunOfSeveralTables(t *testing.T) {
	for save, want := range map[string]string{
		"outcomes,states": "--dry-run: takes one table; must be left out for --save outcomes,states",
		"outcomes,x":      "--save outcomes,x: must be outcomes, overlaps, states,",
	} {
		refuse(t, []string{want}, "simulate", "--dry-run", "--save", save)
	}
}
