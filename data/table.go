package data

import (
	"fmt"

	"antipode/data/durable"
)

// Table is a table in memory: the values of each column of its schema, of the
// type that the column's Kind names and all of the same number of rows.
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

// Write implements Sink: it appends rows as Writer.Write does, with the same errors for
// values that do not fit the schema, which leave the table as it was.
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

// Rows returns the number of rows, 0 for a table without columns.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len() / t.Schema.Columns[0].width()
}

// Slice returns the rows from one to before another, which share the table's memory.
func (t *Table) Slice(from, to int) *Table {
	slice := &Table{Schema: t.Schema, Columns: make([]Values, len(t.Columns))}
	for i, column := range t.Schema.Columns {
		slice.Columns[i] = t.Columns[i].part(from*column.width(), to*column.width())
	}
	return slice
}

// ValuesOf returns the values of the column with the given name: T is int32,
// int64, float64, int8 (the codes of labels) or string, and vectors are float64,
// row after row. The slice is the table's own. It is an error if there is no
// such column or its values have another type.
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

// WriteFile writes a table to path as Create, Write and Close would, with the
// same errors.
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

// ReadFile reads the table at path into memory, with the errors of Open and
// Next. A compressed file that may take more than 1 GiB and more than 16 times
// its own size is refused; Open and Next can read it.
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
