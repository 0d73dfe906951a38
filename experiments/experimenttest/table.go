// Package experimenttest helps to test experiments: it runs them, writes their tables as text and checks
// which parameters they refuse.
package experimenttest

import (
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
)

// Table runs an experiment and returns its table. If the run fails, the test ends.
func Table(t *testing.T, e run.Experiment, options run.Options) *data.Table {
	t.Helper()
	table := data.NewTable(run.Schema(e, options.Seed))
	if err := e.Run(t.Context(), options, table); err != nil {
		t.Fatal(err)
	}
	return table
}

// Text returns the metadata and the rows of a table as text, one per line.
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

// TableOf returns the table that an experiment would write for the given rows, with seed 1. Fields of the
// rows for which the table has no column are left out, unless a column of the table is a vector. If the table
// cannot be written, the test ends.
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

// Without returns a table without the column of the given name.
func Without(table *data.Table, name string) *data.Table {
	k := table.Schema.Index(name)
	some := &data.Table{Schema: table.Schema}
	some.Columns = slices.Delete(slices.Clone(table.Columns), k, k+1)
	some.Schema.Columns = slices.Delete(slices.Clone(table.Schema.Columns), k, k+1)
	return some
}

// WithColumn returns a table in which the column of the given name has other values.
func WithColumn(table *data.Table, name string, values data.Values) *data.Table {
	other := &data.Table{Schema: table.Schema, Columns: slices.Clone(table.Columns)}
	other.Columns[table.Schema.Index(name)] = values
	return other
}

// WithParameters returns a table in whose parameters a text is replaced by another. If the parameters do not
// have the text, the test ends.
func WithParameters(t *testing.T, table *data.Table, text, by string) *data.Table {
	t.Helper()
	other := &data.Table{Schema: table.Schema, Columns: table.Columns}
	other.Schema.Metadata = slices.Clone(table.Schema.Metadata)
	for k, entry := range other.Schema.Metadata {
		if entry.Key == data.KeyParameters {
			if !strings.Contains(entry.Value, text) {
				t.Fatalf("the parameters %s do not have %s", entry.Value, text)
			}
			other.Schema.Metadata[k].Value = strings.Replace(entry.Value, text, by, 1)
		}
	}
	return other
}
