package wording

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table is a table in a report. The entries of a Table end with tabs, and the columns are aligned to the
// right.
type Table struct {
	*tabwriter.Writer
	below io.Writer
}

// NewTable returns an empty table, which the method End writes to w.
func NewTable(w io.Writer) Table {
	return Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight), w}
}

// End writes the table to its writer, and a text below it.
func (t Table) End(text string) error {
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(t.below, text)
	return err
}

// Spaced returns the indices of those of count rows that a report shows: at most most rows, at least 2,
// evenly spaced from the first row on, and the last row.
func Spaced(count, most int) (indices []int) {
	step := max(1, (count+most-2)/(most-1))
	for k := 0; k < count-1; k += step {
		indices = append(indices, k)
	}
	if count > 0 {
		indices = append(indices, count-1)
	}
	return indices
}
