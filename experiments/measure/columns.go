package measure

import (
	"slices"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/weights"
)

// fileColumn is the name of the column of the file that a row is of, where there are several.
const fileColumn = "file"

// names are the files as a person writes them, the labels of their column.
func (m *Experiment) names() (names []string) {
	for _, file := range m.files() {
		names = append(names, namedfile.Name(file))
	}
	return names
}

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

// cut leaves those out that a table has not of all columns of fullRow: the first one is the sequence, and the
// last are the numbers of clusters by loose thresholds.
func cut[T any](m *Experiment, columns []T) []T {
	if !m.loosely() {
		columns = columns[:len(columns)-len(looseCosines)]
	}
	if !m.Each {
		columns = columns[1:]
	}
	return columns
}

// write writes rows of the k-th file.
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

// partOf is the rows of one file in a table of several, without their column.
func partOf(table *data.Table, file string) *data.Table {
	at := table.Schema.Index(fileColumn)
	codes := table.Columns[at].(data.Slice[int8])
	code := int8(slices.Index(table.Schema.Columns[at].Labels, file)) // -1 for none
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

// layersOf are the layers of a file in a table of several.
func layersOf(table *data.Table, file string) ([]LooseRow, error) {
	return readRows(partOf(table, file))
}
