// Package experimenttest helps tests of experiments.
package experimenttest

import (
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
)

// Table runs the experiment and returns its table. If the run fails, the test ends.
func Table(t *testing.T, e run.Experiment, options run.Options) *data.Table {
	t.Helper()
	table := data.NewTable(run.Schema(e, options.Seed))
	if err := e.Run(t.Context(), options, table); err != nil {
		t.Fatal(err)
	}
	return table
}

// Text returns a table's metadata and rows, one per line.
func Text(table *data.Table) string {
	var text []byte
	for _, entry := range table.Schema.Metadata {
		text = append(text, entry.Key+": "+entry.Value+"\n"...)
	}
	for row := range table.Rows() {
		text = append(table.AppendRowJSON(text, row), '\n')
	}
	return string(text)
}

// TableOf returns the table that the experiment would write for these rows, with seed 1. Fields that the
// table does not have are left out, unless a column of the table is a vector. If TableOf fails, the test
// ends.
func TableOf[Row any](t *testing.T, e run.Experiment, rows ...Row) *data.Table {
	t.Helper()
	table := data.NewTable(run.Schema(e, 1))
	var sink data.Sink = table
	if !slices.ContainsFunc(e.Columns(), func(c data.Column) bool { return c.Kind == data.Vector }) {
		sink = data.Selecting(table, data.ColumnsOf[Row](), e.Columns())
	}
	if err := data.WriteRows(sink, rows...); err != nil {
		t.Fatal(err)
	}
	return table
}
