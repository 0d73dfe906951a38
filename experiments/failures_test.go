package experiments

import (
	"io"
	"os"
	"path/filepath"
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
		var needNone []string
		if e.Name() == "simulate" { // whose report says what the columns are
			needNone = []string{"report"}
		}
		experimenttest.CheckColumns(t, name, e, table, needNone...)
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
	eachTable(t, func(name string, e run.Experiment, table *data.Table) {
		experimenttest.CheckNoRoom(t, name, e, table)
	})
}
