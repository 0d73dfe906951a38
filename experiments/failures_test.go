package experiments

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// Reports and figures of tables without rows are errors, not empty texts.
func TestTablesWithoutRows(t *testing.T) {
	for _, e := range All() {
		table := data.NewTable(run.Schema(e, 1))
		if err := e.Describe(io.Discard, table); err == nil {
			t.Errorf("%s: a report", e.Name())
		}
		if _, err := e.Draw(table); err == nil {
			t.Errorf("%s: a figure", e.Name())
		}
	}
}

// Reports, summaries and figures need some columns of a table. Without them they are errors.
func TestTablesWithoutAColumn(t *testing.T) {
	eachTable(t, func(name string, e run.Experiment, table *data.Table) {
		uses := map[string]func(table *data.Table) error{
			"report": func(table *data.Table) error { return e.Describe(io.Discard, table) },
			"figure": func(table *data.Table) error { _, err := e.Draw(table); return err },
		}
		if summarizer, is := e.(run.Summarizer); is {
			uses["summary"] = func(table *data.Table) error { return summarizer.WriteJSON(io.Discard, table) }
		}
		for what, use := range uses {
			needed := false
			for k := range table.Columns {
				some := &data.Table{Schema: table.Schema}
				some.Columns = slices.Delete(slices.Clone(table.Columns), k, k+1)
				some.Schema.Columns = slices.Delete(slices.Clone(table.Schema.Columns), k, k+1)
				if needed = use(some) != nil; needed {
					break
				}
			}
			if !needed && (e.Name() != "simulate" || what != "report") { // which says what the columns are
				t.Errorf("%s: the %s needs no column", name, what)
			}
		}
	})
}

// eachTable calls a function for each recorded table of this version.
func eachTable(t *testing.T, visit func(name string, e run.Experiment, table *data.Table)) {
	t.Helper()
	folder := filepath.Join("testdata", "tables", run.Version)
	for _, entry := range must.Get(os.ReadDir(folder))(t) {
		if filepath.Ext(entry.Name()) != ".arrow" {
			continue
		}
		e, table, err := Read(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatalf("%s: %v", entry.Name(), err)
		}
		visit(entry.Name(), e, table)
	}
}

// A report that cannot be written is an error, whether its first byte, its middle or its last byte has no
// room.
func TestReportsThatCannotBeWritten(t *testing.T) {
	eachTable(t, func(table string, e run.Experiment, of *data.Table) {
		writers := map[string]func(io.Writer) error{
			"report": func(w io.Writer) error { return e.Describe(w, of) }}
		if summarizer, is := e.(run.Summarizer); is {
			writers["summary"] = func(w io.Writer) error { return summarizer.WriteJSON(w, of) }
		}
		for name, write := range writers {
			const enough = experimenttest.Room(1 << 30)
			room := enough
			must.Do(t, write(&room))
			size := enough - room
			for _, room := range []experimenttest.Room{0, size / 2, size - 1} {
				left := room
				if err := write(&left); !errors.Is(err, experimenttest.ErrNoRoom) {
					t.Errorf("%s: %s of %d bytes in room for %d: %v", table, name, size, room, err)
				}
			}
		}
	})
}
