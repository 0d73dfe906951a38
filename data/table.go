package data

import (
	"fmt"

	"antipode/data/durable"
)

// Table is a table in memory. It has the values of each column of its schema. The values have the type of the
// column's Kind, and all columns have the same number of rows.
type Table struct {
	Schema  Schema
	Columns []Values
}

// NewTable returns a table of the schema without rows.
func NewTable(schema Schema) *Table {
	table := &Table{Schema: schema}
	for _, column := range schema.Columns {
		table.Columns = append(table.Columns, column.empty())
	}
	return table
}

// Write implements Sink. It appends rows as Writer.Write does. If values do not fit the schema, it returns
// the errors of Writer.Write, and the table is not changed.
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

// Rows returns the number of rows. It is 0 for a table without columns.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len() / t.Schema.Columns[0].width()
}

// Slice returns the rows with indices from from up to to-1. They share the memory of the table.
func (t *Table) Slice(from, to int) *Table {
	slice := &Table{Schema: t.Schema, Columns: make([]Values, len(t.Columns))}
	for i, column := range t.Schema.Columns {
		slice.Columns[i] = t.Columns[i].part(from*column.width(), to*column.width())
	}
	return slice
}

// ValuesOf returns the values of the column with the given name. T is int32, int64, float64, int8 (for the
// codes of labels) or string; the values of vectors are float64, row after row. The slice is the memory of
// the table. It is an error if there is no such column or if its values have another type.
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

// WriteFile writes a table to path by Create, Write and Close, and returns their errors.
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
	maxTableGrowth = 16 // times the size of the file
)

// ReadFile reads the table at path into memory, with the errors of Open and Next. It refuses a compressed
// file that may take more than 1 GiB of memory and more than 16 times its own size; Open and Next can read
// such a file.
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
