package measure

import (
	"slices"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/weights"
	"antipode/internal/lists"
)

// fileColumn is the name of the column, in a table of several files, that says which file a row belongs to.
const fileColumn = "file"

// names returns the names of the measured files as the user writes them, which are the labels of the column
// file.
func (m *Experiment) names() []string { return lists.Map(m.files(), namedfile.Name) }

// Columns implements run.Experiment.
func (m *Experiment) Columns() []data.Column {
	if m.weighs() {
		return data.ColumnsOf[weights.Row]()
	}
	if m.infers() {
		return data.ColumnsOf[InferenceRow]()
	}
	columns := cut(m, data.ColumnsOf[fullRow]())
	if !m.several() {
		return columns
	}
	return append([]data.Column{{Name: fileColumn, Kind: data.Label, Labels: m.names(),
		Meaning: "file that was measured"}}, columns...)
}

// cut returns the columns of a fullRow without those columns that the table does not have. The first column
// is the sequence; the last columns are the numbers of clusters at loose thresholds.
func cut[T any](m *Experiment, columns []T) []T {
	if !m.loosely() {
		columns = columns[:len(columns)-len(looseCosines)]
	}
	if !m.Each {
		columns = columns[1:]
	}
	return columns
}

// write writes rows of the k-th of several measured files.
func (m *Experiment) write(table data.Sink, k int, rows []fullRow) error {
	return data.WriteRows(data.SinkFunc(func(columns ...data.Values) error {
		columns = cut(m, columns)
		if m.several() {
			codes := data.Slice[int8](slices.Repeat([]int8{int8(k)}, len(rows)))
			columns = append([]data.Values{codes}, columns...)
		}
		return table.Write(columns...)
	}), rows...)
}

// partOf returns the rows of one file from a table of several files, without the column file.
func partOf(table *data.Table, file string) *data.Table {
	at := table.Schema.Index(fileColumn)
	codes := table.Columns[at].(data.Slice[int8])
	code := int8(slices.Index(table.Schema.Columns[at].Labels, file)) // -1 if absent
	schema := table.Schema
	schema.Columns = slices.Delete(slices.Clone(schema.Columns), at, at+1)
	part := data.NewTable(schema)
	for first := 0; first < len(codes); first++ {
		last := first
		for last < len(codes) && codes[last] == code {
			last++
		}
		if last > first {
			rows := table.Slice(first, last)
			part.Write(slices.Delete(slices.Clone(rows.Columns), at, at+1)...)
			first = last
		}
	}
	return part
}
