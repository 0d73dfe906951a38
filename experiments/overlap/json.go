package overlap

import (
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments/run"
)

// IsPrompt implements run.Prompt.
func (*Experiment) IsPrompt() {}

// WriteJSON writes the rows of a table, ordered by their columns, as JSON. A single row is an object, and
// several rows are a list of objects.
func (*Experiment) WriteJSON(w io.Writer, table *data.Table) error {
	rows, err := run.RowsOf[fullRow](table)
	if err != nil {
		return err
	}
	grid := slices.ContainsFunc(table.Schema.Columns, isEpsilon)
	columns := columnsWith(grid, func(g group) bool { return table.Schema.Index(g.columns[0].Name) >= 0 })
	table = data.NewTable(data.Schema{Columns: columns})
	if err := writeRows(table, columns, rows...); err != nil {
		return err
	}
	var text []byte
	if table.Rows() == 1 {
		text = table.AppendRowJSON(text, 0)
	} else {
		separator := "[\n"
		for row := range table.Rows() {
			text = table.AppendRowJSON(append(text, separator...), row)
			separator = ",\n"
		}
		text = append(text, "\n]"...)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
