package data

import (
	"fmt"
	"math"
	"reflect"
)

// Value is a Go type of the values of a column. The constants of Kind say which Go type belongs to which
// kind.
type Value interface {
	int32 | int64 | float64 | int8 | string
}

// Values are the values of one column: a Slice of the Go type that belongs to the column's Kind.
type Values interface {
	// Len returns the number of Go values, for a Vector column the number of numbers in all rows.
	Len() int
	part(from, to int) Values
	join(more Values) Values
}

// Slice holds the values of a column whose Go type is T.
type Slice[T Value] []T

// Len implements Values.
func (s Slice[T]) Len() int { return len(s) }

// part returns the values s[from:to] without copying.
func (s Slice[T]) part(from, to int) Values { return s[from:to] }

// join returns the values s followed by more, which must have the same type.
func (s Slice[T]) join(more Values) Values { return append(s, more.(Slice[T])...) }

// empty returns values of the column for no rows.
func (c Column) empty() Values {
	switch c.Kind {
	case Int32:
		return Slice[int32]{}
	case Int64:
		return Slice[int64]{}
	case Label:
		return Slice[int8]{}
	case Text:
		return Slice[string]{}
	default:
		return Slice[float64]{}
	}
}

// holds reports whether values have the Go type of the column's kind.
func (c Column) holds(values Values) bool { return reflect.TypeOf(values) == reflect.TypeOf(c.empty()) }

// rows returns the number of rows in the values of a column. rows returns an error if the values do not have
// the type of the column or end inside a row.
func (c Column) rows(values Values) (int, error) {
	if !c.holds(values) {
		return 0, fmt.Errorf("column %q takes %T, not %T", c.Name, c.empty(), values)
	}
	n := values.Len()
	if n%c.width() != 0 {
		return 0, fmt.Errorf("column %q: %d numbers are not a whole number of vectors of length %d", c.Name,
			n, c.Length)
	}
	return n / c.width(), nil
}

// check returns an error for the first of the values that the column must not hold, or nil.
func (c Column) check(values Values) error {
	switch v := values.(type) {
	case Slice[int8]:
		for i, code := range v {
			if code < 0 || int(code) >= len(c.Labels) {
				return fmt.Errorf("column %q, row %d: the code %d is not in 0..%d", c.Name, i, code,
					len(c.Labels)-1)
			}
		}
	case Slice[float64]:
		if c.Nullable {
			return nil
		}
		for i, x := range v {
			if math.IsNaN(x) {
				return fmt.Errorf("column %q, row %d: NaN in a column that is not nullable", c.Name,
					i/c.width())
			}
		}
	}
	return nil
}

// countRows returns the number of rows in the values of all columns. countRows returns an error if the values
// do not fit the schema, or if columns have different numbers of rows.
func (s Schema) countRows(columns []Values) (int, error) {
	if len(columns) != len(s.Columns) {
		return 0, fmt.Errorf("values of %d columns for %d", len(columns), len(s.Columns))
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
