package data

import (
	"fmt"
	"io"
	"math"
)

// Comparison compares rows with the rows of a file. A Comparison takes rows as a Writer does, and returns an
// error for a row that differs from the row of the file.
type Comparison struct {
	reader *Reader
	own    Schema // schema of the rows that Write takes
	table  *Table // the part of the file that is being compared
	next   int    // index of the next row of table
	row    int64  // the number of the next row, counted from the beginning of the file
}

// NewComparison returns a Comparison of rows of the schema own with the rows that the reader has not returned
// yet. NewComparison returns an error if the file of the reader has other columns; the error names the file.
// The labels of a column may differ in the file, as labels are compared as texts.
func NewComparison(reader *Reader, own Schema) (*Comparison, error) {
	columns := reader.Schema().Columns
	if len(columns) != len(own.Columns) {
		return nil, fmt.Errorf("%s: has %s, not %d", reader.path, counted(int64(len(columns)), "column"),
			len(own.Columns))
	}
	for i, column := range columns {
		switch expected := own.Columns[i]; {
		case column.Name != expected.Name:
			return nil, fmt.Errorf("%s: has the column %s in the place of %s", reader.path,
				Printable(column.Name), expected.Name)
		case column.Kind != expected.Kind:
			return nil, fmt.Errorf("%s: column %s has values of kind %v, not %v", reader.path, column.Name,
				column.Kind, expected.Kind)
		case column.Length != expected.Length:
			return nil, fmt.Errorf("%s: column %s has vectors of length %d, not %d", reader.path, column.Name,
				column.Length, expected.Length)
		}
	}
	return &Comparison{reader: reader, own: own}, nil
}

// Write compares the next rows. Write returns an error if a bit of a value differs from the value in the
// file, or if the file has no more rows. The error names the file, the row (counted from 0), the column and
// both values. Null and NaN count as equal.
func (c *Comparison) Write(columns ...Values) error {
	rows, err := c.own.countRows(columns)
	if err != nil {
		return err
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
		for i, own := range c.own.Columns {
			there := valueAt{c.table.Schema.Columns[i], c.table.Columns[i], c.next}
			now := valueAt{own, columns[i], row}
			if !there.same(now) {
				return fmt.Errorf("%s: row %d, column %s: %s in the file, %s now", c.reader.path, c.row,
					own.Name, there, now)
			}
		}
		c.next++
		c.row++
	}
	return nil
}

// Close returns an error if rows of the file have not been compared.
func (c *Comparison) Close() error {
	if rows := c.reader.Rows(); rows != c.row {
		return fmt.Errorf("%s: has %d rows, not %d", c.reader.path, rows, c.row)
	}
	return nil
}

// counted returns a text with the number n and a noun, in the singular for n = 1 and with an s otherwise.
func counted(n int64, name string) string {
	if n != 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", n, name)
}

// valueAt is the value of a column in one row.
type valueAt struct {
	column Column
	values Values
	row    int
}

// String returns the text of the value in errors.
func (v valueAt) String() string {
	switch x := v.values.(type) {
	case Slice[float64]:
		if v.column.Kind == Float64 && math.IsNaN(x[v.row]) {
			return "null"
		}
	case Slice[int8]:
		if x[v.row] < 0 {
			return "null"
		}
		return fmt.Sprintf("%q", v.column.label(x[v.row]))
	}
	return v.column.csv(v.values, v.row)
}

// same reports whether the values v and w, of columns of equal kind and length, are equal.
func (v valueAt) same(w valueAt) bool {
	switch x := v.values.(type) {
	case Slice[int32]:
		return x[v.row] == w.values.(Slice[int32])[w.row]
	case Slice[int64]:
		return x[v.row] == w.values.(Slice[int64])[w.row]
	case Slice[int8]:
		a, b := x[v.row], w.values.(Slice[int8])[w.row]
		return (a < 0) == (b < 0) && v.column.label(a) == w.column.label(b)
	case Slice[string]:
		return x[v.row] == w.values.(Slice[string])[w.row]
	}
	width := v.column.width()
	x, y := v.values.(Slice[float64])[v.row*width:], w.values.(Slice[float64])[w.row*width:]
	for k := range width {
		if math.Float64bits(x[k]) != math.Float64bits(y[k]) && !(math.IsNaN(x[k]) && math.IsNaN(y[k])) {
			return false
		}
	}
	return true
}
