package data

import (
	"fmt"

	"antipode/data/durable"
)

// Table is a table in memory, with the values of each column of its schema. The values of a column have the
// type of the column's Kind, and all columns have the same number of rows.
type Table struct {
	Schema  Schema
	Columns []Values
}

// NewTable returns a table with the given schema and without rows.
func NewTable(schema Schema) *Table {
	table := &Table{Schema: schema}
	for _, column := range schema.Columns {
		table.Columns = append(table.Columns, column.empty())
	}
	return table
}

// Write implements Sink: it appends rows to the table, as Writer.Write appends rows to a file. If values do
// not fit the schema, Write returns the error of Writer.Write and does not change the table.
func (t *Table) Write(columns ...Values) error {
	if _, err := t.Schema.countRows(columns); err != nil {
		return err
	}
	for i, column := range t.Schema.Columns {
		if err := column.check(columns[i]); err != nil {
			return err
		}
	}
	for i := range t.Columns {
		t.Columns[i] = t.Columns[i].join(columns[i])
	}
	return nil
}

// Rows returns the number of rows of the table, which is 0 for a table without columns.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len() / t.Schema.Columns[0].width()
}

// Slice returns a table of the rows k of t with from ≤ k < to, which shares the memory of t.
func (t *Table) Slice(from, to int) *Table {
	slice := &Table{Schema: t.Schema, Columns: make([]Values, len(t.Columns))}
	for i, column := range t.Schema.Columns {
		slice.Columns[i] = t.Columns[i].part(from*column.width(), to*column.width())
	}
	return slice
}

// ValuesOf returns the values of the column with the given name. T is int32, int64, float64, int8 (for the
// codes of labels) or string; the values of vectors are float64, row after row. The slice is the memory of
// the table. ValuesOf returns an error if the table has no such column or if the values of the column have
// another type.
func ValuesOf[T Value](t *Table, name string) ([]T, error) {
	i := t.Schema.Index(name)
	if i < 0 {
		return nil, fmt.Errorf("there is no column %q", name)
	}
	values, ok := t.Columns[i].(Slice[T])
	if !ok {
		return nil, fmt.Errorf("column %q has values of type %T, not %T", name, t.Columns[i], values)
	}
	return values, nil
}

// WriteFile writes a table to a file at path by Create, Writer.Write and Writer.Close, and returns the errors
// of these functions.
func WriteFile(path string, table *Table) error {
	w, err := Create(path, table.Schema)
	if err != nil {
		return err
	}
	if err := w.Write(table.Columns...); err != nil {
		return err
	}
	return w.Close()
}

const (
	maxTableBytes  = 1 << 30
	maxTableGrowth = 16 // greatest ratio of the table's memory to the size of the file
)

// ReadFile reads the table in the file at path into memory, with the errors of Open and Reader.Next. ReadFile
// refuses a compressed file that may take more than 1 GiB of memory and more than 16 times its own size; Open
// and Reader.Next can read such a file.
func ReadFile(path string) (table *Table, err error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = durable.Join(err, r.Close()) }()
	bytes := r.Rows()*int64(r.schema.RowBytes()) + r.structure.bodyBytes
	if bytes > maxTableBytes && bytes/maxTableGrowth > r.size {
		return nil, fmt.Errorf("%s: takes %d MiB of memory, too much for a file of %d bytes", path, bytes>>20,
			r.size)
	}
	table = NewTable(r.schema)
	for batch, err := range Parts(r.Next) {
		if err != nil {
			return nil, err
		}
		for i, values := range batch.Columns {
			table.Columns[i] = table.Columns[i].join(values)
		}
	}
	return table, nil
}
