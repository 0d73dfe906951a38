package experimenttest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
)

// displays returns what an experiment writes about a table, by name: the report and, if the experiment has
// one, the summary.
func displays(e run.Experiment) map[string]func(w io.Writer, table *data.Table) error {
	all := map[string]func(w io.Writer, table *data.Table) error{"report": e.Describe}
	if summarizer, is := e.(run.Summarizer); is {
		all["summary"] = summarizer.WriteJSON
	}
	return all
}

// CheckNoRoom checks that the report and the summary of a table are errors if they cannot be written, whether
// their first byte, their middle or their last byte has no room. The argument name names the table in errors
// of the test.
func CheckNoRoom(t *testing.T, name string, e run.Experiment, table *data.Table) {
	t.Helper()
	for what, write := range displays(e) {
		const enough = Room(1 << 30)
		room := enough
		if err := write(&room, table); err != nil {
			t.Fatalf("%s: %s: %v", name, what, err)
		}
		size := enough - room
		for _, room := range []Room{0, size / 2, size - 1} {
			left := room
			if err := write(&left, table); !errors.Is(err, ErrNoRoom) {
				t.Errorf("%s: %s of %d bytes in room for %d: %v", name, what, size, room, err)
			}
		}
	}
}

// errNothing is the error of a use of a table that gives neither a result nor an error.
var errNothing = errors.New("nothing and no error")

// CheckColumns checks that the report, the summary and the figure of a table are errors without some column,
// except for those that need none, which are named. Columns are left out in order, up to the first that is
// needed; without one of those before it, they are something or an error.
// The argument name names the table in errors of the test.
func CheckColumns(t *testing.T, name string, e run.Experiment, table *data.Table, needNone ...string) {
	t.Helper()
	uses := map[string]func(table *data.Table) error{
		"figure": func(table *data.Table) error {
			drawn, err := e.Draw(table)
			if err == nil && drawn == nil {
				return errNothing
			}
			return err
		},
	}
	for what, write := range displays(e) {
		uses[what] = func(table *data.Table) error {
			var text bytes.Buffer
			err := write(&text, table)
			if err == nil && text.Len() == 0 {
				return errNothing
			}
			return err
		}
	}
	for what, use := range uses {
		needed := false
		for k := range table.Columns {
			column := table.Schema.Columns[k].Name
			err := use(Without(table, column))
			if err == errNothing {
				t.Errorf("%s: the %s without column %s is %v", name, what, column, err)
			}
			if needed = err != nil; needed {
				break // what comes after may take long
			}
		}
		if needed == slices.Contains(needNone, what) {
			t.Errorf("%s: the %s needs a column: %v", name, what, needed)
		}
	}
}

// CheckStops checks that a run whose context has ended returns the error of the context and writes no row,
// and that a run whose rows cannot be written returns the error of the write. The argument name names the run
// in errors of the test.
func CheckStops(t *testing.T, name string, e run.Experiment) {
	t.Helper()
	ended, end := context.WithCancel(t.Context())
	end()
	table := data.NewTable(run.Schema(e, 1))
	err := e.Run(ended, run.Options{Seed: 1}, table)
	if !errors.Is(err, context.Canceled) || table.Rows() > 0 {
		t.Errorf("%s, whose context has ended: %d rows, error %v", name, table.Rows(), err)
	}
	full := data.SinkFunc(func(...data.Values) error { return ErrNoRoom })
	if err := e.Run(t.Context(), run.Options{Seed: 1}, full); !errors.Is(err, ErrNoRoom) {
		t.Errorf("%s, whose rows have no room: error %v", name, err)
	}
}

// Needs returns what a run says that it will need, before it starts. The run is then refused.
func Needs(t *testing.T, e run.Experiment, options run.Options) run.Needs {
	t.Helper()
	var needs run.Needs
	options.Preflight = func(n run.Needs) error { needs = n; return ErrNoRoom }
	if err := e.Run(t.Context(), options, nil); !errors.Is(err, ErrNoRoom) {
		t.Fatalf("%s: error %v of a run that is refused", e.Name(), err)
	}
	return needs
}
