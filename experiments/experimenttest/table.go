// Package experimenttest helps tests of experiments.
package experimenttest

import (
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
)

// Table runs the experiment and returns its table; the test ends if that fails.
func Table(t *testing.T, e run.Experiment, options run.Options) *data.Table {
	t.Helper()
	table := data.NewTable(run.Schema(e, options.Seed))
	if err := e.Run(t.Context(), options, table); err != nil {
		t.Fatal(err)
	}
	return table
}

// Text is a table's metadata and rows, one a line.
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

// TableOf is the table that the experiment would have of those rows, from seed 1, without what they have
// beyond its columns if none of these is a vector; the test ends if that fails.
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
