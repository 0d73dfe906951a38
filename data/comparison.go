package data

import (
	"fmt"
	"io"
	"math"
)

// Comparison takes rows as a Writer does, and compares them with those of a file that
// should be the same.
type Comparison struct {
	reader *Reader
	table  *Table // of the file, what is being compared
	next   int    // row of it
	row    int64  // of the whole table
}

// NewComparison compares with the rows that a reader has not returned yet.
func NewComparison(reader *Reader) *Comparison { return &Comparison{reader: reader} }

// Write compares the next rows. It is an error, which names the file, the row, counted
// from 0, the column and both values, if one differs in a bit, if the file has no more
// rows, or if columns are missing; null and NaN are the same.
func (c *Comparison) Write(columns ...Values) error {
	schema := c.reader.Schema()
	rows, err := schema.countRows(columns)
	if err != nil {
		return fmt.Errorf("%s: has other columns: %w", c.reader.path, err)
	}
	for row := range rows {
		if c.table == nil || c.next == c.table.Rows() {
			if c.table, err = c.reader.Next(); err == io.EOF {
				return fmt.Errorf("%s: has only %s", c.reader.path, counted(c.row, "row"))
			} else if err != nil {
				return err
			}
			c.next = 0
		}
		for i, column := range schema.Columns {
			if !column.same(c.table.Columns[i], c.next, columns[i], row) {
				return fmt.Errorf("%s: row %d, column %s: %s in the file, %s now", c.reader.path, c.row,
					Printable(column.Name), column.shown(c.table.Columns[i], c.next),
					column.shown(columns[i], row))
			}
		}
		c.next++
		c.row++
	}
	return nil
}

// Close reports rows of the file that have not been compared.
func (c *Comparison) Close() error {
	if rows := c.reader.Rows(); rows != c.row {
		return fmt.Errorf("%s: has %d rows, not %d", c.reader.path, rows, c.row)
	}
	return nil
}

// counted is a number of things, with their name in the singular for one.
func counted(n int64, name string) string {
	if n != 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", n, name)
}

// shown is the value in a row as an error names it.
func (c Column) shown(values Values, row int) string {
	if x, ok := values.(Slice[float64]); ok && c.Kind == Float64 && math.IsNaN(x[row]) {
		return "null"
	}
	return c.csv(values, row)
}

// same compares the value in a row of one slice with that in a row of another.
func (c Column) same(a Values, i int, b Values, j int) bool {
	switch x := a.(type) {
	case Slice[int32]:
		return x[i] == b.(Slice[int32])[j]
	case Slice[int64]:
		return x[i] == b.(Slice[int64])[j]
	case Slice[int8]:
		return x[i] == b.(Slice[int8])[j]
	case Slice[string]:
		return x[i] == b.(Slice[string])[j]
	}
	x, y := a.(Slice[float64]), b.(Slice[float64])
	for k := range c.width() {
		u, v := x[i*c.width()+k], y[j*c.width()+k]
		if math.Float64bits(u) != math.Float64bits(v) && !(math.IsNaN(u) && math.IsNaN(v)) {
			return false
		}
	}
	return true
}
