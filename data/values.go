package data

import (
	"fmt"
	"math"
	"reflect"
)

// The values of a column travel as one slice in an any: []int32, []int64,
// []float64, []int8 or []string, by the column's kind. The functions here are
// the only places that take the slice out.

// empty returns a slice without rows.
func (c Column) empty() any {
	switch c.Kind {
	case Int32:
		return []int32{}
	case Int64:
		return []int64{}
	case Label:
		return []int8{}
	case Text:
		return []string{}
	default:
		return []float64{}
	}
}

// length returns the number of Go values in a column's slice.
func length(values any) int {
	switch v := values.(type) {
	case []int32:
		return len(v)
	case []int64:
		return len(v)
	case []float64:
		return len(v)
	case []int8:
		return len(v)
	default:
		return len(values.([]string))
	}
}

// part returns values[from:to] without copying.
func part(values any, from, to int) any {
	switch v := values.(type) {
	case []int32:
		return v[from:to]
	case []int64:
		return v[from:to]
	case []float64:
		return v[from:to]
	case []int8:
		return v[from:to]
	default:
		return values.([]string)[from:to]
	}
}

// join appends more to values; both are slices of the same type.
func join(values, more any) any {
	switch v := values.(type) {
	case []int32:
		return append(v, more.([]int32)...)
	case []int64:
		return append(v, more.([]int64)...)
	case []float64:
		return append(v, more.([]float64)...)
	case []int8:
		return append(v, more.([]int8)...)
	default:
		return append(values.([]string), more.([]string)...)
	}
}

// rows returns the number of rows in a slice of the column's values, or an
// error if the slice has another type or ends inside a row.
func (c Column) rows(values any) (int, error) {
	if reflect.TypeOf(values) != reflect.TypeOf(c.empty()) {
		return 0, fmt.Errorf("column %q takes %T, not %T", c.Name, c.empty(), values)
	}
	n := length(values)
	if n%c.width() != 0 {
		return 0, fmt.Errorf("column %q: %d numbers are not a whole number of vectors of length %d", c.Name, n, c.Length)
	}
	return n / c.width(), nil
}

// check reports the first value that the column may not hold.
func (c Column) check(values any) error {
	switch v := values.(type) {
	case []int8:
		for i, code := range v {
			if code < 0 || int(code) >= len(c.Labels) {
				return fmt.Errorf("column %q, row %d: the code %d is not in 0..%d", c.Name, i, code, len(c.Labels)-1)
			}
		}
	case []float64:
		if c.Nullable {
			return nil
		}
		for i, x := range v {
			if math.IsNaN(x) {
				return fmt.Errorf("column %q, row %d: NaN in a column that is not nullable", c.Name, i/c.width())
			}
		}
	}
	return nil
}

// countRows returns the number of rows common to all columns, or an error if
// the slices do not fit the schema.
func (s Schema) countRows(columns []any) (int, error) {
	if len(columns) != len(s.Columns) {
		return 0, fmt.Errorf("%d slices for %d columns", len(columns), len(s.Columns))
	}
	rows := 0
	for i, column := range s.Columns {
		n, err := column.rows(columns[i])
		if err != nil {
			return 0, err
		}
		if i > 0 && n != rows {
			return 0, fmt.Errorf("column %q has %d rows, %q has %d", column.Name, n, s.Columns[0].Name, rows)
		}
		rows = n
	}
	return rows, nil
}
